import Testing
import TuttiMediaTime

@testable import TuttiServiceHost

@Suite("The limits of the log")
struct LogRateLimitTests {
    static func time(_ seconds: Double) -> HostTime { HostTime(nanoseconds: Int64(seconds * 1e9)) }

    @Test("a kind has its burst in a window, then the number of further messages is told")
    func burst() {
        var limit = LogRateLimit(burst: 3, length: .seconds(10))
        let decisions = (0..<8).map { limit.take("lost", .warning, at: Self.time(Double($0))) }
        #expect(decisions == [.write, .write, .write] + Array(repeating: .drop, count: 5))
        #expect(limit.take("other", .info, at: Self.time(8)) == .write)
        #expect(limit.deadline == Self.time(10))
        #expect(limit.takeEnded(at: Self.time(9.9)) == [])
        #expect(
            limit.takeEnded(at: Self.time(10)) == [.init(kind: "lost", level: .warning, count: 5)])
        #expect(limit.deadline == nil)
        #expect(limit.take("lost", .warning, at: Self.time(10)) == .write)
    }

    @Test("a kind within its burst is not told of")
    func quiet() {
        var limit = LogRateLimit(burst: 3, length: .seconds(10))
        for second in 0..<3 { _ = limit.take("a", .info, at: Self.time(Double(second))) }
        #expect(limit.deadline == nil)
        #expect(limit.takeEnded(at: Self.time(60)) == [])
    }

    @Test("any number of kinds takes bounded memory")
    func kinds() {
        var limit = LogRateLimit(burst: 1, length: .seconds(10))
        for number in 0..<10_000 { #expect(limit.take("\(number)", .info, at: Self.time(0)) == .write) }
        #expect(limit.take("0", .info, at: Self.time(1)) == .drop)
        #expect(limit.take("9999", .info, at: Self.time(1)) == .write)
    }

    @Test("lines beyond the queue's limit are counted")
    func queue() {
        var queue = LogQueue(byteLimit: 10)
        for line in ["1234\n", "5678\n", "9\n", "0\n"] { queue.append(line) }
        let first = queue.takeAll()
        #expect(first.text == "1234\n5678\n")
        #expect(first.dropped == 2)
        queue.append("9\n")
        let second = queue.takeAll()
        #expect(second.text == "9\n")
        #expect(second.dropped == 0)
    }
}
