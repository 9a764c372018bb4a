import AirPlayMessages
import AirPlaySender
import TuttiSystemIO

/// The facts of a speaker that a program stores to play to it again before a search has found it.
public struct SpeakerReference: Codable, Hashable, Sendable {
    /// The name.
    public var name: String
    /// The identity among the outputs.
    public var id: RouteOption.ID
    /// The name of the stereo pair that the speaker is a half of.
    public var pair: String?
    /// The addresses with ports, in the order of trying.
    public var addresses: [String]
    /// The fields of the speaker's `_airplay._tcp` record.
    public var airPlay: [String: String]?
    /// The fields of the speaker's `_raop._tcp` record.
    public var raop: [String: String]?

    /// Makes a reference to a speaker of which little is known.
    public init(name: String, id: RouteOption.ID, addresses: [String]) {
        (self.name, self.id, self.addresses) = (name, id, addresses)
    }

    /// Takes the facts of a target; `nil` for a device of this machine. Passwords are left out.
    public init?(_ target: SpeakerTarget) {
        guard target.local == nil, !target.addresses.isEmpty else { return nil }
        (name, id, pair) = (target.name, target.id ?? target.name, target.pair)
        addresses = target.addresses.map { "\($0)" }
        (airPlay, raop) = (target.record?.fields.values, target.raop?.fields.values)
    }
}

extension RouteCatalogue {
    /// Returns a stored speaker as a target, with the user's settings for it; `nil` if none of its addresses is one.
    public func target(
        of reference: SpeakerReference, localAddress: IPAddress? = nil
    ) -> SpeakerTarget? {
        let addresses = reference.addresses.compactMap { text in
            EndpointText(text, defaultPort: 7000).flatMap { endpoint in
                IPAddress(endpoint.host).map { SocketAddress($0, port: endpoint.port) }
            }
        }
        guard !addresses.isEmpty else { return nil }
        var target = SpeakerTarget(
            name: reference.name, addresses: addresses, localAddress: localAddress,
            record: reference.airPlay.map { AirPlayTXTRecord($0.map { (key: $0.key, value: $0.value) }) },
            raop: reference.raop.map { RAOPTXTRecord($0.map { (key: $0.key, value: $0.value) }) })
        (target.id, target.pair) = (reference.id, reference.pair)
        services.settings.current.apply(to: &target)
        return target
    }
}
