import AirPlaySender
import Foundation
import Testing
import TuttiSystemIO
import TuttiTestSupport

@testable import Playback

@Suite("The settings file of the speakers")
struct SpeakerSettingsTests {
    private static func target(_ name: String, id: String? = nil, pair: String? = nil) -> SpeakerTarget {
        var target = SpeakerTarget(name: name, addresses: [])
        (target.id, target.pair) = (id, pair)
        return target
    }

    private static let file = """
        {
          "Kitchen": {"stream": "realtime", "clock": "ntp", "format": "48/24", "delay": -120.5, "depth": 1.5,
                      "maximumVolume": 60, "password": "secret"},
          "02:00:00:AA:00:01": {"name": "K\\u00fcche", "delay": 40,},
          "Bedroom": {"delay": 10, "maximumVolume": 80}
        }
        """

    @Test("settings reach the speaker with the name in any case, or the device id")
    func applies() {
        let (book, warnings) = SpeakerSettingsBook.reading(Array(Self.file.utf8))
        #expect(warnings.isEmpty && book.hasPassword)
        var kitchen = Self.target("KITCHEN")
        book.apply(to: &kitchen)
        #expect(kitchen.override.stream == .realtime && kitchen.override.clock == .ntp)
        #expect(kitchen.override.format == .alac48000x24)
        #expect(kitchen.delay.milliseconds == -120.5 && kitchen.override.depth == .milliseconds(1500))
        #expect(kitchen.maximumVolume == 60 && kitchen.password == "secret" && kitchen.name == "KITCHEN")
        var other = Self.target("Speaker 7", id: "020000aa0001")
        book.apply(to: &other)
        #expect(other.name == "Küche" && other.delay.milliseconds == 40)
        #expect(book.announcedName(for: "küche") == "020000aa0001")
        #expect(book.announcedName(for: "Kitchen") == "Kitchen")
        var stranger = Self.target("Attic")
        book.apply(to: &stranger)
        #expect(stranger.delay == .zero && stranger.maximumVolume == 100)
    }

    @Test("the settings of a pair are for both halves, which keep their names")
    func pairs() {
        let text = #"{"Bed": {"delay": 10, "name": "Bedroom"}, "Bed L": {"delay": 12}}"#
        let book = SpeakerSettingsBook.reading(Array(text.utf8)).book
        var halves = ["Bed L", "Bed R"].map { Self.target($0, id: "pair:1", pair: "Bed") }
        for index in halves.indices { book.apply(to: &halves[index]) }
        #expect(halves.map(\.name) == ["Bed L", "Bed R"])
        #expect(halves.map(\.pair) == ["Bedroom", "Bedroom"])
        #expect(halves.map(\.delay.milliseconds) == [12, 10])
    }

    static let broken: [(String, String)] = [
        ("", "line 1: expected an object of speakers"),
        ("hello", "line 1: expected an object of speakers"),
        ("[1]", "line 1: expected an object of speakers"),
        ("{\n\"a\": 1}", "line 2: expected an object of settings"),
        ("{\n\n\"a\": {\"x\" 1}}", "line 3: expected a colon after \"x\""),
        ("{\"a\": {\"x\": 1}\n\"b\": {}}", "line 2: expected a comma or the closing brace"),
        ("{\"a\": {\"x\": 1", "line 1: expected a comma or the closing brace"),
        ("{\"a", "line 1: a text has no closing quote"),
        ("{\"a\n\": {}}", "line 1: a text has no closing quote on its line"),
        ("{\"a\": {\"x\": [1]}}", "line 1: expected a text in quotes or a number"),
        ("{\"a\": {\"x\": tru}}", "line 1: expected a text in quotes or a number"),
        ("{\"a\": {\"x\": 1e999}}", "line 1: 1e999 is not a number"),
        ("{\"\\uD800\": {}}", "line 1: \\uD800 is not a character"),
        ("{\"\\", "line 1: an unknown character after a backslash"),
        ("{} x", "line 1: there is text after the last brace"),
        (String(repeating: "{", count: 10_000), "line 1: expected a name in quotes"),
    ]

