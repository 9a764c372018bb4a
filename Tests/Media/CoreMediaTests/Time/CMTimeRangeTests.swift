import Foundation
import Testing
import TuttiTestSupport

@testable import CoreMedia

@Suite("CMTimeRange, and times in ranges")
struct CMTimeRangeTests {
    static func time(_ seconds: Int64) -> CMTime { CMTime(value: seconds, timescale: 1) }
    static func range(_ start: Int64, _ end: Int64) -> CMTimeRange {
        CMTimeRange(start: time(start), end: time(end))
    }

    @Test("validity is determined by start and duration")
    func validity() {
        #expect(Self.range(1, 3).isValid && CMTIMERANGE_IS_VALID(Self.range(1, 3)))
        #expect(!Self.range(3, 1).isValid && CMTIMERANGE_IS_INVALID(Self.range(3, 1)))
        #expect(!CMTimeRange.invalid.isValid && !CMTimeRange().isValid)
        #expect(!CMTimeRange(start: .zero, duration: .invalid).isValid)
        #expect(CMTimeRange.zero.isValid && CMTimeRange.zero.isEmpty && CMTIMERANGE_IS_EMPTY(.zero))
        #expect(CMTimeRange(start: .zero, duration: .indefinite).isIndefinite)
        #expect(CMTIMERANGE_IS_INDEFINITE(CMTimeRange(start: .indefinite, duration: .zero)))
        let forever = CMTimeRange(start: Self.time(5), end: .positiveInfinity)
        #expect(forever.isValid && forever.duration == .positiveInfinity && forever.end == .positiveInfinity)
        #expect(forever.containsTime(Self.time(5_000_000)) && !forever.containsTime(Self.time(4)))
    }

    @Test("the start is inside, the end is not", arguments: 0...6 as ClosedRange<Int64>)
    func contains(second: Int64) {
        let range = Self.range(2, 5)
        #expect(range.containsTime(Self.time(second)) == (2..<5).contains(second))
        #expect(CMTimeRangeContainsTime(range, time: Self.time(second)) == (2..<5).contains(second))
        #expect(!CMTimeRange(start: Self.time(second), duration: .zero).containsTime(Self.time(second)))
    }

    @Test("random ranges match ranges of integers")
    func random() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<3000 {
            let (a, b) = (
                Int64.random(in: 0...9, using: &generator), Int64.random(in: 0...9, using: &generator)
            )
            let (c, d) = (
                Int64.random(in: 0...9, using: &generator), Int64.random(in: 0...9, using: &generator)
            )
            let (first, second) = (min(a, b)..<max(a, b), min(c, d)..<max(c, d))
            let left = Self.range(first.lowerBound, first.upperBound)
            let right = Self.range(second.lowerBound, second.upperBound)
            let common = first.clamped(to: second)
            let intersection = left.intersection(right)
            #expect(intersection.isEmpty == common.isEmpty)
            if !common.isEmpty { #expect(intersection == Self.range(common.lowerBound, common.upperBound)) }
            #expect(CMTimeRangeGetIntersection(left, otherRange: right) == intersection)
            let whole = left.union(right)
            if !first.isEmpty, !second.isEmpty {
                let start = min(first.lowerBound, second.lowerBound)
                #expect(whole == Self.range(start, max(first.upperBound, second.upperBound)))
                let inside = first.lowerBound <= second.lowerBound && second.upperBound <= first.upperBound
                #expect(left.containsTimeRange(right) == inside)
            } else {
                #expect(whole == (first.isEmpty ? right : left))
            }
            #expect(CMTimeRangeGetUnion(left, otherRange: right) == whole)
        }
    }

    @Test("invalid ranges intersect nothing")
    func invalidRanges() {
        #expect(!CMTimeRange.invalid.intersection(Self.range(1, 2)).isValid)
        #expect(!Self.range(1, 2).union(.invalid).isValid)
        #expect(!Self.range(1, 2).containsTimeRange(.invalid))
        #expect(!Self.range(1, 2).containsTime(.invalid))
    }

