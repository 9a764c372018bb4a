import Testing

@testable import TuttiCommandLineInterface
@testable import tutti

@Suite("Options of a speaker for an MQTT broker")
struct BrokerOptionsTests {
    private static func options(_ words: String..., name: String = "Kitchen") throws -> SpeakerBroker.Options?
    {
        let declaration = CommandDeclaration(
            name: "speaker", summary: "Be a speaker", options: SpeakerBroker.Options.declarations)
        return try SpeakerBroker.Options.parse(try ArgumentParser.parse(words, as: declaration), name: name)
    }

    @Test("the port is that of plain MQTT, or with certificates that of encrypted MQTT")
    func ports() throws {
        let plain = try #require(try Self.options("--mqtt", "broker.local"))
        #expect(plain.connection.broker == "broker.local" && plain.connection.port == 1883 && !plain.isRaw)
        let encrypted = try #require(
            try Self.options("--mqtt", "broker", "--mqtt-ca", "ca.pem", "--mqtt-raw"))
        #expect(encrypted.connection.port == 8883 && encrypted.isRaw)
        let named = try #require(try Self.options("--mqtt", "[::1]:1884", "--mqtt-ca", "ca.pem"))
        #expect(named.connection.broker == "::1" && named.connection.port == 1884)
        let none = try Self.options()
        #expect(none?.topic == nil)
    }

    static let names: [(name: String, topic: String)] = [
        ("Kitchen", "Kitchen"), ("Küche 🎵", "Küche 🎵"), ("a+b#c", "abc"), ("K\u{0}\n\u{7F}", "K"),
        ("up/down", "up/down"),
    ]

    @Test("the topic is the speaker's name without what a topic cannot hold", arguments: names)
    func topics(name: String, topic: String) throws {
        let options = try #require(try Self.options("--mqtt", "broker", name: name))
        #expect(options.topic == topic)
        #expect(options.connection.clientID == "tutti-speaker-" + topic)
    }

    @Test("a topic and a user of one's own are taken as they are")
    func own() throws {
        let long = String(repeating: "a", count: 256)
        for topic in ["music/kitchen", "Ä b", long] {
            let options = try Self.options("--mqtt", "broker", "--mqtt-topic", topic, "--mqtt-user", "me")
            #expect(options?.topic == topic && options?.connection.user == "me")
        }
    }

    static let refusals: [([String], String, String)] = [
        (["--mqtt-topic", "a"], "K", "--mqtt-topic needs --mqtt"),
        (["--mqtt-raw"], "K", "--mqtt-raw needs --mqtt"),
        (["--mqtt-user", "a"], "K", "--mqtt-user needs --mqtt"),
        (["--mqtt-ca", "a"], "K", "--mqtt-ca needs --mqtt"),
        (["--mqtt-password-file", "/none"], "K", "--mqtt-password-file needs --mqtt"),
        (["--mqtt", "broker:0"], "K", "--mqtt takes the name or address of a broker"),
        (["--mqtt", "broker:mqtt"], "K", "--mqtt takes"), (["--mqtt", "[::1"], "K", "--mqtt takes"),
        (["--mqtt", ":1883"], "K", "--mqtt takes"),
        (["--mqtt", "b", "--mqtt-topic", "/a"], "K", "--mqtt-topic takes"),
        (["--mqtt", "b", "--mqtt-topic", "a/"], "K", "--mqtt-topic takes levels such as music/kitchen"),
        (["--mqtt", "b", "--mqtt-topic", "a/+/b"], "K", "--mqtt-topic takes"),
        (["--mqtt", "b", "--mqtt-topic", "#"], "K", "--mqtt-topic takes"),
        (["--mqtt", "b", "--mqtt-topic", String(repeating: "ä", count: 129)], "K", "--mqtt-topic takes"),
        (["--mqtt", "b"], "#+", "--mqtt-topic takes"), (["--mqtt", "b"], "/", "--mqtt-topic takes"),
        (["--mqtt", "b", "--mqtt-password-file", "/nonexistent/a"], "K", "--mqtt-password-file: "),
    ]

    @Test("an option that makes no sense says why", arguments: refusals)
    func refuses(words: [String], name: String, beginning: String) throws {
        let declaration = CommandDeclaration(
            name: "speaker", summary: "Be a speaker", options: SpeakerBroker.Options.declarations)
        let arguments = try ArgumentParser.parse(words, as: declaration)
        let error = #expect(throws: UsageError.self) {
            try SpeakerBroker.Options.parse(arguments, name: name)
        }
        #expect(error?.description.hasPrefix(beginning) == true, "\(error?.description ?? "")")
    }
}
