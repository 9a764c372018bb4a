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
        guard let endpoint = EndpointText(word, defaultPort: Self.usualPort),
            let address = IPAddress(endpoint.host)
        else { return nil }
        return SpeakerTarget(
            name: word, addresses: [SocketAddress(address, port: endpoint.port)], localAddress: localAddress,
            password: password)
    }

    private func target(of speaker: DiscoveredSpeaker) -> SpeakerTarget {
        SpeakerTarget(
            name: speaker.name, addresses: speaker.endpoints, localAddress: localAddress,
            record: speaker.receiver.airPlay, password: password)
    }
}
