/// One service that a speaker of ours announces.
public struct AdvertisedService: Hashable, Sendable {
    public let kind: ServiceKind
    /// Stands before the speaker's name in the instance name: `020000AA0001@` for `_raop._tcp`.
    public let namePrefix: String
    /// Where to connect; not 0.
    public let port: UInt16
    /// The TXT record, in its order.
    public var txt: [TXTEntry]

    public init(kind: ServiceKind, namePrefix: String = "", port: UInt16, txt: [TXTEntry]) {
        self.kind = kind
        self.namePrefix = namePrefix
        self.port = port
        self.txt = txt
    }
}

/// What becomes of an announcement.
public enum AdvertiserEvent: Hashable, Sendable {
    /// All services are announced under this name; comes again when the system's daemon was away.
    case registered(name: String)
    /// Another device has the name; this one is tried now.
    case renamed(to: String)
    /// Nothing is announced; the words say why. ``registered(name:)`` may still follow.
    case failed(reason: String)
}
