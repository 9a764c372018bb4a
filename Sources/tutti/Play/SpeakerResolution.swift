import AirPlayMessages
import AirPlaySender
import Discovery
import SystemIO

/// From what stands behind `--to` to speakers with addresses.
struct SpeakerResolution {
    /// Where AirPlay 2 speakers listen unless they say otherwise.
    private static let usualPort: UInt16 = 7000

    let localAddress: IPAddress?
    let password: String?
    let interface: NetworkInterface?

    /// In the order of `words`; a speaker named twice comes once.
    func targets(for words: [String]) async throws -> [SpeakerTarget] {
        let direct = words.map(target(at:))
        let names = zip(words, direct).filter { $0.1 == nil }.map(\.0)
        var found: [SpeakerTarget] = []
        if !names.isEmpty {
            found = try await ServiceBrowser(interface: interface).speakers(named: names).map(target(of:))
        }
        var rest = found.makeIterator()
        var targets: [SpeakerTarget] = []
        for target in direct {
            guard let target = target ?? rest.next() else { continue }
            if !targets.contains(target) { targets.append(target) }
        }
        return targets
    }

    /// `10.0.0.7`, `10.0.0.7:7000`, `[fe80::1%eth0]:7000`; `nil` for a name.
    func target(at word: String) -> SpeakerTarget? {
        var (host, port) = (word[...], Self.usualPort)
        if let end = word.lastIndex(of: "]"), word.hasPrefix("[") {
            host = word[word.index(after: word.startIndex)..<end]
            let rest = word[word.index(after: end)...]
            if !rest.isEmpty {
                guard rest.hasPrefix(":"), let number = UInt16(rest.dropFirst()) else { return nil }
                port = number
            }
        } else if word.count(where: { $0 == ":" }) == 1, let colon = word.firstIndex(of: ":") {
            guard let number = UInt16(word[word.index(after: colon)...]) else { return nil }
            (host, port) = (word[..<colon], number)
        }
        guard port != 0, let address = IPAddress(String(host)) else { return nil }
        return SpeakerTarget(
            name: word, addresses: [SocketAddress(address, port: port)], localAddress: localAddress,
            password: password)
    }

    private func target(of speaker: DiscoveredSpeaker) -> SpeakerTarget {
        let addresses = speaker.addresses.compactMap { address in
            IPAddress(address.text).map { SocketAddress($0, port: speaker.port) }
        }
        let record = speaker.airplay.map { service in
            AirPlayTXTRecord(service.txt.map { ($0.key, $0.value) })
        }
        return SpeakerTarget(
            name: speaker.name, addresses: addresses, localAddress: localAddress, record: record,
            password: password)
    }
}
