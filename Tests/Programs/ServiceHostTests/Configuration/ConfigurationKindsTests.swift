import Testing

@testable import TuttiServiceHost

@Suite("Values of the configuration at their limits")
struct ConfigurationKindsTests {
    typealias Value = ConfigurationValue

    private static func strings(_ texts: [String]) -> [Value] { texts.map { .string($0) } }

    private static let label = String(repeating: "a", count: 63)
    /// A name of three such labels and a shorter one.
    private static func longName(last: Int) -> String {
        "\(label).\(label).\(label)." + String(repeating: "a", count: last)
    }

    static let valid: [(ConfigurationKind, [Value])] = [
        (.integer(1...65_535), [.integer(1), .integer(65_535)]),
        (.number(0...100), [.integer(0), .integer(100), .float(-0.0), .float(99.999)]),
        (.choice(["token", "open"]), strings(["token", "open"])),
        (.text, strings(["a", " ", "é\u{1F3B5}", String(repeating: "ü", count: 255)])),
        (.folder, strings(["/", "a b", "/é#'\"", String(repeating: "a", count: 4095)])),
        (.address, strings(["192.168.1.5", "fd00::1", "::", "0.0.0.0"])),
        (.listenAddress, strings(["*", "::1"])),
        (
            .hostName,
            strings([
                "a", "music.example.org", "1.2.3.4", "a-b", "A9", label, longName(last: 61),
            ])
        ),
        (.endpoint, strings(["10.0.0.7", "10.0.0.7:1", "[fd00::7]:65535", "fd00::7", "[fd00::7]"])),
        (.portPair, [.array([.integer(1), .integer(65_535)]), .array([.integer(2), .integer(1)])]),
        (.list(.text), [.array([]), .array(strings(["a", "a"]))]),
    ]

    @Test("a value within its limits is valid", arguments: valid.indices)
    func isValid(index: Int) {
        let (kind, values) = Self.valid[index]
        for value in values { #expect(kind.objection(to: value) == nil, "\(value.text.prefix(80))") }
    }

    static let invalid: [(ConfigurationKind, [Value])] = [
        (
            .integer(1...65_535),
            [.integer(0), .integer(65_536), .integer(.min), .float(1), .string("1"), .boolean(true)]
        ),
        (
            .number(0...100),
            [.float(100.000_001), .float(-0.000_001), .integer(101), .float(.nan), .float(.infinity)]
        ),
        (.boolean, [.integer(1), .string("true"), .array([.boolean(true)])]),
        (.choice(["token", "open"]), strings(["Token", "", " open", "token,open"]) + [.array([])]),
        (.text, strings(["", "a\nb", "\u{7F}", "a\u{0}", "\u{85}", String(repeating: "ü", count: 256)])),
        (.folder, strings(["", "/a\n", "/a\u{0}b", String(repeating: "a", count: 4096)])),
        (
            .address,
            strings(["", "*", "localhost", "192.168.1.5:80", "192.168.1", "[::1]", "192.168.1.5\u{0}"])
        ),
        (.listenAddress, strings(["", "**", "* ", "any"])),
        (
            .hostName,
            strings([
                "", ".", "a.", ".a", "a..b", "-a", "a-", "a.-b", "a_b", "a b", "Küche", "a:80", label + "a",
                longName(last: 62),
            ])
        ),
        (
            .endpoint,
            strings(["", "10.0.0.7:0", "10.0.0.7:65536", "10.0.0.7:", "kitchen:7000", ":7000", "[fd00::7"])
        ),
        (
            .portPair,
            [
                .array([]), .array([.integer(1)]), .array([.integer(1), .integer(1)]),
                .array([.integer(0), .integer(1)]), .array([.integer(1), .integer(65_536)]),
                .array([.integer(1), .integer(2), .integer(3)]), .array([.string("1"), .integer(2)]),
                .integer(1),
            ]
        ),
        (.list(.text), [.string("a"), .array([.string("")]), .array([.array([])]), .array([.integer(1)])]),
    ]

    @Test("a value beyond its limits, or of another kind, is told to be wrong", arguments: invalid.indices)
    func isInvalid(index: Int) {
        let (kind, values) = Self.invalid[index]
        for value in values {
            let objection = kind.objection(to: value)
            #expect(objection != nil, "\(value.text.prefix(80))")
            // A long value is named by its kind.
            #expect((objection?.count ?? 0) < 250)
        }
    }

    @Test("the place of a wrong value in a list is told")
    func place() {
        let list = Value.array(Self.strings(["a.b", "c", "d e"]))
        let objection = ConfigurationKind.list(.hostName).objection(to: list)
        #expect(objection?.hasPrefix("has a wrong value at place 3: it must be a host name") == true)
    }

    static let overrides: [(String, ConfigurationKind, Value?)] = [
        ("", .list(.text), .array([])), (" , ,", .list(.text), .array([])),
        (" a , b c ,,", .list(.text), .array(strings(["a", "b c"]))),
        ("/a:/b, c: ", .list(.folder), .array(strings(["/a", "/b, c"]))),
        ("::1,10.0.0.1", .list(.listenAddress), .array(strings(["::1", "10.0.0.1"]))),
        ("1, 2", .portPair, .array([.integer(1), .integer(2)])),
        ("1,x", .portPair, .array([.integer(1), .string("x")])), ("", .portPair, nil), ("", .text, nil),
        (" ", .text, .string(" ")), ("true", .boolean, .boolean(true)), ("false", .boolean, .boolean(false)),
        ("TRUE", .boolean, .string("TRUE")), ("1", .boolean, .string("1")),
        ("-5", .integer(0...9), .integer(-5)), ("1.5", .integer(0...9), .string("1.5")),
        (" 5", .integer(0...9), .string(" 5")), ("1.5", .number(0...9), .float(1.5)),
        ("2", .number(0...9), .integer(2)), ("many", .number(0...9), .string("many")),
        ("8321", .text, .string("8321")), ("true", .text, .string("true")),
    ]

    @Test("a variable's text has the kind that its key wants, or stays a text", arguments: overrides.indices)
    func overriding(index: Int) {
        let (text, kind, value) = Self.overrides[index]
        #expect(ConfigurationOverride.value(of: text, kind) == value, "\(text)")
    }

    @Test(
        "a variable that is no number within its limits is told",
        arguments: ["nan", "inf", "-1", "101", "1e400", "ten", "0x1g", " 5", "1,5", "٣"])
    func volume(text: String) {
        let environment = ["HOME": "/h", "TUTTI_ROOMS_DEFAULT_VOLUME": text]
        let problems = HouseSettingsTests.problems("", environment)
        #expect(problems.count == 1)
        #expect(
            problems.first?.hasPrefix("TUTTI_ROOMS_DEFAULT_VOLUME must be a number from 0 to 100, not")
                == true)
    }

