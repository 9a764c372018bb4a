/// The settings of a client.
package struct MQTTConfiguration: Sendable {
    /// The encryption of a connection.
    package struct Encryption: Hashable, Sendable {
        /// The file with the certificates with which the broker's certificate is checked; `nil` for the system's.
        package var certificates: String?

        /// Makes settings. The broker's certificate must have the name that it is called by.
        package init(certificates: String? = nil) { self.certificates = certificates }
    }

    /// The limits of a client.
    package struct Limits: Hashable, Sendable {
        /// The most bytes of a received payload; a longer one is dropped.
        package var payload = 65_536
        /// The most messages that wait to be sent.
        package var waitingMessages = 16_384
        /// The most bytes of payloads that wait to be sent; a picture of a speaker fits.
        package var waitingBytes = 8 << 20
        /// The most received messages a second. The client reads no more until the second has passed, so that
        /// a flood costs the broker, and this machine a few percent of a core.
        package var receivedPerSecond = 5_000
        /// The time for the broker to accept the connection.
        package var patience = Duration.seconds(10)

        /// Makes the usual limits.
        package init() {}
    }

    /// The broker's name or address.
    package var broker: String
    /// The broker's TCP port.
    package var port: UInt16
    /// The encryption; `nil` for none.
    package var encryption: Encryption?
    /// The user's name; `nil` for none.
    package var user: String?
    /// The user's password; `nil` for none.
    package var password: String?
    /// The name by which the broker knows the client. A second client of the same name ends the first one's
    /// connection.
    package var clientID: String
    /// The message that the broker publishes when the connection is lost; `nil` for none.
    package var will: MQTTMessage?
    /// The filters of topics to subscribe to with each connection.
    package var subscriptions: [String] = []
    /// The limits.
    package var limits = Limits()

    /// Makes settings without user, encryption and subscriptions.
    package init(broker: String, port: UInt16, clientID: String) {
        (self.broker, self.port, self.clientID) = (broker, port, clientID)
    }

    /// The broker's name and port, for sentences.
    var place: String { broker.contains(":") ? "[\(broker)]:\(port)" : "\(broker):\(port)" }
}
