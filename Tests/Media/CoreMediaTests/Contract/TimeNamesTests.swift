import CoreMedia
import Testing

// Every name of a section of the contract, used as a program uses it: types written out, labels in full.

@Suite("Contract: names beside Core Media")
struct FoundationNamesTests {
    @Test("constants, aliases and the host clock exist")
    func names() {
        let constants: [UInt64] = [NSEC_PER_SEC, NSEC_PER_MSEC, USEC_PER_SEC, NSEC_PER_USEC]
        #expect(constants == [1_000_000_000, 1_000_000, 1_000_000, 1000])
        let (status, code, type): (OSStatus, FourCharCode, OSType) = (noErr, 0x736F_756E, 0x736F_756E)
        #expect(status == Int32(0) && code == kCMMediaType_Audio && type == UInt32(code))
        let allocators: [CFAllocator?] = [kCFAllocatorDefault, kCFAllocatorNull, kCFAllocatorMalloc]
        #expect(allocators.allSatisfy { $0 != nil })
        let string: CFString = "x" as CFString
        let dictionary: CFDictionary = ["k": 1] as CFDictionary
        let mutable: CFMutableDictionary = CFMutableDictionary()
        mutable["k"] = 2
        let array: CFArray = [1, 2] as CFArray
        let objects: [CFTypeRef] = [string, dictionary, mutable, array]
        let list: CFPropertyList = array
        #expect(objects.count == 4 && list === array && array.count == 2)
        #expect((kCFBooleanTrue as NSNumber).boolValue && !(kCFBooleanFalse as NSNumber).boolValue)
        #expect(CFRange(location: 3, length: 4).length == 4)
        let error: NSErrorPointer = nil
        let queue: dispatch_queue_t = DispatchQueue(label: "names")
        #expect(error == nil && queue.label == "names" && !NSOSStatusErrorDomain.isEmpty)
    }

    @Test("the host clock is the same in seconds, in its own units and as a time")
    func hostClock() {
        let before: UInt64 = mach_absolute_time()
        let seconds: CFTimeInterval = CACurrentMediaTime()
        let time = CMClockGetTime(CMClockGetHostTimeClock())
        let uptime = DispatchTime.now().uptimeNanoseconds
        let after = mach_absolute_time()
        let range = Double(before) / 1e9...Double(after) / 1e9
        #expect(range.contains(seconds) && range.contains(time.seconds))
        #expect((before...after).contains(uptime))
    }

    @Test("a pool runs its body and passes on its result or error")
    func pool() {
        #expect(autoreleasepool { 7 } == 7)
        #expect(throws: CocoaError.self) { try autoreleasepool { throw CocoaError(.fileNoSuchFile) } }
    }
}

@Suite("Contract: CMTime and CMTimeRange")
struct TimeNamesTests {
    @Test("the names of CMTime exist")
    func time() {
        let (value, scale, epoch): (CMTimeValue, CMTimeScale, CMTimeEpoch) = (3, 2, 0)
        let time = CMTime(value: value, timescale: scale, flags: .valid, epoch: epoch)
        #expect(time == CMTime(value: 3, timescale: 2) && !CMTime().isValid)
        #expect(CMTime(seconds: 1.5, preferredTimescale: 600) == time && time.seconds == 1.5)
        #expect(time.convertScale(4, method: .default).value == 6)
        #expect(time + time - time == time && time < .positiveInfinity)
        #expect(
            [CMTimeMake(value: 3, timescale: 2), CMTimeMakeWithSeconds(1.5, preferredTimescale: 2)]
                == [time, time])
        #expect(CMTimeMakeWithEpoch(value: 3, timescale: 2, epoch: 1) > time)
        #expect(CMTimeGetSeconds(CMTimeAdd(time, time)) == 3 && CMTimeSubtract(time, time) == .zero)
        #expect(CMTimeMultiply(time, multiplier: 2).value == 6)
        #expect(CMTimeMultiplyByFloat64(time, multiplier: 0.5).seconds == 0.75)
        #expect(CMTimeMultiplyByRatio(time, multiplier: 1, divisor: 3).seconds == 0.5)
        #expect(CMTimeCompare(time, .zero) == Int32(1) && CMTimeMinimum(time, .zero) == .zero)
        #expect(CMTimeMaximum(time, .zero) == time && CMTimeAbsoluteValue(CMTime.zero - time) == time)
        #expect(CMTimeConvertScale(time, timescale: 1, method: .roundTowardZero).value == 1)
        let dictionary: CFDictionary? = CMTimeCopyAsDictionary(time, allocator: kCFAllocatorDefault)
        #expect(CMTimeMakeFromDictionary(dictionary) == time)
        #expect(kCMTimeMaxTimescale == 0x7FFF_FFFF)
        #expect(CMTIME_HAS_BEEN_ROUNDED(CMTimeMakeWithSeconds(0.3, preferredTimescale: 2)))
        // They print to standard error; their existence suffices here.
        let (show, showRange): ((CMTime) -> Void, (CMTimeRange) -> Void) = (CMTimeShow, CMTimeRangeShow)
        withExtendedLifetime((show, showRange)) {}
    }

    @Test("the names of ranges and mappings exist")
    func ranges() {
        let range = CMTimeRange(start: .zero, duration: CMTime(value: 4, timescale: 1))
        let two = CMTime(value: 2, timescale: 1)
        #expect(CMTimeRangeMake(start: .zero, duration: range.duration) == range)
        #expect(CMTimeRangeFromTimeToTime(start: .zero, end: range.end) == range)
        #expect(CMTimeRangeGetEnd(range) == range.end && CMTimeRangeEqual(range, range))
        #expect(CMTimeRangeContainsTime(range, time: two))
        #expect(CMTimeRangeContainsTimeRange(range, otherRange: CMTimeRange(start: two, end: range.end)))
        #expect(CMTimeRangeGetIntersection(range, otherRange: .zero).isEmpty)
        #expect(CMTimeRangeGetUnion(range, otherRange: .zero) == range)
        #expect(CMTimeClampToRange(.positiveInfinity, range: range) == range.end)
        let double = CMTimeRange(start: .zero, duration: CMTime(value: 8, timescale: 1))
        #expect(CMTimeMapTimeFromRangeToRange(two, fromRange: range, toRange: double).value == 4)
        #expect(CMTimeMapDurationFromRangeToRange(two, fromRange: range, toRange: double).value == 4)
        #expect(CMTimeFoldIntoRange(CMTime(value: 6, timescale: 1), foldRange: range) == two)
        let dictionary = CMTimeRangeCopyAsDictionary(range, allocator: kCFAllocatorDefault)
        #expect(CMTimeRangeMakeFromDictionary(dictionary) == range)
        #expect(CMTimeRangeCopyDescription(allocator: kCFAllocatorDefault, range: range) != nil)
        let mapping = CMTimeMappingMake(source: range, target: double)
        #expect(mapping.target == double && !CMTimeMappingMakeEmpty(target: range).source.isValid)
        #expect(NSValue(time: two).timeValue == two && NSValue(timeRange: range).timeRangeValue == range)
        #expect(NSValue(timeMapping: mapping).timeMappingValue == mapping)
    }
}

