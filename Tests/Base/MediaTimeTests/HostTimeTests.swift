import Testing
import TuttiMediaTime

@Suite("Host time")
struct HostTimeTests {
    @Test(
        "the next multiple of an interval is later, by the interval at most",
        arguments: [
            (0, 125), (1, 125), (124, 125), (125, 250), (126, 250), (-1, 0), (-125, 0), (-126, -125),
        ])
    func nextMultiple(now: Int64, expected: Int64) {
        let next = HostTime(nanoseconds: now).next(multipleOf: .nanoseconds(125))
        #expect(next == HostTime(nanoseconds: expected))
    }

    @Test("an interval without length counts as one nanosecond", arguments: [Duration.zero, .seconds(-1)])
    func noInterval(interval: Duration) {
        #expect(HostTime(nanoseconds: 7).next(multipleOf: interval) == HostTime(nanoseconds: 8))
    }

    @Test("differences and sums saturate")
    func extremes() {
        let (first, last) = (HostTime(nanoseconds: .min), HostTime.distantFuture)
        #expect(last.advanced(by: .nanoseconds(1)) == last)
        #expect(first.since(last) == .nanoseconds(Int64.min))
        #expect(last.next(multipleOf: .seconds(1)) == last)
        #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
        #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
    }
}
