import Testing

@testable import TuttiCommandLineInterface

@Suite("Coloured text in columns")
struct ColouredTextTests {
    private static let red = "\u{1B}[31m"
    private static let end = "\u{1B}[0m"

    static let cuts: [(text: String, limit: Int, expected: String)] = [
        ("\(red)abcdef\(end)", 6, "\(red)abcdef\(end)"), ("\(red)abcdef\(end)", 5, "\(red)abcd…\(end)"),
        ("\(red)abc\(end)def", 5, "\(red)abc\(end)d…"), ("ab\(red)cdef\(end)", 2, "a…\(red)\(end)"),
        ("\(red)abcdef\(end)", 1, "\(red)…\(end)"), ("\(red)abcdef\(end)", 0, ""),
        ("\(red)客厅客厅\(end)", 6, "\(red)客厅…\(end)"), ("\(red)\(end)", 0, "\(red)\(end)"),
        ("\(red)mmmm\(end)", 3, "\(red)mm…\(end)"),
    ]

    @Test("a cut counts what is seen, and ends each colour", arguments: cuts)
    func cut(text: String, limit: Int, expected: String) {
        let result = DisplayWidth.cut(text, to: limit)
        #expect(result == expected)
        #expect(DisplayWidth.of(result) <= max(0, limit))
    }

    @Test("a live line that is too long for the terminal leaves no colour behind it")
    func live() {
        var screen = LiveScreen()
        let line = TextStyle.success.applied(to: String(repeating: "━", count: 40))
        let frame = screen.frame([line], size: Terminal.Size(columns: 11, rows: 5))
        #expect(frame.count { $0 == "━" } == 9)
        #expect(frame.contains("…\(Self.end)\(EscapeSequence.clearToEndOfLine)\n"))
    }

    static let widths: [(String, Int)] = [
        ("1\u{FE0F}\u{20E3}", 2), ("\u{1F1E9}", 1), ("👍🏽", 2), ("\r\n", 0), ("한", 2), ("각", 2),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("〿", 1), ("\u{1F6E0}", 1), ("🚀", 2), ("é", 1), ("ﷺ", 1),
        ("\u{1B}[1;31mab\u{1B}[0m", 2), ("𠀀", 2),
    ]

    @Test("a character has the columns that terminals give it", arguments: widths)
    func width(text: String, expected: Int) {
        #expect(DisplayWidth.of(text) == expected)
        #expect(DisplayWidth.of(DisplayWidth.pad(text, to: 5)) == 5)
    }

    @Test("a table without rows is its header, and each row has as many cells")
    func tables() {
        var table = TextTable(header: ["NAME", "ID"])
        #expect(table.lines() == ["NAME  ID"])
        table.append([])
        table.append(["", "7"])
        #expect(table.lines() == ["NAME  ID", "", "      7"])
        #expect(table.lines(limit: 0) == ["", "", ""])
    }
}
