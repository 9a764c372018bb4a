import Testing
import TuttiMediaTime

@testable import TuttiServiceHost

@Suite("The log at its limits")
struct LogEdgesTests {
    private static func time(_ seconds: Double) -> HostTime { HostTime(nanoseconds: Int64(seconds * 1e9)) }

    @Test("each kind has its own window, and the first that ends is told first")
    func windows() {
        var limit = LogRateLimit(burst: 1, length: .seconds(10))
        for (kind, second) in [("a", 0.0), ("b", 4), ("a", 5), ("b", 6), ("c", 7), ("a", 9)] {
            _ = limit.take(kind, .notice, at: Self.time(second))
        }
        #expect(limit.deadline == Self.time(10))
        let first = limit.takeEnded(at: Self.time(10))
        #expect(first == [.init(kind: "a", level: .notice, count: 2)])
        #expect(limit.deadline == Self.time(14))
        // A window of "a" that begins late does not end with the one of "b".
        #expect(limit.take("a", .notice, at: Self.time(13)) == .write)
        #expect(limit.take("a", .notice, at: Self.time(13.5)) == .drop)
        let second = limit.takeEnded(at: Self.time(22.9))
        #expect(second == [.init(kind: "b", level: .notice, count: 1)])
        #expect(limit.deadline == Self.time(23))
    }

    @Test("surplus has the level of the window's first message, and is told once")
    func level() {
        var limit = LogRateLimit(burst: 1, length: .seconds(10))
        _ = limit.take("a", .warning, at: Self.time(0))
        _ = limit.take("a", .debug, at: Self.time(1))
        let ended = limit.takeEnded(at: Self.time(100))
        #expect(ended == [.init(kind: "a", level: .warning, count: 1)])
        #expect(limit.takeEnded(at: Self.time(100)) == [])
    }

    @Test("kinds beyond the limit have windows again when others have ended")
    func manyKinds() {
        var limit = LogRateLimit(burst: 1, length: .seconds(10))
        for number in 0..<1000 { _ = limit.take("\(number)", .info, at: Self.time(0)) }
        #expect(limit.takeEnded(at: Self.time(10)) == [])
        #expect(limit.take("999", .info, at: Self.time(10)) == .write)
        #expect(limit.take("999", .info, at: Self.time(11)) == .drop)
    }

    @Test("a line that does not fit leaves room for shorter ones, and bytes count")
    func queue() {
        var queue = LogQueue(byteLimit: 10)
        for line in ["0123456789\n", "éééé\n", "\n", "x\n"] { queue.append(line) }
        let batch = queue.takeAll()
        #expect(batch.text == "éééé\n\n" && batch.dropped == 2)
        let none = queue.takeAll()
        #expect(none.text.isEmpty && none.dropped == 0)
    }

    @Test(
        "a time is written in UTC with milliseconds",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_709_210_096_999, "2024-02-29T12:34:56.999Z"),
            (951_782_399_001, "2000-02-28T23:59:59.001Z"), (4_102_444_800_000, "2100-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func time(milliseconds: Int64, text: String) {
        #expect(WallTime(milliseconds: milliseconds).description == text)
    }

    @Test("a message cannot begin another line, or another level, of the journal")
    func lines() {
        for message in ["a\n<3>b", "a\r\n<3>b", "a\u{85}<3>b", "a\u{2028}<3>b", "a\u{0}<3>b"] {
            let line = LogFormat.journal.line(.info, message, at: WallTime(milliseconds: 0))
            #expect(line.hasPrefix("<6>a?") && line.hasSuffix("<3>b\n"))
            #expect(line.unicodeScalars.count { $0.properties.generalCategory == .control } == 1)
        }
    }

    @Test("a status cannot hold another notice")
    func status() {
        for text in ["a\nREADY=1", "a\r\nREADY=1", "a\u{85}READY=1", "a\u{0}READY=1"] {
            let notice = ServiceNotice.status(text).text
            #expect(notice.hasPrefix("STATUS=a ") && notice.hasSuffix("READY=1"))
            #expect(!notice.unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
        #expect(ServiceNotice.status("").text == "STATUS=")
    }
}
