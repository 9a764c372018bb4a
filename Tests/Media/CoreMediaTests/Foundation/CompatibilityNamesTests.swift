import CoreMedia
import Testing

// Foundation is not imported: CoreMedia exports it.

@Suite("Names provided with CoreMedia")
struct CompatibilityNamesTests {
    @Test("constants and aliases exist")
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

    @Test("deprecated spellings mean the same")
    func olderSpellings() {
        let old: any OlderSpellings = Older()
        #expect(old.times == [.zero, .indefinite, .positiveInfinity, .negativeInfinity, .invalid])
        #expect(old.half == CMTime(value: 1, timescale: 2) && old.converted.value == 300)
        #expect(old.ranges == [.zero, CMTimeRange(start: .zero, duration: .zero)])
        #expect(old.clock === CMClock.hostTimeClock)
        #expect(!old.timing.duration.isValid && old.folded == CMTime(value: 1, timescale: 1))
        #expect(old.masters.count == 6 && old.masters.allSatisfy { $0 === CMClock.hostTimeClock })
        #expect(old.statuses == [noErr, noErr, noErr, noErr])
    }
}

/// Uses deprecated names without a warning at the caller.
private protocol OlderSpellings {
    var times: [CMTime] { get }
    var half: CMTime { get }
    var converted: CMTime { get }
    var ranges: [CMTimeRange] { get }
    var clock: CMClock? { get }
    var timing: CMSampleTimingInfo { get }
    var folded: CMTime { get }
    var masters: [any CMSyncProtocol] { get }
    var statuses: [OSStatus] { get }
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

    @available(*, deprecated)
    var timing: CMSampleTimingInfo { kCMTimingInfoInvalid }

    @available(*, deprecated)
    var folded: CMTime {
        CMTimeRangeFromTimeToTime(.zero, CMTimeMake(1, 1)).end
    }

    @available(*, deprecated)
    var masters: [any CMSyncProtocol] {
        let timebase = CMTimebase(masterClock: .hostTimeClock)
        let clocks: [CMClock?] = [
            CMTimebaseGetMasterClock(timebase), CMTimebaseCopyMasterClock(timebase),
            CMTimebaseGetUltimateMasterClock(timebase), CMTimebaseCopyUltimateMasterClock(timebase),
        ]
        return [CMTimebaseGetMaster(timebase), CMTimebaseCopyMaster(timebase)] + clocks.compactMap { $0 }
    }

    @available(*, deprecated)
    var statuses: [OSStatus] {
        var (first, second): (CMTimebase?, CMTimebase?)
        let made = CMTimebaseCreateWithMasterClock(
            allocator: nil, masterClock: .hostTimeClock, timebaseOut: &first)
        guard let first else { return [] }
        let followed = CMTimebaseCreateWithMasterTimebase(
            allocator: nil, masterTimebase: first, timebaseOut: &second)
        guard let second, CMTimebaseGetMasterTimebase(second) === first,
            CMTimebaseCopyMasterTimebase(second) === first, second.master === first
        else { return [] }
        return [
            made, followed, CMTimebaseSetMasterClock(second, newMasterClock: .hostTimeClock),
            CMTimebaseSetMasterTimebase(second, newMasterTimebase: first),
        ]
    }
}