    @Test("a variable does not hide the mistake that it replaces")
    func bothWrong() {
        let problems = HouseSettingsTests.problems(
            "[web]\nport = 0", ["HOME": "/h", "TUTTI_WEB_PORT": "8400"])
        #expect(problems.count == 1 && problems.first?.hasPrefix("line 2, column 8") == true)
    }

    @Test("clients of MPD need an address, as browsers do")
    func noAddresses() throws {
        let advice = "write \"*\" for all, or [mpd] enabled = false"
        #expect(
            HouseSettingsTests.problems("[mpd]\nenabled = true\naddresses = []")
                == ["[mpd] addresses is empty; \(advice)"])
        #expect(HouseSettingsTests.problems("[mpd]\naddresses = []") == [])
        #expect(HouseSettingsTests.problems("", ["HOME": "/h", "TUTTI_MPD_ADDRESSES": ""]) == [])
    }

    @Test("paths are below the home, below the file's folder, or absolute")
    func paths() throws {
        let text = "[library]\nmusic = ['~', '~/', '~/a b', '../m', './~', '~bob', '/x/../y', 'é/客']"
        let reading = try HouseSettingsTests.read(text)
        #expect(
            reading.settings.library.music == [
                "/home/ann", "/home/ann/", "/home/ann/a b", "/etc/tutti/../m", "/etc/tutti/./~",
                "/etc/tutti/~bob", "/x/../y", "/etc/tutti/é/客",
            ])
    }

    @Test("a listing of unusual names and folders is read as the same settings")
    func listing() throws {
        let music = [
            "/a b", "/c#d", "/e\"f", "/g\\h", "/i'j", "/é\u{301}", "/[k]", "/l = 1", "/\u{1F3B5}\u{2028}",
        ]
        let hidden = ["\"", "\\", "'", "#", "a\u{301}", "\\u0041", "]", ",", " "]
        let text = """
            [service]
            name = \(Value.string("\\\"'#=[]").text)
            [library]
            music = \(Value.array(Self.strings(music)).text)
            [rooms]
            hidden = \(Value.array(Self.strings(hidden)).text)
            default-volume = 12.5
            """
        let reading = try HouseSettingsTests.read(text)
        #expect(reading.settings.library.music == music && reading.settings.rooms.hidden == hidden)
        let lines = ConfigurationListing(reading).lines
        let again = try HouseSettingsTests.read(lines.joined(separator: "\n"))
        #expect(again.settings == reading.settings)
    }
}
