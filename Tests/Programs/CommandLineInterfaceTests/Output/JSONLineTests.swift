import Foundation
import Testing
import TuttiTestSupport

@testable import TuttiCommandLineInterface

@Suite("JSON on one line")
struct JSONLineTests {
    static let values: [(JSONValue, String)] = [
        (.null, "null"), (true, "true"), (false, "false"), (0, "0"), (.integer(.min), "-9223372036854775808"),
        (.unsigned(.max), "18446744073709551615"), ("", #""""#), ("a", #""a""#),
        ("\"\\/", #""\"\\/""#), ("\n\r\t", #""\n\r\t""#),
        ("\u{0}\u{1F}\u{7F}\u{9F}", #""\u0000\u001f\u007f\u009f""#),
        ("\u{2028}\u{2029}", #""\u2028\u2029""#),
        ("\u{202A}\u{202E}\u{2066}\u{2069}", #""\u202a\u202e\u2066\u2069""#),
        ("\u{200E}\u{200F}\u{61C}", #""\u200e\u200f\u061c""#),
        ("Küche 客厅 🎵", #""Küche 客厅 🎵""#),
        ("e\u{301}", "\"e\u{301}\""), ("\r\n", #""\r\n""#),
        ([], "[]"), ([1, "a", [.null]], #"[1,"a",[null]]"#), (.object([]), "{}"),
        (.members(["b": 1, "a": 2, "none": nil, "c": .null]), #"{"b":1,"a":2,"c":null}"#),
        (.optional(nil), "null"), (.optional("x"), #""x""#),
    ]

    @Test("values", arguments: values)
    func writes(value: JSONValue, expected: String) {
        #expect(JSONLine(value).text == expected)
    }

    static let numbers: [(Double, Int, String)] = [
        (0, 3, "0"), (-0.0, 3, "0"), (1, 3, "1"), (1.5, 3, "1.5"), (1.0005, 3, "1.001"),
        (0.1 + 0.2, 6, "0.3"),
        (-0.0004, 3, "0"), (-0.0006, 3, "-0.001"), (-12.25, 2, "-12.25"), (1234567.891, 1, "1234567.9"),
        (0.05, 2, "0.05"), (2.999, 0, "3"), (7.5, -4, "8"), (0.000000001, 9, "0.000000001"),
        (1.0000000001, 99, "1"), (.nan, 3, "null"), (.infinity, 3, "null"), (-.infinity, 3, "null"),
        (1e300, 3, "1e+300"), (9e15, 3, "9000000000000000"),
        (9007199254740992, 0, "9007199254740992"), (-1e15, 3, "-1000000000000000"), (1e17, 0, "1e+17"),
        (12345678.123456789, 9, "12345678.12345679"), (8999999.125, 9, "8999999.125"),
    ]

    @Test("numbers are rounded and carry no idle zeros", arguments: numbers)
    func rounds(value: Double, decimals: Int, expected: String) {
        #expect(JSONLine(.number(value, decimals: decimals)).text == expected)
    }

    @Test("another reader reads what was written")
    func readBack() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            let scalars = (0..<20).compactMap { _ in
                Unicode.Scalar(
                    UInt32.random(in: 0..<(Bool.random(using: &random) ? 0x100 : 0x11000), using: &random))
            }
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars)
            let line = JSONLine(["key": .string(text), "list": [.string(text), 1]]).text
            #expect(!line.contains("\n"))
            let read = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect((read?["key"] as? String).map { Array($0.unicodeScalars) } == scalars)
        }
    }
}
