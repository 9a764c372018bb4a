import AirPlayMessages
import AirPlaySender
import TuttiDiscovery
import TuttiSystemIO

extension RouteCatalogue {
    /// Finds speakers by the names or addresses that a user typed.
    ///
    /// - Parameters:
    ///   - words: Names of speakers, `local` for this machine's own output, or beginnings of names that one speaker has; or `ADDRESS[:PORT]` with an IP
    ///     address, port 7000 by default.
    ///   - password: The password for speakers that need one.
    ///   - localAddress: The address of the network interface to use; `nil` for the system's choice.
    /// - Returns: The speakers in the order of `words`, without duplicates, for ``select(_:options:)``.
    /// - Throws: `SpeakerLookupError` if not exactly one speaker has the name, `DiscoveryError` if the network
    ///   cannot be searched.
    public func targets(
        for words: [String], password: String? = nil, localAddress: IPAddress? = nil
    ) async throws -> [SpeakerTarget] {
        guard !words.isEmpty else { return [] }
        var targets = try await SpeakerResolution(
            localAddress: localAddress, password: password, settings: services.settings.current
        ).targets(for: words.filter { $0.lowercased() != Self.localName })
        if let index = words.firstIndex(where: { $0.lowercased() == Self.localName }) {
            var local = SpeakerTarget(name: Self.localName, addresses: [])
            local.local = GroupedDevice(machine: services.machine) { [devices] in try devices.device() }
            targets.insert(local, at: min(index, targets.count))
        }
        return targets
    }

    /// Returns whether a speaker announces a password, none was given, and it is not paired.
    public func needsPassword(_ target: SpeakerTarget) -> Bool {
        target.needsPassword(unlessPairedIn: services.pairings)
    }

    /// The name by which a user adds this machine's own output to a group of speakers.
    private static let localName = "local"
}

/// A resolver from typed names and addresses to speakers with addresses.
struct SpeakerResolution {
    /// The default port of AirPlay 2 speakers.
    private static let usualPort: UInt16 = 7000
    /// The time limit for a record lookup. Responders answer within 120 ms, but do not answer a program that asks
    /// within 0.7 s of another one on its host; its second question comes after at most 2.2 s (`FreshStart`).
    private static let recordLimit = Duration.milliseconds(2600)

    let localAddress: IPAddress?
    let password: String?
    let interface: NetworkInterface?
    var settings = SpeakerSettingsBook()
    /// Finds the speaker whose mDNS records name an address; `nil` if none answers in time.
    var speakerAt: @Sendable (SocketAddress, NetworkInterface?) async -> DiscoveredSpeaker? = {
        await ServiceBrowser(interface: $1).speaker(at: $0, within: recordLimit)
    }

    /// Returns the speakers in the order of `words`, without duplicates.
    func targets(for words: [String]) async throws -> [SpeakerTarget] {
        for word in words {
            guard let port = EndpointText.excessivePort(of: word) else { continue }
            throw SpeakerLookupError.noSuchPort(word: word, port: port)
        }
        let direct = words.map(target(at:))
        for word in zip(words, direct).filter({ $0.1 == nil }).map(\.0) {
            let meant = settings.announcedNames(for: word)
            guard meant.count > 1 else { continue }
            let candidates = meant.map { key in
                SpeakerLookupError.Candidate(name: word, id: SpeakerSettingsBook.identity(ofKey: key))
            }
            throw SpeakerLookupError.ambiguous(name: word, candidates: candidates)
        }
        let names = zip(words, direct).filter { $0.1 == nil }.map { settings.announcedName(for: $0.0) }
        let addresses = direct.compactMap { $0.flatMap(addressToLookUp) }
        async let records = speakers(at: addresses)
        var found: [DiscoveredSpeaker] = []
        if !names.isEmpty { found = try await ServiceBrowser(interface: interface).speakers(named: names) }
        var rest = found.makeIterator()
        let known = await records
        var targets: [SpeakerTarget] = []
        for target in direct {
            for var player in target.map({ [$0] }) ?? rest.next().map(self.targets(of:)) ?? [] {
                if let speaker = addressToLookUp(player).flatMap({ known[$0] }) {
                    (player.record, player.raop) = (speaker.receiver.airPlay, speaker.receiver.raop)
                }
                settings.apply(to: &player)
                if let password { player.password = password }
                if !targets.contains(player) { targets.append(player) }
            }
        }
        return targets
    }

    /// Returns the speaker, or the two halves of a pair.
    func targets(of speaker: DiscoveredSpeaker) -> [SpeakerTarget] {
        speaker.players.map { SpeakerTarget($0, of: speaker, localAddress: localAddress) }
    }

    /// Returns the address whose mDNS records decide the kind of session; `nil` if there is no such address, or
    /// the records are known.
    ///
    /// Only the records distinguish an AirPlay 1 speaker, usually at port 5000, from an AirPlay 2 speaker.
    /// The default port skips the lookup, so that playback by address starts at once.
    private func addressToLookUp(_ target: SpeakerTarget) -> SocketAddress? {
        guard target.record == nil, target.raop == nil, let address = target.addresses.first,
            address.port != Self.usualPort, !address.address.isLoopback
        else { return nil }
        return address
    }

    /// Looks up the speakers at several addresses at the same time: a lookup takes a third of a second, and one that
    /// begins soon after another is not answered (``recordLimit``), while lookups at the same time share the answer.
    private func speakers(at addresses: [SocketAddress]) async -> [SocketAddress: DiscoveredSpeaker] {
        await withTaskGroup(of: (SocketAddress, DiscoveredSpeaker?).self) { group in
            for address in Set(addresses) {
                group.addTask { [speakerAt, interface] in (address, await speakerAt(address, interface)) }
            }
            var found: [SocketAddress: DiscoveredSpeaker] = [:]
            for await (address, speaker) in group { found[address] = speaker }
            return found
        }
    }

    /// Parses `10.0.0.7`, `10.0.0.7:7000` or `[fe80::1%eth0]:7000`; `nil` for a name.
    func target(at word: String) -> SpeakerTarget? {
        guard let endpoint = EndpointText(word, defaultPort: Self.usualPort),
            let address = IPAddress(endpoint.host)
        else { return nil }
        return SpeakerTarget(
            name: word, addresses: [SocketAddress(address, port: endpoint.port)], localAddress: localAddress,
            password: password)
    }
}

extension SpeakerResolution {
    /// - Throws: If `localAddress` belongs to no interface.
    init(
        localAddress: IPAddress?, password: String?, settings: SpeakerSettingsBook
    ) throws(DiscoveryError) {
        // Loopback addresses belong to this machine even if no interface lists them.
        let interface = try localAddress.flatMap { address throws(DiscoveryError) in
            address.isLoopback ? nil : try NetworkInterface.having(address: address.description)
        }
        self.init(localAddress: localAddress, password: password, interface: interface, settings: settings)
    }
}

extension SpeakerTarget {
    /// - Parameter entry: The stereo pair that the speaker is a half of, or the speaker itself.
    init(_ speaker: DiscoveredSpeaker, of entry: DiscoveredSpeaker, localAddress: IPAddress?) {
        self.init(
            name: speaker.name, addresses: speaker.endpoints, localAddress: localAddress,
            record: speaker.receiver.airPlay, raop: speaker.receiver.raop)
        id = entry.id.description
        if !entry.halves.isEmpty { pair = entry.name }
    }
}