    @Test("a broken file gives one warning with line and cause, and no settings", arguments: broken)
    func refuses(text: String, warning: String) {
        let (book, warnings) = SpeakerSettingsBook.reading(Array(text.utf8))
        #expect(book == SpeakerSettingsBook())
        #expect(warnings.count == 1 && warnings[0].hasPrefix(warning), "\(warnings)")
        #expect(warnings.allSatisfy { $0.hasSuffix("the file is ignored") })
    }

    static let ignored: [(String, String)] = [
        (#""tape": 1"#, "unknown setting \"tape\" is ignored"),
        (#""stream": "tape""#, "stream is not \"buffered\" or \"realtime\" or \"airplay1\""),
        (#""clock": 1"#, "clock is not \"ptp\" or \"ntp\""),
        (#""delay": 1001"#, "delay is not a number of milliseconds from -1000 to 1000"),
        (#""delay": "1""#, "delay is not a number of milliseconds"),
        (#""depth": 30"#, "depth is not a number of seconds from 0.3 to 3.0"),
        (#""maximumVolume": 0"#, "maximumVolume is not a number of percent from 1.0 to 100.0"),
        (#""password": true"#, "password is not a text"),
        (#""name": """#, "name is not a text"),
    ]

    @Test("a value that is not understood is ignored alone, with its line", arguments: ignored)
    func ignores(pair: String, warning: String) {
        let text = "{\"Kitchen\": {\n\(pair),\n\"maximumVolume\": 70}}"
        let (book, warnings) = SpeakerSettingsBook.reading(Array(text.utf8))
        #expect(warnings.count == 1 && warnings[0].hasPrefix("line 2: Kitchen: \(warning)"), "\(warnings)")
        #expect(book.settings(of: "kitchen", id: nil) == SpeakerSettings(maximumVolume: 70))
    }

    @Test("speakers and warnings have limits")
    func limits() {
        let many = (0..<1000).map { "\"s\($0)\": {\"x\": 1}" }.joined(separator: ",\n")
        let (book, warnings) = SpeakerSettingsBook.reading(Array("{\(many)}".utf8))
        #expect(warnings.count == SpeakerSettingsBook.warningLimit)
        #expect(book.settings(of: "s255", id: nil) != nil && book.settings(of: "s256", id: nil) == nil)
    }

    @Test("random bytes do not trap")
    func random() {
        var random = SeededGenerator(seed: 5)
        let pieces = Array("{}\":,\\u0041 1-e.truenll\n".utf8)
        for _ in 0..<5000 {
            let count = Int.random(in: 0..<40, using: &random)
            let bytes = (0..<count).map { _ in
                Bool.random(using: &random)
                    ? pieces[Int.random(in: 0..<pieces.count, using: &random)]
                    : UInt8.random(in: .min ... .max, using: &random)
            }
            _ = SpeakerSettingsBook.reading([UInt8(ascii: "{")] + bytes)
        }
    }

    @Test("the file is found by the XDG rules, and passwords that others can read are a warning")
    func file() throws {
        #expect(
            SpeakerSettingsStore.usualPath(environment: ["XDG_CONFIG_HOME": "/c"]) == "/c/tutti/speakers.json"
        )
        #expect(
            SpeakerSettingsStore.usualPath(environment: ["HOME": "/h", "XDG_CONFIG_HOME": "c"])
                == "/h/.config/tutti/speakers.json")
        let folder = NSTemporaryDirectory() + "tutti-settings-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/speakers.json"
        func warnings() -> [String] {
            let heard = Recorder<[String]>([])
            let store = SpeakerSettingsStore(path: path) { warning in heard.update { $0.append(warning) } }
            _ = (store.current, store.current)
            return heard.value
        }
        #expect(warnings().isEmpty)
        try Self.file.write(toFile: path, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(warnings().map { $0.contains("chmod 600 \(path)") } == [true])
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(warnings().isEmpty)
        try String(repeating: " ", count: 70_000).write(toFile: path, atomically: false, encoding: .utf8)
        #expect(warnings().map { $0.hasSuffix("is too long; it is ignored") } == [true])
    }
}