    @Test("a range round-trips through a dictionary")
    func dictionary() {
        let range = CMTimeRange(start: CMTime(value: 1, timescale: 3), duration: .indefinite)
        #expect(CMTimeRangeMakeFromDictionary(CMTimeRangeCopyAsDictionary(range, allocator: nil)) == range)
        #expect(!CMTimeRangeMakeFromDictionary(nil).isValid)
        #expect(!CMTimeRangeMakeFromDictionary(["start": 4] as CFDictionary).isValid)
        let text = CMTimeRangeCopyDescription(allocator: nil, range: range).map { $0 as String }
        #expect(text == "{{1/3 = 0.333}, {INDEFINITE}}")
    }

    @Test(
        "a time is clamped to a range",
        arguments: [(0, 2), (2, 2), (3, 3), (5, 5), (9, 5)] as [(Int64, Int64)])
    func clamp(second: Int64, expected: Int64) {
        #expect(CMTimeClampToRange(Self.time(second), range: Self.range(2, 5)) == Self.time(expected))
    }

    @Test("a time maps from range to range")
    func map() {
        let (from, to) = (Self.range(10, 20), Self.range(100, 103))
        for (second, expected) in [
            (10, CMTime(value: 100, timescale: 1)), (20, CMTime(value: 103, timescale: 1)),
            (15, CMTime(value: 203, timescale: 2)), (0, CMTime(value: 97, timescale: 1)),
        ] as [(Int64, CMTime)] {
            let mapped = CMTimeMapTimeFromRangeToRange(Self.time(second), fromRange: from, toRange: to)
            #expect(mapped == expected && !mapped.hasBeenRounded)
        }
        let third = CMTimeMapDurationFromRangeToRange(
            Self.time(1), fromRange: Self.range(0, 3), toRange: Self.range(0, 1))
        #expect(third.value == 1 && third.timescale == 3)
        #expect(CMTimeMapTimeFromRangeToRange(.zero, fromRange: .zero, toRange: to) == .invalid)
        #expect(CMTimeMapTimeFromRangeToRange(.zero, fromRange: .invalid, toRange: to) == .invalid)
        #expect(CMTimeMapTimeFromRangeToRange(.invalid, fromRange: from, toRange: to) == .invalid)
        let huge = CMTimeRange(start: .zero, duration: CMTime(value: .max, timescale: 999_999_937))
        let prime = CMTimeRange(start: .zero, duration: CMTime(value: .max - 24, timescale: 999_999_893))
        let mapped = CMTimeMapDurationFromRangeToRange(
            CMTime(value: 1_000_000_007, timescale: 1_000_003), fromRange: huge, toRange: prime)
        #expect(abs(mapped.seconds - 999.997051009) < 1e-6)
    }

    @Test(
        "a time folds into a range",
        arguments: [(0, 4), (3, 3), (4, 4), (5, 3), (-1, 3), (-100, 4)] as [(Int64, Int64)])
    func fold(second: Int64, expected: Int64) {
        let folded = CMTimeFoldIntoRange(Self.time(second), foldRange: Self.range(3, 5))
        #expect(folded == Self.time(expected))
        #expect(CMTimeFoldIntoRange(Self.time(second), foldRange: .zero) == .invalid)
    }

    @Test("values round-trip through objects")
    func objects() {
        let time = CMTime(value: 7, timescale: 600)
        let range = CMTimeRange(start: .zero, duration: time)
        let mapping = CMTimeMapping(source: range, target: range)
        let (timeObject, rangeObject) = (NSValue(time: time), NSValue(timeRange: range))
        let mappingObject = NSValue(timeMapping: mapping)
        #expect(timeObject.timeValue == time && rangeObject.timeRangeValue == range)
        #expect(mappingObject.timeMappingValue == mapping)
        #expect(timeObject == NSValue(time: CMTime(value: 14, timescale: 1200)))
        #expect(timeObject.hash == NSValue(time: CMTime(value: 14, timescale: 1200)).hash)
        #expect(timeObject != NSValue(time: .zero) && timeObject != rangeObject)
        #expect(Set([timeObject, NSValue(time: time), rangeObject]).count == 2)
        #expect(timeObject.timeRangeValue == .invalid && rangeObject.timeValue == .invalid)
        #expect(NSNumber(value: 4).timeValue == .invalid)
        #expect(mappingObject.timeValue == .invalid && !timeObject.timeMappingValue.source.isValid)
        #expect((timeObject.copy() as? NSValue)?.timeValue == time)
        let info: [AnyHashable: Any] = ["key": timeObject]
        #expect((info["key"] as? NSValue)?.timeValue == time)
    }
}
