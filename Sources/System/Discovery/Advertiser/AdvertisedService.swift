/// A service that one of our speakers announces.
package struct AdvertisedService: Hashable, Sendable {
    /// The service type.
    package let kind: ServiceKind
    /// The prefix of the instance name before the speaker's name: `020000AA0001@` for `_raop._tcp`.
    package let namePrefix: String
    /// The port to connect to; not 0.
    package let port: UInt16
    /// The TXT record, in order.
    package var txt: [TXTEntry]

    /// Creates a service to announce.
    package init(kind: ServiceKind, namePrefix: String = "", port: UInt16, txt: [TXTEntry]) {
        self.kind = kind
        self.namePrefix = namePrefix
        self.port = port
        self.txt = txt
    }
}

/// A change in the state of an announcement.
package enum AdvertiserEvent: Hashable, Sendable {
    /// All services are announced under this name; repeats after the system's daemon was away.
    case registered(name: String)
    /// Another device has the name; the advertiser now tries this name.
    case renamed(to: String)
    /// Nothing is announced, for this reason. ``registered(name:)`` may still follow.
    case failed(reason: String)
}
