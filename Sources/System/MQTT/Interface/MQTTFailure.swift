/// The reason why there is no connection to the broker.
package struct MQTTFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    package enum Kind: String, Sendable {
        /// The broker's name is unknown.
        case noSuchHost
        /// The network or the port does not answer.
        case unreachable
        /// The broker takes the connection but does not answer.
        case silent
        /// The broker refuses the user or the password.
        case credentials
        /// The encryption fails.
        case encryption
        /// The broker refuses the client for another reason.
        case refused
        /// Another client uses the same name.
        case takenOver
        /// The connection was lost.
        case lost
        /// A setting cannot be used, such as a file that cannot be read.
        case settings
    }

    /// The kind.
    package let kind: Kind
    /// A sentence that names the broker, what happened and what to do.
    package let description: String

    init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }
}

extension MQTTFailure {
    static func noSuchHost(_ configuration: MQTTConfiguration) -> MQTTFailure {
        MQTTFailure(
            .noSuchHost, "The MQTT broker “\(configuration.broker)” is not known. Is its name spelled right?")
    }

    static func unreachable(_ configuration: MQTTConfiguration, _ reason: String) -> MQTTFailure {
        MQTTFailure(
            .unreachable,
            "The MQTT broker at \(configuration.place) cannot be reached: \(reason). Is it running?")
    }

    static func silent(_ configuration: MQTTConfiguration) -> MQTTFailure {
        MQTTFailure(
            .silent,
            "The MQTT broker at \(configuration.place) does not answer. Is that the port of a broker, "
                + (configuration.encryption == nil ? "without TLS?" : "with TLS?"))
    }

    static func closed(_ configuration: MQTTConfiguration) -> MQTTFailure {
        MQTTFailure(
            .silent,
            "The MQTT broker at \(configuration.place) closed the connection at once. Is that its port "
                + (configuration.encryption == nil ? "without TLS?" : "with TLS?"))
    }

    static func encryption(_ configuration: MQTTConfiguration, _ reason: String?) -> MQTTFailure {
        let file = configuration.encryption?.certificates.map { "“\($0)”" } ?? "the system's certificates"
        return MQTTFailure(
            .encryption,
            "The encrypted connection to the MQTT broker at \(configuration.place) failed"
                + (reason.map { ": \($0)" } ?? "")
                + ". Its certificate must match that name, and be signed by an authority in \(file).")
    }

    static func lost(_ configuration: MQTTConfiguration) -> MQTTFailure {
        MQTTFailure(.lost, "The connection to the MQTT broker at \(configuration.place) was lost.")
    }

    /// Returns the failure of a code by which a broker refuses a connection (MQTT 3.1.1, 3.2.2.3; 5.0,
    /// 3.2.2.2).
    static func refusal(_ code: Int32, _ words: String, _ configuration: MQTTConfiguration) -> MQTTFailure {
        switch code {
        case 4, 5, 134, 135, 138:
            let user =
                configuration.user.map { "the user “\($0)” or the password" } ?? "clients without a user"
            return MQTTFailure(
                .credentials, "The MQTT broker at \(configuration.place) refuses \(user).")
        default:
            return MQTTFailure(
                .refused, "The MQTT broker at \(configuration.place) refuses the connection: \(words).")
        }
    }

    /// Returns the failure of a connection that the broker has ended (MQTT 5.0, 3.14.2.1); others are lost.
    static func end(_ code: Int32, _ configuration: MQTTConfiguration) -> MQTTFailure {
        guard code == 142 else { return lost(configuration) }
        return MQTTFailure(
            .takenOver,
            "Another client of the MQTT broker at \(configuration.place) has the name "
                + "“\(configuration.clientID)”. Two houses must have two names.")
    }
}
