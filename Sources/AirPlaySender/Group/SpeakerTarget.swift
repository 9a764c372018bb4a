import AirPlayMessages
import SystemIO

/// A speaker to play to, with its name and addresses. Two targets are equal when their names are.
public struct SpeakerTarget: Hashable, Sendable {
    /// The name in messages and events.
    public var name: String
    /// The addresses, tried in order.
    public var addresses: [SocketAddress]
    /// The local address to connect from; `nil` for the system's choice.
    public var localAddress: IPAddress?
    /// The `_airplay._tcp` record, if mDNS found one.
    public var record: AirPlayTXTRecord?
    /// The `_raop._tcp` record, if mDNS found one.
    public var raop: RAOPTXTRecord?
    /// The speaker's password; `nil` when it has none or it is unknown.
    public var password: String?
    /// The device, if the target is one of this machine; the other properties but the name then have no use.
    package var local: (any LocalSpeaker)?
    /// The parts of the kind of session that the user has fixed.
    public var override = SessionChoice.Override()

    /// Creates a target.
    public init(
        name: String, addresses: [SocketAddress], localAddress: IPAddress? = nil,
        record: AirPlayTXTRecord? = nil, raop: RAOPTXTRecord? = nil,
        password: String? = nil
    ) {
        self.name = name
        self.addresses = addresses
        self.localAddress = localAddress
        self.record = record
        self.raop = raop
        self.password = password
    }

    /// Whether the mDNS records offer AirPlay 1 and not AirPlay 2; `false` for a speaker without records.
    ///
    /// Only the records tell: shairport-sync without nqptp describes itself in `/info` as an AirPlay 2
    /// speaker, and exits at an AirPlay 2 session SETUP (*observed*, 5.1-dev).
    var speaksAirPlay1Only: Bool {
        let known = ReceiverDescription(airPlay: record, raop: raop)
        return (record != nil || raop != nil) && !known.supportsAirPlay2
    }

    /// Compares all parts.
    public static func == (left: SpeakerTarget, right: SpeakerTarget) -> Bool { left.name == right.name }
    /// Hashes the parts that equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
