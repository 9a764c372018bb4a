/// The settings of a client.
public struct MQTTConfiguration: Sendable {
    /// The encryption of a connection.
    public struct Encryption: Hashable, Sendable {
        /// The file with the certificates that the broker's is checked against; `nil` for the system's.
        public var certificates: String?

        /// Makes settings. The broker's certificate must have the name that it is called by.
        public init(certificates: String? = nil) { self.certificates = certificates }
    }

    /// The limits of a client.
    public struct Limits: Hashable, Sendable {
        /// The most bytes of a received payload; a longer one is dropped.
        public var payload = 65_536
        /// The most messages that wait to be sent.
        public var waitingMessages = 16_384
        /// The most bytes of payloads that wait to be sent; a picture of a speaker fits.
        public var waitingBytes = 8 << 20
        /// The most received messages a second. The client reads no more until the second has passed, so that
        /// a flood costs the broker, and this machine a few percent of a core.
        public var receivedPerSecond = 5_000
        /// The time for the broker to accept the connection.
        public var patience = Duration.seconds(10)

        /// Makes the usual limits.
        public init() {}
    }

    /// The broker's name or address.
    public var broker: String
    /// The broker's port of TCP.
    public var port: UInt16
    /// The encryption; `nil` for none.
    public var encryption: Encryption?
    /// The user's name; `nil` for none.
    public var user: String?
    /// The user's password; `nil` for none.
    public var password: String?
    /// The name by which the broker knows the client. A second client of the same name ends the first one's
    /// connection.
    public var clientID: String
    /// The message that the broker publishes when the connection is lost; `nil` for none.
    public var will: MQTTMessage?
    /// The filters of topics to subscribe to with each connection.
    public var subscriptions: [String] = []
    /// The limits.
    public var limits = Limits()

    /// Makes settings without user, encryption and subscriptions.
    public init(broker: String, port: UInt16, clientID: String) {
        (self.broker, self.port, self.clientID) = (broker, port, clientID)
    }

    /// The broker's name and port, for sentences.
    var place: String { broker.contains(":") ? "[\(broker)]:\(port)" : "\(broker):\(port)" }
}
