import Testing

@testable import AccessNotes

@Suite("Swift source as tokens")
struct SwiftLexerTests {
    private static func texts(_ source: String) -> [String] {
        SwiftLexer.tokens(of: source).map { token in
            switch token.kind {
            case .literal: "…"
            case .pound: "#" + token.text
            case .escaped: "`" + token.text
            case .word, .symbol: token.text
            }
        }
    }

    static let sources: [(source: String, tokens: String)] = [
        ("var a = 1 // @objc\nb", "var a = 1 b"),
        ("a /* b /* c */ @objc */ d", "a d"),
        ("a /* never closed", "a"),
        (#"x = "@objc } \" {" y"#, "x = … y"),
        ("x = \"not closed\n@a", "x = … @ a"),
        ("x = \"\"\"\n  @objc \"quoted\" \\\"\"\" {\n  \"\"\" y", "x = … y"),
        (##"x = #"\(a) " \#(b) "# y"##, "x = … ( b ) y"),
        (##"x = #"""# y"##, "x = … y"),
        ("x = #\"\"\"\n \"\"\" { \n\"\"\"# y", "x = … y"),
        (#"x = "a \(b("c \(d)", e: [1])) f" y"#, #"x = … ( b ( … ( d ) , e : [ 1 ] ) ) y"#),
        (#"x = "" + "" y"#, "x = … + … y"),
        ("x = /[\"{]/ y", "x = … y"),
        ("a / b / c", "a / b / c"),
        ("a/b/c", "a / b / c"),
        ("return /a\\/\"/", "return …"),
        ("f(/, /)", "f ( / , / )"),
        ("x = #/ \" { \n /# y", "x = … y"),
        ("1.5 1...5 1.x 0xFF_p", "1.5 1 ... 5 1 . x 0xFF_p"),
        ("`class` `a b` class", "`class `a b class"),
        ("a.b?.c! <<= ->x", "a . b ? . c ! <<= -> x"),
        ("#if os(macOS)\n#selector(a)", "#if os ( macOS ) #selector ( a )"),
        ("äöü = 名前 ≤ 😀", "äöü = 名前 ≤ 😀"),
        ("#!/usr/bin/swift @objc\na", "a"),
        ("@objc(a:b:) $0 # \\ x", "@ objc ( a : b : ) $0 # \\ x"),
    ]

    @Test("are without comments and what strings say", arguments: sources)
    func tokens(source: String, tokens: String) {
        #expect(Self.texts(source).joined(separator: " ") == tokens)
    }

    @Test("know their line, whatever ends the lines", arguments: ["\n", "\r\n", "\r"])
    func lines(end: String) {
        let source = ["a /*", "*/ b \"\"\"", "x", "\"\"\" c", "  d"].joined(separator: end)
        let tokens = SwiftLexer.tokens(of: source).filter { $0.kind == .word }
        #expect(tokens.map(\.text) == ["a", "b", "c", "d"])
        #expect(tokens.map(\.line) == [1, 2, 4, 5])
        #expect(tokens.map(\.startsLine) == [true, true, false, true])
    }

    @Test("end with the source, wherever it is cut")
    func anyCut() {
        let source = Self.sources.map(\.source).joined(separator: "\n")
        for count in 0...source.count {
            _ = ObjCScanner.findings(in: String(source.prefix(count)))
            _ = ObjCScanner.findings(in: String(source.suffix(count)))
        }
        #expect(Self.texts(source).isEmpty == false)
    }
}
