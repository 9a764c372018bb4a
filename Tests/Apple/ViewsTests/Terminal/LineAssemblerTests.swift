import Testing

@testable import TuttiViews

@Suite("Lines of a terminal")
struct LineAssemblerTests {
    typealias Result = LineAssembler.Result

    static let table: [(String, String, [Result])] = [
        ("lines", "ab\ncd\r", [.line("ab"), .line("cd")]),
        ("an empty one", "\n", [.line("")]),
        ("no end, no line", "abc", []),
        ("backspace", "abc\u{7F}\u{8}d\n", [.line("ad")]),
        ("more backspaces than letters", "a\u{7F}\u{7F}\u{7F}b\n", [.line("b")]),
        ("backspace takes a whole letter", "aé€😀\u{7F}\u{7F}x\n", [.line("aéx")]),
        ("the line away", "abc\u{15}d\n", [.line("d")]),
        ("Ctrl-C", "abc\u{3}", [.givenUp]),
        ("Ctrl-D", "\u{4}", [.givenUp]),
        ("Ctrl-D in a line", "a\u{4}b\n", [.line("ab")]),
        ("other controls", "a\u{0}\u{1}\u{1A}b\n", [.line("ab")]),
        ("keys that are no text", "a\u{1B}[Ab\u{1B}[3~c\u{1B}OPd\n", [.line("abcd")]),
        ("a lone escape before the end", "a\u{1B}\n", [.line("a")]),
    ]

    @Test("typed lines are assembled", arguments: table)
    func typed(name: String, input: String, expected: [Result]) {
        var assembler = LineAssembler()
        #expect(input.utf8.compactMap { assembler.receive($0) } == expected)
    }

    @Test("a line has a limit, and its end is kept")
    func limit() {
        var assembler = LineAssembler()
        for _ in 0..<100_000 { #expect(assembler.receive(UInt8(ascii: "x")) == nil) }
        #expect(assembler.receive(0x0A) == .line(String(repeating: "x", count: LineAssembler.limit)))
        #expect(assembler.receive(0x0A) == .line(""))
    }
}
