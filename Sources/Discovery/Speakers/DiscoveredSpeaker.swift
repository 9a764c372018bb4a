import SystemIO

/// One speaker, as its announcements describe it.
public struct DiscoveredSpeaker: Hashable, Sendable, Identifiable {
    public let id: SpeakerID
    /// The name people gave it.
    public let name: String
    /// The model in the maker's own code, e.g. `AudioAccessory5,1`; empty when not announced.
    public let model: String
    /// Its `_airplay._tcp` service.
    public let airplay: DiscoveredService?
    /// Its `_raop._tcp` service.
    public let raop: DiscoveredService?

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
    }

    /// The service to connect to: `_airplay` when there is one.
    private var main: DiscoveredService? { airplay ?? raop }

    /// Where to connect, best first; never empty.
    public var addresses: [IPAddress] { main?.addresses ?? [] }

    /// The port of ``addresses``, never 0.
    public var port: UInt16 { main?.port ?? 0 }

    /// ``addresses`` with ``port``, best first.
    public var endpoints: [SocketAddress] { addresses.map { SocketAddress($0, port: port) } }

    /// The host name in the SRV record.
    public var host: String { main?.host ?? "" }
}
