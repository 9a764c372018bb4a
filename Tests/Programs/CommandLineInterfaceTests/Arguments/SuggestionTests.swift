import Testing

@testable import TuttiCommandLineInterface

@Suite("The word someone probably meant")
struct SuggestionTests {
    static let distances: [(String, String, Int)] = [
        ("", "", 0), ("", "abc", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "ab", 1),
        ("abc", "acb", 1),
        ("kitten", "sitting", 3), ("ca", "abc", 3),
    ]

    @Test("distance, the same both ways", arguments: distances)
    func distance(first: String, second: String, expected: Int) {
        #expect(Suggestion.distance(first, second) == expected)
        #expect(Suggestion.distance(second, first) == expected)
    }

    static let words = ["--timeout", "--to", "--json", "speakers", "-j"]
    static let cases: [(String, String?)] = [
        ("--timout", "--timeout"), ("--jsno", "--json"), ("speaker", "speakers"), ("spe", "speakers"),
        ("--t", "--to"), ("--", nil), ("-x", nil), ("xyz", nil), ("", nil),
        (String(repeating: "x", count: 10_000), nil),
    ]

    @Test("is near, or its beginning was typed", arguments: cases)
    func nearest(typed: String, expected: String?) {
        #expect(Suggestion.nearest(to: typed, among: Self.words) == expected)
    }
}
