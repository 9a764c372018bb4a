import Testing

@testable import TuttiCommandLineInterface

@Suite("Lengths of time as people type them")
struct DurationTextTests {
    static let valid: [(String, Duration)] = [
        ("0", .zero), ("10", .seconds(10)), ("1.5", .milliseconds(1500)), ("90s", .seconds(90)),
        ("250ms", .milliseconds(250)), ("5m", .seconds(300)), ("2h", .seconds(7200)),
        (".5", .milliseconds(500)),
        ("0.0004", .zero), ("31622400", .seconds(31_622_400)),
    ]

    @Test("are understood", arguments: valid)
    func parses(text: String, expected: Duration) {
        #expect(DurationText.parse(text) == expected)
    }

    static let invalid = [
        "", "s", "-1", "1x", "1 s", "1e3", "0x10", "nan", "inf", "1.2.3", "31622401", "9e999",
        String(repeating: "9", count: 400), "١٠",
    ]

    @Test("or refused", arguments: invalid)
    func refuses(text: String) {
        #expect(DurationText.parse(text) == nil)
    }
}
