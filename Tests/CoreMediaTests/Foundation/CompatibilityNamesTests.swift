import CoreMedia
import Testing

// Without an import of Foundation: CoreMedia brings it.

@Suite("Names that CoreMedia brings along")
struct CompatibilityNamesTests {
    @Test("constants and aliases")
    func constants() {
        #expect(NSEC_PER_SEC == 1_000_000_000 && NSEC_PER_MSEC == 1_000_000)
        #expect(USEC_PER_SEC == 1_000_000 && NSEC_PER_USEC == 1000)
        let status: OSStatus = noErr
        #expect(status == 0 && CMTimeScale(NSEC_PER_SEC) == 1_000_000_000)
        #expect(("x" as CFString) as String == "x" && ([:] as CFDictionary).count == 0)
        #expect(kCFBooleanTrue.boolValue && !kCFBooleanFalse.boolValue)
        #expect(CFRangeMake(2, 3) == CFRange(location: 2, length: 3))
        #expect(autoreleasepool { 5 } == 5)
        let queue: dispatch_queue_t = DispatchQueue(label: "q")
        #expect(queue.label == "q" && kCFAllocatorNull !== kCFAllocatorDefault)
    }

    @Test("older spellings mean the same")
    func olderSpellings() {
        let old: any OlderSpellings = Older()
        #expect(old.times == [.zero, .indefinite, .positiveInfinity, .negativeInfinity, .invalid])
        #expect(old.half == CMTime(value: 1, timescale: 2) && old.converted.value == 300)
        #expect(old.ranges == [.zero, CMTimeRange(start: .zero, duration: .zero)])
        #expect(old.clock === CMClock.hostTimeClock)
    }
}

/// Reaches deprecated names without a warning at the caller.
private protocol OlderSpellings {
    var times: [CMTime] { get }
    var half: CMTime { get }
    var converted: CMTime { get }
    var ranges: [CMTimeRange] { get }
    var clock: CMClock? { get }
}

private struct Older: OlderSpellings {
    @available(*, deprecated)
    var times: [CMTime] {
        [kCMTimeZero, kCMTimeIndefinite, kCMTimePositiveInfinity, kCMTimeNegativeInfinity, kCMTimeInvalid]
    }

    @available(*, deprecated)
    var half: CMTime { CMTimeMake(1, 2) }

    @available(*, deprecated)
    var converted: CMTime { CMTimeConvertScale(CMTimeMakeWithSeconds(0.5, 10), 600, .default) }

    @available(*, deprecated)
    var ranges: [CMTimeRange] { [kCMTimeRangeZero, CMTimeRangeMake(.zero, .zero)] }

    @available(*, deprecated)
    var clock: CMClock? { CMTimebase(masterClock: .hostTimeClock).masterClock }
}
