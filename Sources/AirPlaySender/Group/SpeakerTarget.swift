import AirPlayMessages
import SystemIO

/// A speaker to play to, as it was named and found.
public struct SpeakerTarget: Hashable, Sendable {
    /// As shown in messages and events.
    public var name: String
    /// Tried in order.
    public var addresses: [SocketAddress]
    /// The interface to use; `nil` for the system's choice.
    public var localAddress: IPAddress?
    /// Its `_airplay._tcp` record, when it was found by mDNS and has one.
    public var record: AirPlayTXTRecord?
    /// Its `_raop._tcp` record, when it was found by mDNS and has one.
    public var raop: RAOPTXTRecord?
    public var password: String?

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

    /// Whether its mDNS records offer AirPlay 1 and not AirPlay 2; false for a speaker without records.
    ///
    /// The records are the only word on this: shairport-sync without nqptp describes itself in `/info` as an AirPlay 2
    /// speaker, and ends at an AirPlay 2 session SETUP (*observed*, 5.1-dev).
    var speaksAirPlay1Only: Bool {
        let known = ReceiverDescription(airPlay: record, raop: raop)
        return (record != nil || raop != nil) && !known.supportsAirPlay2
    }

    public static func == (left: SpeakerTarget, right: SpeakerTarget) -> Bool { left.name == right.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
