import Testing

@testable import TuttiServiceHost

@Suite("The language of the configuration file")
struct ConfigurationDocumentTests {
    static let values: [(String, ConfigurationValue)] = [
        (#""text""#, .string("text")),
        (#""""#, .string("")),
        (#""a \"b\" \\ \t\n\r\b\f""#, .string("a \"b\" \\ \t\n\r\u{8}\u{C}")),
        (#""\u00E9\U0001F3B5""#, .string("é🎵")),
        (#"'C:\music'"#, .string(#"C:\music"#)),
        ("''", .string("")),
        (##""# no comment""##, .string("# no comment")),
        ("0", .integer(0)),
        ("-17", .integer(-17)),
        ("+8_321", .integer(8321)),
        ("9223372036854775807", .integer(.max)),
        ("1.5", .float(1.5)),
        ("-0.25", .float(-0.25)),
        ("1e3", .float(1000)),
        ("6.25E-2", .float(0.0625)),
        ("true", .boolean(true)),
        ("false", .boolean(false)),
        ("[]", .array([])),
        ("[1, 2]", .array([.integer(1), .integer(2)])),
        ("[ \"a\",\n  # between\n  'b',\n]", .array([.string("a"), .string("b")])),
        ("[[1], []]", .array([.array([.integer(1)]), .array([])])),
        ("1 # comment", .integer(1)),
        ("[true]# comment", .array([.boolean(true)])),
    ]

    @Test("a value has its type", arguments: values)
    func value(text: String, value: ConfigurationValue) {
        let document = ConfigurationDocument(Array("key = \(text)\nlast = 1".utf8))
        #expect(document.problems == [])
        #expect(document.entries.map(\.value) == [value, .integer(1)])
    }

    static let mistakes: [(String, String)] = [
        ("key = 2026-11-25", "line 1, column 7: dates are not supported; write a string"),
        ("key = 18:30:00", "line 1, column 7: dates are not supported; write a string"),
        ("key = 2026-11-25T18:30:00Z", "line 1, column 7: dates are not supported; write a string"),
        ("key = music", "line 1, column 7: 'music' is no value; write strings in quotes: \"music\""),
        ("key = yes", "line 1, column 7: write true instead of yes"),
        ("key = 0x10", "line 1, column 7: only decimal numbers are supported"),
        ("key = 007", "line 1, column 7: a number must not begin with 0"),
        ("key = 1__0", "line 1, column 7: '1__0' is no number; write text in quotes"),
        ("key = 1.", "line 1, column 7: '1.' is no number; write text in quotes"),
        ("key = 10.0.0.7:7000", "line 1, column 7: '10.0.0.7:7000' is no number; write text in quotes"),
        ("key = --1", "line 1, column 7: '--1' is no number; write text in quotes"),
        ("key = 1e999", "line 1, column 7: this number is too large"),
        ("key = 9223372036854775808", "line 1, column 7: this number is too large"),
        ("key = nan", "line 1, column 7: numbers must be finite"),
        ("key =", "line 1, column 6: a value is missing after '='"),
        ("key = # later", "line 1, column 7: a value is missing after '='"),
        ("key", "line 1, column 4: '=' is missing after 'key'"),
        ("= 1", "line 1, column 1: a key or a [table] is expected; comments begin with '#'"),
        ("key = 1 other = 2", "line 1, column 9: the line is expected to end here; write one key in a line"),
        ("key = \"open", "line 1, column 7: the string does not end in its line; add \""),
        (
            "key = \"\"\"a\"\"\"",
            "line 1, column 7: strings of several lines are not supported; write \\n inside \"…\""
        ),
        ("key = \"\\x\"", "line 1, column 8: unknown escape; write \\\\ for a backslash, or use '…'"),
        ("key = \"\\u12\"", "line 1, column 8: this escape needs 4 hexadecimal digits"),
        ("key = \"\\uD800\"", "line 1, column 8: this is no Unicode character"),
        (
            "key = \"\u{1}\"",
            "line 1, column 8: control characters are not supported in strings; write \\u and four digits"
        ),
        ("key = {a = 1}", "line 1, column 7: tables in a line are not supported; write a [table]"),
        ("key = [1 2]", "line 1, column 10: ',' or ']' is missing after this value of the list"),
        ("key = [,1]", "line 1, column 8: a value is missing before ','"),
        ("key = [1,\n\n", "line 1, column 7: ']' is missing at the end of this list"),
        ("key = [[[[[1]]]]]", "line 1, column 11: lists may be nested 4 deep at most"),
        (
            "web.port = 1",
            "line 1, column 1: keys with dots are not supported; write [web] and the key below it"
        ),
        (
            "[a.b]",
            "line 1, column 3: tables inside tables are not supported; write one name in the brackets"
        ),
        ("[[a]]", "line 1, column 1: lists of tables are not supported; write one [table]"),
        ("[a", "line 1, column 3: ']' is missing after the table's name"),
        ("[a]\n[b]\n[a]", "line 3, column 1: [a] is in line 1 already; join both"),
        ("é = 1\nkey = 1", "line 1, column 1: a key or a [table] is expected; comments begin with '#'"),
        ("key = 1\n  key = 2", "line 2, column 3: 'key' is in line 1 already; remove one of them"),
    ]

    @Test("a mistake is told with its line and column", arguments: mistakes)
    func mistake(text: String, problem: String) {
        #expect(ConfigurationDocument(Array(text.utf8)).problems.map(\.description) == [problem])
    }

    @Test("keys and tables have their names and places")
    func places() {
        let text = "\u{FEFF}# first\r\n[ web ]\r\n  port = 1\r\n'two words' = 2\n[\"x y\"]\nport=3"
        let document = ConfigurationDocument(Array(text.utf8))
        #expect(document.problems == [])
        #expect(document.tables.map(\.name) == ["web", "x y"])
        #expect(
            document.entries.map { "\($0.table)/\($0.key)" } == ["web/port", "web/two words", "x y/port"])
        #expect(document.entries.map(\.position.line) == [3, 4, 6])
        #expect(document.entries.map(\.valuePosition.column) == [10, 15, 6])
    }

    @Test("all mistakes are told, and one mistake in a list or a table's name is told once")
    func recovery() {
        let text = """
            a = nope
            b = [
              "one",
              two,
              "three",
            ]
            c = 3
            [web
            d = 4
            e = 1979-05-27
            [rooms]
            f = 5
            """
        let document = ConfigurationDocument(Array(text.utf8))
        #expect(document.problems.map(\.line) == [1, 4, 8, 10])
        #expect(document.entries.map(\.key) == ["c", "f"])
    }

    @Test("bytes that are not UTF-8 are told with their place")
    func notUTF8() {
        let bytes = Array("a = 1\nb = \"é".utf8) + [0xFF, 0x22]
        let problems = ConfigurationDocument(bytes).problems
        #expect(problems.map(\.place) == [.position(line: 2, column: 7)])
    }

    @Test("a file of nothing but mistakes, keys, tables or brackets stays within the limits")
    func limits() {
        for line in ["?\n", "a = [1,\n", "[[[[", "\"", "'''", "\\", "a = \"\\u", "=", "[a]\n", "\r"] {
            let text = String(repeating: line, count: 65_536 / line.utf8.count)
            let document = ConfigurationDocument(Array(text.utf8))
            #expect(document.problems.count <= ConfigurationError.problemLimit + 1)
            #expect(!document.problems.isEmpty)
        }
        let many = (0..<2000).map { "[t\($0)]\nk\($0) = \($0)\n" }.joined()
        let document = ConfigurationDocument(Array(many.utf8))
        #expect(document.problems.map(\.message) == ["more than 256 keys; remove some"])
        let long = "k = [" + String(repeating: "1,", count: 2000) + "]"
        #expect(
            ConfigurationDocument(Array(long.utf8)).problems.map(\.message)
                == ["lists may have 1000 values at most"])
    }

    @Test("a file that is cut anywhere, or has any byte changed, is read without a trap")
    func damaged() {
        let bytes = Array(ConfigurationExample.text.replacing("\n#", with: "\n").utf8.prefix(3000))
        for count in stride(from: 0, to: bytes.count, by: 7) {
            _ = ConfigurationDocument(Array(bytes.prefix(count)))
        }
        for index in stride(from: 0, to: bytes.count, by: 11) {
            var changed = bytes
            changed[index] = UInt8(truncatingIfNeeded: index &* 37)
            _ = ConfigurationDocument(changed)
        }
    }

    static let spellings: [ConfigurationValue] = [
        .string("a \"b\" \\ \t\n\r\u{1}\u{7F} é🎵"), .integer(-5), .float(1.5), .boolean(false),
        .array([.string("x"), .array([])]), .float(1e300),
    ]

    @Test("a printed value is read as the same value", arguments: spellings)
    func roundTrip(value: ConfigurationValue) {
        let document = ConfigurationDocument(Array("key = \(value.text)".utf8))
        #expect(document.problems == [])
        #expect(document.entries.map(\.value) == [value])
    }
}
