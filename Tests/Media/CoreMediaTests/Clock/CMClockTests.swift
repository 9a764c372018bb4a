import Dispatch
import Foundation
import Testing

@testable import CoreMedia

@Suite("Clocks, and conversion between them")
struct CMClockTests {
    @Test("the host clock is that of DispatchTime, in nanoseconds")
    func hostClock() {
        let before = DispatchTime.now().uptimeNanoseconds
        let time = CMClockGetTime(CMClockGetHostTimeClock())
        let after = DispatchTime.now().uptimeNanoseconds
        #expect(time.timescale == 1_000_000_000)
        #expect(UInt64(time.value) >= before && UInt64(time.value) <= after)
        #expect(CMClock.hostTimeClock === CMClockGetHostTimeClock())
        #expect(mach_absolute_time() >= after)
        #expect(CACurrentMediaTime() >= Double(after) / 1e9)
    }

    @Test("host times convert to system units and back")
    func units() {
        let time = CMClock.convertSystemUnitsToHostTime(5_000_000_000)
        #expect(time == CMTime(value: 5, timescale: 1))
        #expect(CMClock.convertHostTimeToSystemUnits(CMTime(value: 1, timescale: 2)) == 500_000_000)
        #expect(CMClockConvertHostTimeToSystemUnits(.invalid) == 0)
        #expect(CMClockConvertHostTimeToSystemUnits(CMTime(value: -1, timescale: 1)) == 0)
        #expect(CMClockMakeHostTimeFromSystemUnits(.max).value == .max)
    }

    @Test("times convert along the sources, up and down")
    func conversion() throws {
        let manual = ManualClock()
        let clock = manual.clock
        let left = CMTimebase(sourceClock: clock)
        let right = CMTimebase(sourceTimebase: left)
        try left.setRateAndAnchorTime(
            rate: 2, anchorTime: .zero, referenceTime: CMTime(value: 10, timescale: 1))
        try right.setRateAndAnchorTime(
            rate: 0.5, anchorTime: CMTime(value: 100, timescale: 1), referenceTime: .zero)
        // clock 12 → left 4 → right 102
        let (twelve, four) = (CMTime(value: 12, timescale: 1), CMTime(value: 4, timescale: 1))
        let hundredTwo = CMTime(value: 102, timescale: 1)
        #expect(clock.convertTime(twelve, to: left) == four)
        #expect(left.convertTime(four, to: right) == hundredTwo)
        #expect(clock.convertTime(twelve, to: right) == hundredTwo)
        #expect(right.convertTime(hundredTwo, to: clock) == twelve)
        #expect(CMSyncConvertTime(hundredTwo, from: right, to: left) == four)
        #expect(left.convertTime(four, to: left) == four)
        #expect(right.rate(relativeTo: clock) == 1 && left.rate(relativeTo: clock) == 2)
        #expect(clock.rate(relativeTo: left) == 0.5 && CMSyncGetRelativeRate(right, relativeTo: left) == 0.5)
        #expect(!right.mightDrift(relativeTo: clock))
    }

    @Test("a stopped timebase has no inverse")
    func standing() throws {
        let clock = ManualClock().clock
        let timebase = CMTimebase(sourceClock: clock)
        #expect(timebase.convertTime(.zero, to: clock) == .invalid)
        #expect(clock.convertTime(CMTime(value: 9, timescale: 1), to: timebase) == .zero)
        #expect(timebase.rate(relativeTo: clock) == 0 && clock.rate(relativeTo: timebase).isNaN)
    }

    @Test("two clocks are compared by their readings")
    func twoClocks() {
        let (first, second) = (ManualClock(), ManualClock())
        (first.nanoseconds, second.nanoseconds) = (1_000, 6_000)
        let (left, right) = (first.clock, second.clock)
        let converted = left.convertTime(CMTime(value: 500, timescale: 1_000_000_000), to: right)
        #expect(converted.value == 5_500)
        #expect(left.mightDrift(relativeTo: right) && !left.mightDrift(relativeTo: left))
        #expect(CMSyncMightDrift(left, otherClockOrTimebase: CMTimebase(sourceClock: right)))
    }
}
