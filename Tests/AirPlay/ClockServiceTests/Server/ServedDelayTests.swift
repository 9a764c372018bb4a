import Testing
import TuttiMediaTime
import TuttiTestSupport

@testable import TuttiClockService

@Suite("The path delay added to served times")
struct ServedDelayTests {
    static let start = HostTime(nanoseconds: 1_000)

    @Test("a change is slewed at 100 ppm", arguments: [Duration.milliseconds(3), .milliseconds(1)])
    func slew(goal: Duration) {
        var delay = ServedDelay(.milliseconds(2), at: Self.start)
        delay.slew(to: goal, at: Self.start)
        let sign: Int64 = goal > .milliseconds(2) ? 1 : -1
        let afterOne = delay.value(at: Self.start.advanced(by: .seconds(1)))
        #expect(afterOne == 2_000_000 + sign * 100_000)
        let afterNine = delay.value(at: Self.start.advanced(by: .seconds(9)))
        #expect(afterNine == 2_000_000 + sign * 900_000)
        let atTheEnd = delay.value(at: Self.start.advanced(by: .seconds(11)))
        #expect(atTheEnd == goal.wholeNanoseconds)
    }

    @Test("the number of calls makes no difference")
    func manySmallSteps() {
        var delay = ServedDelay(.zero, at: Self.start)
        delay.slew(to: .milliseconds(5), at: Self.start)
        for step in 0...100_000 { _ = delay.value(at: HostTime(nanoseconds: 1_000 + Int64(step) * 33_330)) }
        let value = delay.value(at: HostTime(nanoseconds: 1_000 + 3_333_000_000))
        #expect(abs(value - 333_300) <= 1)
    }

    @Test("the served clock never runs backwards, whatever the requested delay")
    func monotonic() {
        var generator = SeededGenerator(seed: 3)
        var delay = ServedDelay(.milliseconds(20), at: Self.start)
        var now = Self.start
        var last = Int64.min
        for _ in 0..<20_000 {
            now = now.advanced(by: .nanoseconds(Int64.random(in: 0...2_000_000, using: &generator)))
            if Int.random(in: 0..<10, using: &generator) == 0 {
                delay.slew(to: .microseconds(Int64.random(in: -5_000...80_000, using: &generator)), at: now)
            }
            let served = now.nanoseconds + delay.value(at: now)
            #expect(served >= last)
            last = served
        }
    }

    @Test("out-of-range delays are clamped")
    func range() {
        var delay = ServedDelay(.seconds(-1), at: Self.start)
        let negative = delay.value(at: Self.start)
        #expect(negative == 0)
        delay.set(.seconds(500), at: Self.start)
        let huge = delay.value(at: Self.start)
        #expect(huge == 1_000_000_000)
    }

    @Test("answers are limited to a burst, then 64 a second")
    func budget() {
        var budget = AnswerBudget(at: Self.start)
        var granted = 0
        for _ in 0..<1000 where budget.take(at: Self.start) { granted += 1 }
        #expect(granted == AnswerBudget.burst)
        for millisecond in 1...10_000 {
            for _ in 0..<5 where budget.take(at: Self.start.advanced(by: .milliseconds(millisecond))) {
                granted += 1
            }
        }
        #expect(abs(granted - AnswerBudget.burst - 640) <= 1)
    }
}
