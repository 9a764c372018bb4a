import TuttiSystemIO

/// A speaker as its announcements describe it.
package struct DiscoveredSpeaker: Hashable, Sendable, Identifiable {
    /// The identity of the speaker.
    package let id: SpeakerID
    /// The name that users gave the speaker.
    package let name: String
    /// The model in the manufacturer's own code, e.g. `AudioAccessory5,1`; empty if not announced.
    package let model: String
    /// The speaker's `_airplay._tcp` service.
    package let airplay: DiscoveredService?
    /// The speaker's `_raop._tcp` service.
    package let raop: DiscoveredService?
    /// The two speakers of a stereo pair, which are played to one by one; empty for any other speaker. The pair's
    /// services, addresses and model are those of the first half.
    package let halves: [DiscoveredSpeaker]

    /// - Returns: `nil` without services.
    init?(id: SpeakerID, services: [DiscoveredService]) {
        let airplay = services.last { $0.kind == .airplay }
        let raop = services.last { $0.kind == .raop }
        guard let named = airplay ?? raop else { return nil }
        self.id = id
        self.name = SpeakerID.displayName(of: named)
        self.model = airplay?.txt.value(of: "model") ?? raop?.txt.value(of: "am") ?? ""
        self.airplay = airplay
        self.raop = raop
        halves = []
    }

    /// Creates the entry of a stereo pair.
    init(_ pair: StereoPair, halves: [DiscoveredSpeaker]) {
        (id, name, self.halves) = (.pair(pair.id), pair.name, halves)
        model = halves.first?.model ?? ""
        (airplay, raop) = (halves.first?.airplay, halves.first?.raop)
    }

    /// The stereo pair that the speaker says it is a half of; `nil` for the pair itself.
    var pair: StereoPair? { halves.isEmpty ? airplay.flatMap { StereoPair($0) } : nil }

    /// The speakers to play to: the two halves of a pair, else the speaker itself.
    package var players: [DiscoveredSpeaker] { halves.isEmpty ? [self] : halves }

    /// The service to connect to: `_airplay` if there is one.
    private var main: DiscoveredService? { airplay ?? raop }

    /// The addresses to connect to, best first; never empty.
    package var addresses: [IPAddress] { main?.addresses ?? [] }

    /// The port of ``addresses``, never 0.
    package var port: UInt16 { main?.port ?? 0 }

    /// The ``addresses`` with the ``port``, best first.
    package var endpoints: [SocketAddress] { addresses.map { SocketAddress($0, port: port) } }

    /// The host name in the SRV record.
    package var host: String { main?.host ?? "" }
}
