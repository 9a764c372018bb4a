import Testing
import TuttiTestSupport

@testable import CoreMedia

/// Laws of ranges, checked on random ones of mixed scales against exact fractions with fixed seeds.
@Suite("CMTimeRange: laws")
struct CMTimeRangePropertyTests {
    static let scales: [Int32] = [1, 2, 3, 10, 24, 30, 600]

    static func time(_ generator: inout SeededGenerator, _ values: ClosedRange<Int64>) -> CMTime {
        let scale = scales.randomElement(using: &generator) ?? 1
        return CMTime(value: Int64.random(in: values, using: &generator) * Int64(scale) / 7, timescale: scale)
    }

    static func range(_ generator: inout SeededGenerator) -> CMTimeRange {
        CMTimeRange(start: time(&generator, -100...100), duration: time(&generator, 0...100))
    }

    /// The first instant and the one after the last, as fractions.
    private struct Exact: Equatable {
        var start: ExactFraction
        var end: ExactFraction

        init(_ range: CMTimeRange) {
            start = ExactFraction(range.start)
            end = start + ExactFraction(range.duration)
        }

        var isEmpty: Bool { !(start < end) }

        func contains(_ time: ExactFraction) -> Bool { !(time < start) && time < end }
    }

    @Test("start, end and duration are consistent")
    func membership() {
        var generator = SeededGenerator(seed: 41)
        for _ in 0..<4000 {
            let range = Self.range(&generator)
            let exact = Exact(range)
            #expect(ExactFraction(range.end) == exact.end && range.isEmpty == exact.isEmpty)
            #expect(CMTimeRange(start: range.start, end: range.end) == range && range.isValid)
            for time in [range.start, range.end, Self.time(&generator, -100...200)] {
                #expect(range.containsTime(time) == exact.contains(ExactFraction(time)))
                let clamped = CMTimeClampToRange(time, range: range)
                #expect(clamped >= range.start && clamped <= range.end)
                if range.containsTime(time) { #expect(clamped == time) }
            }
        }
    }

    @Test("intersection and union match their definitions")
    func lattice() {
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<4000 {
            let (a, b) = (Self.range(&generator), Self.range(&generator))
            let (exactA, exactB) = (Exact(a), Exact(b))
            let common = a.intersection(b)
            let start = exactA.start < exactB.start ? exactB.start : exactA.start
            let end = exactA.end < exactB.end ? exactA.end : exactB.end
            if start < end {
                #expect(Exact(common).start == start && Exact(common).end == end)
                #expect(a.containsTimeRange(common) && b.containsTimeRange(common))
            } else {
                #expect(common.isEmpty)
            }
            let both = a.union(b)
            #expect(a.intersection(a) == a && a.union(a) == a)
            // The union of two empty ranges may be either.
            if !a.isEmpty || !b.isEmpty { #expect(both == b.union(a)) }
            if !a.isEmpty, !b.isEmpty {
                #expect(both.containsTimeRange(a) && both.containsTimeRange(b))
                let inside = !(exactB.start < exactA.start) && !(exactA.end < exactB.end)
                #expect(a.containsTimeRange(b) == inside && (common == b) == inside)
                #expect(both.start == min(a.start, b.start) && both.end == max(a.end, b.end))
            }
        }
    }

    @Test("mapping between ranges keeps the proportion")
    func mapping() {
        var generator = SeededGenerator(seed: 43)
        for _ in 0..<4000 {
            let (from, to) = (Self.range(&generator), Self.range(&generator))
            let time = Self.time(&generator, -100...100)
            let mapped = CMTimeMapTimeFromRangeToRange(time, fromRange: from, toRange: to)
            guard !from.isEmpty, !to.isEmpty else {
                #expect(mapped == .invalid)
                continue
            }
            let offset = ExactFraction(time - from.start)
            let (length, target) = (ExactFraction(from.duration), ExactFraction(to.duration))
            let stretched = ExactFraction(
                offset.numerator * target.numerator * length.denominator,
                offset.denominator * target.denominator * length.numerator)
            let exact = ExactFraction(to.start) + stretched
            let duration = CMTimeMapDurationFromRangeToRange(time - from.start, fromRange: from, toRange: to)
            #expect(ExactFraction(duration).isWithinHalfUnit(of: stretched, scale: duration.timescale))
            #expect(mapped.hasBeenRounded || ExactFraction(mapped) == exact)
            #expect(CMTimeMapTimeFromRangeToRange(from.start, fromRange: from, toRange: to) == to.start)
            #expect(CMTimeMapTimeFromRangeToRange(from.end, fromRange: from, toRange: to) == to.end)
        }
    }

    @Test("folding moves by whole durations into the range")
    func folding() {
        var generator = SeededGenerator(seed: 44)
        for _ in 0..<4000 {
            let range = Self.range(&generator)
            let time = Self.time(&generator, -1000...1000)
            let folded = CMTimeFoldIntoRange(time, foldRange: range)
            guard !range.isEmpty else {
                #expect(folded == .invalid)
                continue
            }
            #expect(range.containsTime(folded) && !folded.hasBeenRounded)
            let moved = ExactFraction(time - folded)
            let length = ExactFraction(range.duration)
            let turns = ExactFraction(
                moved.numerator * length.denominator, moved.denominator * length.numerator)
            #expect(turns.denominator == 1)
            if range.containsTime(time) { #expect(folded == time) }
        }
    }
}
