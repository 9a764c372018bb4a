import Foundation
import Synchronization
import Testing
import TuttiMediaTime

@testable import CoreMedia

/// A clock set by the test.
final class ManualClock: Sendable {
    private let reading = Atomic<Int64>(0)

    var nanoseconds: Int64 {
        get { reading.load(ordering: .relaxed) }
        set { reading.store(newValue, ordering: .relaxed) }
    }

    func advance(seconds: Double) { nanoseconds += Int64(seconds * 1e9) }

    var clock: CMClock { CMClock { HostTime(nanoseconds: self.nanoseconds) } }
}

@Suite("CMTimebase: a line over its source")
struct CMTimebaseTests {
    static func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 1000) }

    @Test("a new timebase is stopped at zero")
    func fresh() {
        let manual = ManualClock()
        manual.nanoseconds = 55
        let timebase = CMTimebase(sourceClock: manual.clock)
        manual.advance(seconds: 3)
        #expect(timebase.time == .zero && timebase.rate == 0 && timebase.effectiveRate == 0)
    }

    @Test("a time set on a stopped timebase is kept exactly")
    func standing() throws {
        let timebase = CMTimebase(sourceClock: .hostTimeClock)
        let time = CMTime(value: 12_345, timescale: 44_100)
        try timebase.setTime(time)
        #expect(timebase.time.value == 12_345 && timebase.time.timescale == 44_100)
    }

    @Test("time advances by the rate, and a new rate continues from the current time")
    func rates() throws {
        let manual = ManualClock()
        let timebase = CMTimebase(sourceClock: manual.clock)
        try timebase.setTime(Self.seconds(10))
        try timebase.setRate(1)
        manual.advance(seconds: 2)
        #expect(timebase.time == Self.seconds(12))
        try timebase.setRate(0.5)
        #expect(timebase.time == Self.seconds(12))
        manual.advance(seconds: 2)
        #expect(timebase.time == Self.seconds(13))
        try timebase.setRate(-2)
        manual.advance(seconds: 1)
        #expect(timebase.time == Self.seconds(11))
        try timebase.setRate(0)
        manual.advance(seconds: 100)
        #expect(timebase.timeAndRate.time == Self.seconds(11) && timebase.timeAndRate.rate == 0)
    }

    @Test("anchors work in the past and in the future")
    func anchors() throws {
        let manual = ManualClock()
        manual.advance(seconds: 100)
        let timebase = CMTimebase(sourceClock: manual.clock)
        try timebase.setRateAndAnchorTime(
            rate: 2, anchorTime: Self.seconds(5), referenceTime: Self.seconds(99))
        #expect(timebase.time == Self.seconds(7))
        try timebase.setAnchorTime(Self.seconds(5), referenceTime: Self.seconds(101))
        #expect(timebase.time == Self.seconds(3) && timebase.rate == 2)
        #expect(timebase.time(withTimescale: 600, rounding: .roundTowardZero).value == 1800)
    }

    @Test("non-numeric times and non-finite rates are refused")
    func refusals() {
        let timebase = CMTimebase(sourceClock: .hostTimeClock)
        for time in [CMTime.invalid, .indefinite, .positiveInfinity, CMTime(value: .max, timescale: 1)] {
            #expect(CMTimebaseSetTime(timebase, time: time) == kCMTimebaseError_InvalidParameter)
            let anchored = CMTimebaseSetAnchorTime(timebase, timebaseTime: .zero, immediateSourceTime: time)
            #expect(anchored == kCMTimebaseError_InvalidParameter)
        }
        for rate in [Double.nan, .infinity] {
            #expect(CMTimebaseSetRate(timebase, rate: rate) == kCMTimebaseError_InvalidParameter)
        }
        #expect(timebase.time == .zero && timebase.rate == 0)
    }

    @Test("extreme rates and times saturate without a trap")
    func extremes() throws {
        let manual = ManualClock()
        let timebase = CMTimebase(sourceClock: manual.clock)
        try timebase.setRate(1e300)
        manual.nanoseconds = 5
        #expect(timebase.time.value == .max)
        try timebase.setRateAndAnchorTime(
            rate: -1e300, anchorTime: CMTime(value: .min, timescale: 1_000_000_000), referenceTime: .zero)
        #expect(timebase.time.value == .min)
        manual.nanoseconds = .min
        try timebase.setRateAndAnchorTime(
            rate: 1, anchorTime: .zero, referenceTime: CMTime(value: .max, timescale: 1_000_000_000))
        #expect(timebase.time.value == .min)
    }

    @Test("a chain multiplies rates, and its time follows the source's")
    func chain() throws {
        let manual = ManualClock()
        let outer = CMTimebase(sourceClock: manual.clock)
        let inner = CMTimebase(sourceTimebase: outer)
        try outer.setRate(2)
        try inner.setRate(3)
        manual.advance(seconds: 1)
        #expect(inner.time == Self.seconds(6) && inner.rate == 3 && inner.effectiveRate == 6)
        #expect(inner.sourceTimebase === outer && inner.sourceClock == nil)
        #expect(inner.ultimateSourceClock === outer.sourceClock)
        try outer.setRate(0)
        #expect(inner.effectiveRate == 0)
    }

    @Test("a new source takes over without a jump; a cycle is refused")
    func newSource() throws {
        let (first, second) = (ManualClock(), ManualClock())
        second.advance(seconds: 500)
        let timebase = CMTimebase(sourceClock: first.clock)
        try timebase.setRate(1)
        first.advance(seconds: 4)
        let secondClock = second.clock
        timebase.source = secondClock
        #expect(timebase.time == Self.seconds(4) && timebase.rate == 1)
        second.advance(seconds: 1)
        first.advance(seconds: 50)
        #expect(timebase.time == Self.seconds(5))
        let follower = CMTimebase(sourceTimebase: timebase)
        timebase.source = follower
        #expect(timebase.sourceClock === secondClock)
        timebase.source = timebase
        #expect(timebase.sourceClock === secondClock)
    }

    @Test("rate changes and jumps are notified")
    func notifications() throws {
        let timebase = CMTimebase(sourceClock: ManualClock().clock)
        let rates = Atomic<Int>(0)
        let jumps = Atomic<Int>(0)
        try withExtendedLifetime(NotificationCenter.default) { center in
            let tokens = [
                center.addObserver(forName: CMTimebase.effectiveRateChanged, object: timebase, queue: nil) {
                    _ in
                    rates.add(1, ordering: .relaxed)
                },
                center.addObserver(forName: CMTimebase.timeJumped, object: timebase, queue: nil) { _ in
                    jumps.add(1, ordering: .relaxed)
                },
            ]
            defer { tokens.forEach { center.removeObserver($0) } }
            let expected: [(() throws -> Void, Int, Int)] = [
                ({ try timebase.setRate(1) }, 1, 0), ({ try timebase.setRate(1) }, 1, 0),
                ({ try timebase.setTime(.zero) }, 1, 1),
                ({ try timebase.setAnchorTime(.zero, referenceTime: .zero) }, 1, 2),
                (
                    { try timebase.setRateAndAnchorTime(rate: 2, anchorTime: .zero, referenceTime: .zero) },
                    2, 3
                ),
                ({ try? timebase.setTime(.invalid) }, 2, 3),
                (
                    {
                        timebase.drive(
                            anchorTime: .zero, at: HostTime(nanoseconds: 0), rate: 2, isJump: false)
                    }, 2, 3
                ),
                ({ timebase.drive(anchorTime: .zero, at: HostTime(nanoseconds: 0), rate: 0) }, 3, 4),
            ]
            for (step, rate, jump) in expected {
                try step()
                #expect(rates.load(ordering: .relaxed) == rate && jumps.load(ordering: .relaxed) == jump)
            }
        }
    }

    @Test("a driven timebase cannot be set by others")
    func readOnly() {
        let manual = ManualClock()
        let clock = manual.clock
        let timebase = CMTimebase(drivenOn: clock)
        #expect(CMTimebaseSetTime(timebase, time: .zero) == kCMTimebaseError_ReadOnly)
        #expect(CMTimebaseSetRate(timebase, rate: 1) == -12757)
        #expect(
            CMTimebaseSetRateAndAnchorTime(timebase, rate: 1, anchorTime: .zero, immediateSourceTime: .zero)
                == kCMTimebaseError_ReadOnly)
        #expect(
            CMTimebaseSetAnchorTime(timebase, timebaseTime: .zero, immediateSourceTime: .zero)
                == kCMTimebaseError_ReadOnly)
        timebase.source = CMClock.hostTimeClock
        #expect(timebase.sourceClock === clock)
        timebase.drive(anchorTime: Self.seconds(3), at: HostTime(nanoseconds: 1_000_000_000), rate: 1)
        manual.advance(seconds: 2)
        #expect(timebase.time == Self.seconds(4))
        timebase.drive(anchorTime: .invalid, at: HostTime(nanoseconds: 0), rate: 0)
        #expect(timebase.time == Self.seconds(4) && timebase.rate == 1)
    }

    @Test("concurrent readers see consistent lines only")
    func tearing() {
        let timebase = CMTimebase(drivenOn: .hostTimeClock)
        let isDone = Atomic<Bool>(false)
        let torn = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: 3) { thread in
            if thread == 0 {
                for step in 1...20_000 as ClosedRange<Int64> {
                    // Value and scale belong together: their product is a constant.
                    let value = step % 100 + 1
                    timebase.drive(
                        anchorTime: CMTimeMakeWithEpoch(value: value, timescale: Int32(value), epoch: value),
                        at: HostTime(nanoseconds: 0), rate: 0, isJump: false)
                }
                isDone.store(true, ordering: .releasing)
            } else {
                while !isDone.load(ordering: .acquiring) {
                    let time = timebase.time
                    let isWhole =
                        time == .zero || time.value == Int64(time.timescale) && time.value == time.epoch
                    if !isWhole { torn.add(1, ordering: .relaxed) }
                }
            }
        }
        #expect(torn.load(ordering: .relaxed) == 0)
    }
}