@Suite("Contract: clocks and timebases")
struct ClockNamesTests {
    @Test("the names of clocks exist")
    func clocks() {
        let clock: CMClock = CMClock.hostTimeClock
        let units: UInt64 = CMClock.convertHostTimeToSystemUnits(clock.time)
        #expect(CMClock.convertSystemUnitsToHostTime(units) <= clock.time)
        #expect(CMClockMakeHostTimeFromSystemUnits(5) == CMTime(value: 5, timescale: 1_000_000_000))
        #expect(CMClockConvertHostTimeToSystemUnits(CMTime(value: 1, timescale: 1)) == NSEC_PER_SEC)
        #expect(!clock.mightDrift(relativeTo: CMClockGetHostTimeClock()) && CMSyncGetTime(clock).isNumeric)
        clock.invalidate()
    }

    @Test("the names of timebases exist")
    func timebases() throws {
        var made: CMTimebase?
        #expect(
            CMTimebaseCreateWithSourceClock(
                allocator: kCFAllocatorDefault, sourceClock: .hostTimeClock, timebaseOut: &made) == noErr)
        let timebase = try #require(made)
        #expect(CMTimebaseGetTime(timebase) == .zero && CMTimebaseGetRate(timebase) == 0)
        let ten = CMTime(value: 10, timescale: 1)
        #expect(CMTimebaseSetTime(timebase, time: ten) == noErr && CMTimebaseGetTime(timebase) == ten)
        #expect(CMTimebaseSetRate(timebase, rate: 2) == noErr && CMTimebaseGetEffectiveRate(timebase) == 2)
        let start = CMClockGetTime(.hostTimeClock)
        #expect(CMTimebaseSetAnchorTime(timebase, timebaseTime: .zero, immediateSourceTime: start) == noErr)
        #expect(
            CMTimebaseSetRateAndAnchorTime(
                timebase, rate: 0.5, anchorTime: ten, immediateSourceTime: start) == noErr)
        let later = start + ten
        #expect(CMSyncConvertTime(later, from: CMClock.hostTimeClock, to: timebase).seconds == 15)
        #expect(timebase.rate(relativeTo: CMClock.hostTimeClock) == 0.5)
        try timebase.setRateAndAnchorTime(rate: 0, anchorTime: .zero, referenceTime: start)
        #expect(timebase.timeAndRate.rate == 0 && timebase.timeAndRate.time == .zero)
        #expect(timebase.time(withTimescale: 600, rounding: .default).timescale == 600)
        let source: any CMSyncProtocol = CMTimebaseCopySource(timebase)
        #expect(source === timebase.ultimateSourceClock && timebase.sourceTimebase == nil)
        #expect(CMTimebase.effectiveRateChanged != CMTimebase.timeJumped)
    }

    @Test("a new source takes over without a jump; a cycle is refused")
    func newSource() {
        let first = CMTimebase(sourceClock: .hostTimeClock)
        let second = CMTimebase(sourceClock: .hostTimeClock)
        #expect(CMTimebaseSetSourceTimebase(first, newSourceTimebase: second) == noErr)
        #expect(CMTimebaseCopySourceTimebase(first) === second && CMTimebaseGetTime(first) == .zero)
        #expect(
            CMTimebaseSetSourceTimebase(second, newSourceTimebase: first)
                == kCMTimebaseError_InvalidParameter)
        #expect(CMTimebaseCopySourceClock(second) === CMClock.hostTimeClock)
        #expect(CMTimebaseSetSourceClock(first, newSourceClock: .hostTimeClock) == noErr)
        #expect(CMTimebaseCopySourceTimebase(first) == nil)
        #expect(CMTimebaseCopyUltimateSourceClock(first) === CMClock.hostTimeClock)
    }
}
