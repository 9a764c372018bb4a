import Glibc
import Testing

@testable import TuttiServiceHost

@Suite("The form of the log's lines")
struct LogFormatTests {
    static let time = WallTime(milliseconds: 1_764_110_000_042)

    static let lines: [(LogFormat, LogLevel, String, String)] = [
        (.journal, .error, "no", "<3>no\n"),
        (.journal, .debug, "no", "<7>no\n"),
        (.dated, .warning, "no", "2025-11-25T22:33:20.042Z warning no\n"),
        (.dated, .notice, "a\nb\u{1B}[2Jc\td\u{2028}", "2025-11-25T22:33:20.042Z notice a?b?[2Jc?d?\n"),
        (.journal, .info, "", "<6>\n"),
    ]

    @Test("a message is one line with its level, and control characters are printable", arguments: lines)
    func line(format: LogFormat, level: LogLevel, message: String, line: String) {
        #expect(format.line(level, message, at: Self.time) == line)
    }

    @Test("a long message is cut, also one of a single character")
    func cut() {
        let exact = String(repeating: "é", count: 2000)
        #expect(LogFormat.journal.line(.info, exact, at: Self.time) == "<6>\(exact)\n")
        let cut = LogFormat.journal.line(.info, exact + "é", at: Self.time)
        #expect(cut == "<6>" + exact.dropLast() + "…\n")
        let tower = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(LogFormat.dated.line(.info, tower, at: Self.time).unicodeScalars.count < 2100)
    }

    @Test("the journal is known by its stream")
    func journal() {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        var status = stat()
        fstat(ends[1], &status)
        let stream = "\(status.st_dev):\(status.st_ino)"
        #expect(LogFormat.of(ends[1], journalStream: stream) == .journal)
        #expect(LogFormat.of(ends[1], journalStream: stream + "1") == .dated)
        #expect(LogFormat.of(ends[1], journalStream: nil) == .dated)
        #expect(LogFormat.of(-1, journalStream: stream) == .dated)
    }

    @Test("levels have their words and order")
    func levels() {
        #expect(LogLevel.allCases.map(\.word) == ["error", "warning", "notice", "info", "debug"])
        #expect(LogLevel.error > .warning)
        #expect(LogLevel.allCases.allSatisfy { LogLevel(word: $0.word) == $0 })
        #expect(LogLevel(word: "loud") == nil)
    }
}
