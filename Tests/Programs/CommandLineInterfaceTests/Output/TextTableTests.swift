import Testing

@testable import TuttiCommandLineInterface

@Suite("Text in columns")
struct TextTableTests {
    static let widths: [(String, Int)] = [
        ("", 0), ("abc", 3), ("Küche", 5), ("Ku\u{308}che", 5), ("客厅", 4), ("キッチン", 8), ("ｷｯﾁﾝ", 4),
        ("거실", 4),
        ("🎵", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("\u{200B}", 0), ("a\u{301}\u{302}", 1), ("ｆ", 2),
        ("…", 1),
        ("Ванная", 6), ("سلام", 4),
    ]

    @Test("fills this many columns", arguments: widths)
    func width(text: String, expected: Int) {
        #expect(DisplayWidth.of(text) == expected)
    }

    static let cuts: [(String, Int, String)] = [
        ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""),
        ("abcdef", -1, ""),
        ("客厅客厅", 8, "客厅客厅"), ("客厅客厅", 7, "客厅客…"), ("客厅客厅", 6, "客厅…"), ("", 0, ""),
    ]

    @Test("is cut to a width and never wider", arguments: cuts)
    func cut(text: String, limit: Int, expected: String) {
        let result = DisplayWidth.cut(text, to: limit)
        #expect(result == expected)
        #expect(DisplayWidth.of(result) <= max(0, limit))
    }

    @Test("columns are as wide as their widest cell, wide letters counted")
    func alignment() {
        var table = TextTable(header: ["NAME", "MODEL", "PORT"])
        table.append(["客厅", "AudioAccessory5,1", "7000"])
        table.append(["Kitchen", "", "5000"])
        table.append(["Bath"])
        table.append(["a", "b", "c", "left out"])
        #expect(
            table.lines() == [
                "NAME     MODEL              PORT",
                "客厅     AudioAccessory5,1  7000",
                "Kitchen                     5000",
                "Bath",
                "a        b                  c",
            ])
        #expect(table.lines(limit: 10).map { DisplayWidth.of($0) }.max() == 10)
    }

    static let hostile: [(String, String)] = [
        ("\u{1B}[2Jgone", "?[2Jgone"), ("a\nb\rc\td", "a?b?c?d"), ("\u{9B}31m", "?31m"),
        ("\u{202E}live", "?live"), ("\u{200F}a\u{61C}b\u{200E}", "?a?b?"),
        ("\u{2028}", "?"), ("plain 客厅 🎵", "plain 客厅 🎵"), ("\r\n", "??"),
    ]

    @Test("a name from the network cannot steer the terminal", arguments: hostile)
    func printable(text: String, expected: String) {
        #expect(Printable.text(text) == expected)
        var table = TextTable(header: ["NAME"])
        table.append([text])
        #expect(table.lines().last == expected)
    }
}
