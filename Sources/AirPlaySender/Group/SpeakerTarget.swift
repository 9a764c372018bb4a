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
    /// What its mDNS record says, when it was found by name.
    public var record: AirPlayTXTRecord?
    public var password: String?

    public init(
        name: String, addresses: [SocketAddress], localAddress: IPAddress? = nil,
        record: AirPlayTXTRecord? = nil,
        password: String? = nil
    ) {
        self.name = name
        self.addresses = addresses
        self.localAddress = localAddress
        self.record = record
        self.password = password
    }

    public static func == (left: SpeakerTarget, right: SpeakerTarget) -> Bool { left.name == right.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
