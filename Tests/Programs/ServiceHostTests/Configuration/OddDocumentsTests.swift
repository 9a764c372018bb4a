import Testing

@testable import TuttiServiceHost

@Suite("Configuration files with unusual spellings")
struct OddDocumentsTests {
    static let numbers: [(String, ConfigurationValue)] = [
        ("+0", .integer(0)), ("-0", .integer(0)), ("-9223372036854775808", .integer(.min)),
        ("1_000.5", .float(1000.5)), ("1e+5", .float(100_000)), ("1E5", .float(100_000)), ("0e0", .float(0)),
        ("0.5", .float(0.5)), ("-0.0", .float(0)), ("1e1_0", .float(1e10)), ("5.0", .float(5)),
    ]

    @Test("a number is read in each of its spellings", arguments: numbers)
    func number(text: String, value: ConfigurationValue) {
        let document = ConfigurationDocument(Array("key = \(text)".utf8))
        #expect(document.problems == [] && document.entries.map(\.value) == [value])
    }

    @Test(
        "a text that is nearly a number is a mistake",
        arguments: [
            "_1", "1_", "1_e5", "1._5", "1_.5", ".5", "5.", "00", "-007", "1e", "1e+", "1e5.0", "1.2.3",
            "+-1", "0b1",
            "1x", "\u{FF19}", "9\u{FF19}", "1\u{301}", "-9223372036854775809", "1e309", "inf", "-nan", "١",
        ])
    func noNumber(text: String) {
        let document = ConfigurationDocument(Array("key = \(text)\nlast = 1".utf8))
        #expect(document.problems.count == 1 && document.problems.first?.line == 1)
        #expect(document.entries.map(\.key) == ["last"])
    }

    static let mistakes: [(String, String)] = [
        ("key\u{A0}= 1", "line 1, column 4: '=' is missing after 'key'"),
        ("a = 1\rb = 2", "line 1, column 6: the line is expected to end here; write one key in a line"),
        ("'it''s' = 1", "line 1, column 5: '=' is missing after 'it'"),
        ("# \u{1}", "line 1, column 3: control characters are not supported; remove it"),
        ("# \u{85}", "line 1, column 3: control characters are not supported; remove it"),
        ("a = 1\n\"a\" = 2", "line 2, column 1: 'a' is in line 1 already; remove one of them"),
        ("[a]\n['a']", "line 2, column 1: [a] is in line 1 already; join both"),
        ("[]", "line 1, column 2: a key or a [table] is expected; comments begin with '#'"),
        ("a = 'b\nc'", "line 1, column 5: the string does not end in its line; add '"),
        ("a = \"\\U00110000\"", "line 1, column 6: this is no Unicode character"),
        ("a = \"\\u00é9\"", "line 1, column 6: this escape needs 4 hexadecimal digits"),
        ("a = \"\\", "line 1, column 6: unknown escape; write \\\\ for a backslash, or use '…'"),
        ("[a] b = 1", "line 1, column 5: the line is expected to end here; write one key in a line"),
        ("a == 1", "line 1, column 4: a value is expected here"),
    ]

    @Test("an unusual mistake is told with its place", arguments: mistakes)
    func mistake(text: String, problem: String) {
        #expect(ConfigurationDocument(Array(text.utf8)).problems.map(\.description) == [problem])
    }

    @Test("columns count scalars, whatever stands before them")
    func columns() {
        let document = ConfigurationDocument(Array("'e\u{301}客\u{1F3B5}' = nope".utf8))
        #expect(document.problems.map(\.place) == [.position(line: 1, column: 10)])
    }

    @Test("a key may be any text in quotes, and the same one may be in each table")
    func keys() {
        let text = "'' = 1\n\"a.b\" = 2\n'[x]' = 3\n[t]\n'' = 4\n\"\\u0061\" = 5\n[u]\na = 6"
        let document = ConfigurationDocument(Array(text.utf8))
        #expect(document.problems == [])
        #expect(document.entries.map(\.key) == ["", "a.b", "[x]", "", "a", "a"])
        #expect(document.entries.map(\.table) == ["", "", "", "t", "t", "u"])
    }

    @Test("a file of nothing, blanks and comments has no entry and no mistake")
    func nothing() {
        for text in ["", "\n", "\r\n\r\n", " \t\n", "#", "# a\r\n\t# b", "\u{FEFF}", "\u{FEFF}\n#\u{FEFF}"] {
            let document = ConfigurationDocument(Array(text.utf8))
            #expect(document.problems == [] && document.entries == [] && document.tables == [])
        }
    }

    @Test("the first byte that is no UTF-8 is told, also behind a replacement that is in the file")
    func notUTF8() {
        let bytes = Array("a = '\u{FFFD}'\nb = 'x".utf8) + [0xC3] + Array("'".utf8)
        #expect(ConfigurationDocument(bytes).problems.map(\.place) == [.position(line: 2, column: 7)])
        #expect(ConfigurationDocument([0xFF]).problems.map(\.place) == [.position(line: 1, column: 1)])
        let cut = Array("a = 1\n".utf8) + [0xE2, 0x82]
        #expect(ConfigurationDocument(cut).problems.map(\.place) == [.position(line: 2, column: 1)])
    }
}
