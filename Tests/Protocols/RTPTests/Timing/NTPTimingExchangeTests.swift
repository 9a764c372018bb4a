import Testing
import TuttiMediaTime
import TuttiRTP
import TuttiTestSupport
import TuttiWire

@Suite("The timing exchange of senders without PTP")
struct NTPTimingExchangeTests {
    static let question: [UInt8] =
        [0x80, 0xD2, 0, 7, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 16) + [1, 2, 3, 4, 5, 6, 7, 8]
    static let answer: [UInt8] =
        [0x80, 0xD3, 0, 7, 0, 0, 0, 0] + [1, 2, 3, 4, 5, 6, 7, 8] + [0, 0, 0, 9, 0x80, 0, 0, 0]
        + [0, 0, 0, 9, 0xC0, 0, 0, 0]

    @Test("packets round-trip")
    func packets() throws {
        let question = try NTPTimingPacket(exactly: Self.question)
        #expect(question == NTPTimingPacket(question: NTPTimestamp(rawValue: 0x0102_0304_0506_0708)))
        #expect(question.encoded == Self.question)
        let answer = try NTPTimingPacket(exactly: Self.answer)
        #expect(answer.encoded == Self.answer)
        #expect(
            NTPTimingExchange.answer(
                to: Self.question[...], received: NetworkTime(nanoseconds: 9_500_000_000),
                transmitted: NetworkTime(nanoseconds: 9_750_000_000)) == Self.answer)
        #expect(
            NTPTimingExchange.answer(
                to: Self.answer[...], received: NetworkTime(nanoseconds: 0),
                transmitted: NetworkTime(nanoseconds: 0)) == nil)
    }

    @Test("every truncation is refused", arguments: 0..<32)
    func truncated(count: Int) {
        #expect(throws: WireError.self) { try NTPTimingPacket(exactly: Array(Self.answer[..<count])) }
        var exchange = NTPTimingExchange(at: HostTime(nanoseconds: 0))
        _ = exchange.question(token: 0x0102_0304_0506_0708, at: HostTime(nanoseconds: 0))
        let measured = exchange.receive(Self.answer[..<count], at: HostTime(nanoseconds: 1))
        #expect(measured == nil)
    }

    @Test("other types and versions are refused", arguments: [(0, 0x40), (1, 0xD4), (1, 0xD6), (1, 0x53)])
    func refused(index: Int, value: UInt8) {
        var bytes = Self.answer
        bytes[index] = value
        #expect(throws: WireError.self) { try NTPTimingPacket(exactly: bytes) }
    }

    @Test(
        "three requests are sent, then others at intervals that double up to 3 s",
        arguments: [
            (300, [0, 300, 600, 1200, 2400, 4800, 7800, 10800]),
            (60, [0, 60, 120, 240, 480, 960, 1920, 3840, 6840, 9840]),
        ])
    func pace(interval: Int, expected: [Int64]) {
        let start = HostTime(nanoseconds: 1_000_000_000)
        var exchange =
            interval == 300
            ? NTPTimingExchange(at: start)
            : NTPTimingExchange(at: start, fastInterval: .milliseconds(interval))
        var times: [Int64] = []
        for _ in expected {
            let now = exchange.nextQuestion
            let early = exchange.question(token: 1, at: HostTime(nanoseconds: now.nanoseconds - 1))
            #expect(early == nil)
            let question = exchange.question(token: UInt64(times.count), at: now)
            #expect(question?.count == 32)
            times.append(now.since(start).wholeNanoseconds / 1_000_000)
        }
        #expect(times == expected)
    }

    @Test("an answer counts once, and only in time")
    func answers() throws {
        var now = HostTime(nanoseconds: 0)
        var exchange = NTPTimingExchange(at: now)
        _ = exchange.question(token: 0x0102_0304_0506_0708, at: now)
        var other = Self.answer
        other[8] = 0
        let wrong = exchange.receive(other[...], at: now)
        #expect(wrong == nil)
        now = now.advanced(by: .milliseconds(7))
        // Further bytes are padding.
        let taken = exchange.receive((Self.answer + [0])[...], at: now)
        let measured = try #require(taken)
        #expect(measured.asked.nanoseconds == 0 && measured.answered == now)
        #expect(measured.received.nanoseconds == 9_500_000_000)
        #expect(measured.transmitted.nanoseconds == 9_750_000_000)
        let again = exchange.receive(Self.answer[...], at: now)
        #expect(again == nil && exchange.answerCount == 1)
        now = exchange.nextQuestion
        _ = exchange.question(token: 0x0102_0304_0506_0708, at: now)
        let late = exchange.receive(Self.answer[...], at: now.advanced(by: .milliseconds(201)))
        #expect(late == nil && exchange.answerCount == 1)
    }

    @Test("a sender's clock continues past the end of the era")
    func turn() throws {
        var now = HostTime(nanoseconds: 0)
        var exchange = NTPTimingExchange(at: now)
        var last: Int64?
        for second in [4_294_967_294, 4_294_967_295, 4_294_967_296, 4_294_967_299] as [Int64] {
            now = exchange.nextQuestion
            let asked = exchange.question(token: UInt64(second), at: now)
            let question = try #require(asked)
            let time = NetworkTime(nanoseconds: second * 1_000_000_000)
            let answer = try #require(
                NTPTimingExchange.answer(to: question[...], received: time, transmitted: time))
            let taken = exchange.receive(answer[...], at: now)
            let measured = try #require(taken)
            #expect(measured.received == time && measured.transmitted == time)
            if let last { #expect(measured.received.nanoseconds > last) }
            last = measured.received.nanoseconds
        }
    }
}
