import TuttiCommandLineInterface
import TuttiMQTT
import TuttiSystemIO

extension SpeakerBroker.Options {
    /// The options of the command line.
    static let declarations: [OptionDeclaration] = [
        .value(
            "mqtt", "HOST[:PORT]", .text,
            "Publish metadata to this MQTT broker, and take commands;\nshairport-sync's topics"),
        .value("mqtt-topic", "TOPIC", .text, "First levels of the topics; by default, the speaker's name"),
        .value("mqtt-user", "NAME", .text, "User of the broker"),
        .value(
            "mqtt-password-file", "FILE", .file, "File with the user's password; only its owner may read it"),
        .value("mqtt-ca", "FILE", .file, "Encrypt, and check the broker with these certificates"),
        .flag("mqtt-raw", "Also publish all metadata under their codes, such as core/minm"),
    ]

    /// Reads the options; `nil` without a broker.
    ///
    /// - Parameter name: The speaker's name.
    static func parse(_ arguments: ParsedArguments, name: String) throws(UsageError) -> Self? {
        guard let text = arguments.value("mqtt") else {
            for option in ["mqtt-topic", "mqtt-user", "mqtt-password-file", "mqtt-ca"]
            where arguments.value(option) != nil {
                throw UsageError("--\(option) needs --mqtt")
            }
            if arguments.flag("mqtt-raw") { throw UsageError("--mqtt-raw needs --mqtt") }
            return nil
        }
        let certificates = arguments.value("mqtt-ca")
        guard let endpoint = EndpointText(text, defaultPort: certificates == nil ? 1883 : 8883) else {
            throw UsageError(
                "--mqtt takes the name or address of a broker, such as broker.local or broker.local:1883")
        }
        let topic = arguments.value("mqtt-topic") ?? safe(name)
        guard topic.utf8.count <= 256, !topic.isEmpty, !topic.hasPrefix("/"), !topic.hasSuffix("/"),
            topic == safe(topic)
        else { throw UsageError("--mqtt-topic takes levels such as music/kitchen, without + and #") }
        var connection = MQTTConfiguration(
            broker: endpoint.host, port: endpoint.port, clientID: "tutti-speaker-" + safe(topic))
        connection.user = arguments.value("mqtt-user")
        connection.password = try password(arguments.value("mqtt-password-file"))
        if let certificates { connection.encryption = .init(certificates: certificates) }
        return Self(connection: connection, topic: topic, isRaw: arguments.flag("mqtt-raw"))
    }

    /// Returns a text without what a topic cannot hold.
    private static func safe(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0 != "+" && $0 != "#" && $0.value >= 0x20 && $0.value != 0x7F })
        )
    }

    private static func password(_ path: String?) throws(UsageError) -> String? {
        guard let path else { return nil }
        do throws(PrivateFileError) {
            guard case .bytes(let bytes, _) = try PrivateFile(path: path).read() else {
                throw PrivateFileError(path, "does not exist")
            }
            return String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        } catch {
            throw UsageError("--mqtt-password-file: \(error)")
        }
    }
}
