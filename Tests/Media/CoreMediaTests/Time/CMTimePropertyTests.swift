import Foundation
import Testing
import TuttiTestSupport

@testable import CoreMedia

/// Laws of times, checked on random ones against exact fractions with fixed seeds.
@Suite("CMTime: laws")
struct CMTimePropertyTests {
    /// Scales whose common multiples all stay below the largest scale, so that sums are exact.
    static let usualScales: [Int32] = [1, 30, 600, 1000, 8000, 44_100, 48_000, 90_000]

    static func usual(_ generator: inout SeededGenerator, bits: Int64 = 30) -> CMTime {
        CMTime(
            value: Int64.random(in: -(1 << bits)...1 << bits, using: &generator),
            timescale: usualScales.randomElement(using: &generator) ?? 1)
    }

    @Test("sums of common scales form a commutative group, without rounding")
    func group() {
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<5000 {
            let (a, b, c) = (
                Self.usual(&generator), Self.usual(&generator), Self.usual(&generator)
            )
            let (left, right) = ((a + b) + c, a + (b + c))
            #expect(left == right && !left.hasBeenRounded && !right.hasBeenRounded)
            #expect(ExactFraction(left) == ExactFraction(a) + ExactFraction(b) + ExactFraction(c))
            #expect(a + b == b + a && a + .zero == a && a - a == .zero)
            #expect((a + b) - b == a && a - b == a + (CMTime.zero - b))
            #expect(CMTimeMultiply(a, multiplier: 3) == a + a + a)
        }
    }

    @Test("order is preserved by sums and by seconds")
    func orderedGroup() {
        var generator = SeededGenerator(seed: 22)
        for _ in 0..<5000 {
            let (a, b, c) = (
                Self.usual(&generator), Self.usual(&generator), Self.usual(&generator)
            )
            #expect((a < b) == (a + c < b + c))
            #expect((a < b) == (CMTime.zero - b < CMTime.zero - a))
            if a < b { #expect(a.seconds <= b.seconds) }
            #expect(CMTimeMinimum(a, b) + CMTimeMaximum(a, b) == a + b)
            #expect(CMTimeAbsoluteValue(a - b) == CMTimeMaximum(a, b) - CMTimeMinimum(a, b))
        }
    }

    @Test("all times have one total order: each pair agrees with the sorted list")
    func totalOrder() {
        var generator = SeededGenerator(seed: 23)
        let specials: [CMTime] = [
            .invalid, .indefinite, .positiveInfinity, .negativeInfinity, .zero,
            CMTime(value: 3, timescale: 0),
        ]
        for _ in 0..<20 {
            var times = specials
            for _ in 0..<30 {
                var time = CMTime.random(using: &generator, values: 6)
                time.epoch = Int64.random(in: -1...1, using: &generator)
                times.append(time)
            }
            let sorted = times.shuffled(using: &generator).sorted()
            for (low, first) in sorted.enumerated() {
                for second in sorted[low...] {
                    #expect(!(second < first) && CMTimeCompare(first, second) <= 0)
                    #expect(CMTimeCompare(first, second) == -CMTimeCompare(second, first))
                    #expect((first == second) == (CMTimeCompare(first, second) == 0))
                    if first == second { #expect(first.hashValue == second.hashValue) }
                }
            }
        }
    }

    @Test("every rounding method matches the exact quotient", arguments: CMTimeScalingTests.methods)
    func rounding(method: CMTimeRoundingMethod) {
        var generator = SeededGenerator(seed: 24 + UInt64(method.rawValue))
        for _ in 0..<3000 {
            let time = CMTime.random(using: &generator, values: Int.random(in: 2...62, using: &generator))
            let scale = Int32.random(in: 1...1_000_000, using: &generator)
            let exact = Int128(time.value) * Int128(scale)
            let expected = Self.rounded(
                exact, over: Int128(time.timescale), method, isFiner: scale > time.timescale)
            let converted = time.convertScale(scale, method: method)
            if let expected = Int64(exactly: expected) {
                #expect(converted.value == expected && converted.timescale == scale)
                #expect(converted.hasBeenRounded == (exact % Int128(time.timescale) != 0))
            } else {
                #expect(converted == (time.value < 0 ? .negativeInfinity : .positiveInfinity))
            }
        }
    }

    /// The offset from the next lower integer, as the contract words it.
    private static func rounded(
        _ numerator: Int128, over denominator: Int128, _ method: CMTimeRoundingMethod, isFiner: Bool
    ) -> Int128 {
        let (quotient, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        if rest == 0 { return quotient }
        let lower = numerator < 0 ? quotient - 1 : quotient
        let above = (numerator - lower * denominator) * 2
        let (towardZero, away) = numerator < 0 ? (lower + 1, lower) : (lower, lower + 1)
        switch method {
        case .roundHalfAwayFromZero:
            return above == denominator ? away : (above < denominator ? lower : lower + 1)
        case .roundTowardZero: return towardZero
        case .roundAwayFromZero: return away
        case .roundTowardPositiveInfinity: return lower + 1
        case .roundTowardNegativeInfinity: return lower
        case .quickTime:
            let value = isFiner ? away : towardZero
            return value == 0 && numerator < 0 ? -1 : value
        }
    }

    @Test("sums of any values and scales use the finest scale that fits, rounded once, else infinity")
    func overflow() {
        var generator = SeededGenerator(seed: 31)
        for _ in 0..<5000 {
            let (a, b) = (Self.any(&generator), Self.any(&generator))
            let numerator = Int128(a.value) * Int128(b.timescale) + Int128(b.value) * Int128(a.timescale)
            let denominator = Int128(a.timescale) * Int128(b.timescale)
            let common = Int128(greatestCommonDivisor(Int64(a.timescale), Int64(b.timescale)))
            var scale = min(denominator / common, Int128(kCMTimeMaxTimescale))
            func value() -> Int128 {
                Self.rounded(numerator * scale, over: denominator, .roundHalfAwayFromZero, isFiner: false)
            }
            while scale > 1, Int64(exactly: value()) == nil { scale /= 2 }
            let sum = a + b
            if let expected = Int64(exactly: value()) {
                #expect(sum.value == expected && Int128(sum.timescale) == scale)
                #expect(sum.hasBeenRounded == (numerator * scale % denominator != 0))
            } else {
                #expect(sum == (numerator < 0 ? .negativeInfinity : .positiveInfinity))
            }
        }
    }

    /// Returns any 64-bit value, often near the limits, on any scale, often a small one.
    private static func any(_ generator: inout SeededGenerator) -> CMTime {
        let near = Int64.random(in: 0...1000, using: &generator)
        let values: [Int64] = [.max - near, .min + near, Int64.random(in: .min ... .max, using: &generator)]
        let most: Int32 = Bool.random(using: &generator) ? 12 : .max
        return CMTime(
            value: values.randomElement(using: &generator) ?? 0,
            timescale: Int32.random(in: 1...most, using: &generator))
    }

    @Test("seconds round-trip to the same time")
    func seconds() {
        var generator = SeededGenerator(seed: 32)
        for _ in 0..<5000 {
            let time = CMTime.random(using: &generator, values: 44)
            let back = CMTime(seconds: time.seconds, preferredTimescale: time.timescale)
            #expect(back == time && back.timescale == time.timescale && !back.hasBeenRounded)
            let dictionary = CMTimeCopyAsDictionary(time, allocator: nil)
            #expect(CMTimeMakeFromDictionary(dictionary) == time)
            #expect(NSValue(time: time).timeValue == time)
        }
    }

    @Test("random seconds are within half a unit, flagged when inexact")
    func fromSeconds() {
        var generator = SeededGenerator(seed: 33)
        for _ in 0..<5000 {
            let seconds = Double.random(in: -1e6...1e6, using: &generator)
            let scale = Int32.random(in: 1...1_000_000, using: &generator)
            let time = CMTime(seconds: seconds, preferredTimescale: scale)
            #expect(time.timescale == scale)
            #expect(abs(time.seconds - seconds) <= 0.5 / Double(scale) * (1 + 1e-3))
            #expect(time.hasBeenRounded == (time.seconds != seconds))
        }
    }
}

@Suite("CMTime: tables of non-numeric times")
struct CMTimeSpecialValueTests {
    static let one = CMTime(value: 1, timescale: 1)
    /// Times in comparison order.
    static let kinds: [CMTime] = [.negativeInfinity, one, .indefinite, .positiveInfinity, .invalid]

    @Test("minimum and maximum follow their table")
    func extremes() {
        for (left, a) in Self.kinds.enumerated() {
            for (right, b) in Self.kinds.enumerated() {
                #expect(CMTimeMinimum(a, b) == Self.kinds[min(left, right)])
                #expect(CMTimeMaximum(a, b) == Self.kinds[max(left, right)])
            }
        }
    }

    @Test("functions of one time follow their table")
    func single() {
        let table: [(CMTime, absolute: CMTime, seconds: Double)] = [
            (.negativeInfinity, .positiveInfinity, -.infinity),
            (.positiveInfinity, .positiveInfinity, .infinity),
            (.indefinite, .indefinite, .nan), (.invalid, .invalid, .nan), (.zero, .zero, 0),
        ]
        for (time, absolute, seconds) in table {
            #expect(CMTimeAbsoluteValue(time) == absolute)
            #expect(seconds.isNaN ? time.seconds.isNaN : time.seconds == seconds)
            #expect(time.convertScale(600, method: .quickTime) == time)
            if !seconds.isNaN { #expect(CMTime(seconds: seconds, preferredTimescale: 1) == time) }
        }
    }

    /// Multiplication by −1 and by 2; by 0 an infinity has no meaning.
    static let products: [(CMTime, negated: CMTime, doubled: CMTime, byZero: CMTime)] = [
        (.negativeInfinity, .positiveInfinity, .negativeInfinity, .invalid),
        (.positiveInfinity, .negativeInfinity, .positiveInfinity, .invalid),
        (.indefinite, .indefinite, .indefinite, .indefinite), (.invalid, .invalid, .invalid, .invalid),
    ]

    @Test("products follow their table", arguments: products)
    func product(time: CMTime, negated: CMTime, doubled: CMTime, byZero: CMTime) {
        for (factor, expected) in [(-1, negated), (2, doubled), (0, byZero)] as [(Int32, CMTime)] {
            #expect(CMTimeMultiply(time, multiplier: factor) == expected)
            #expect(CMTimeMultiplyByFloat64(time, multiplier: Double(factor)) == expected)
            #expect(CMTimeMultiplyByRatio(time, multiplier: factor, divisor: 1) == expected)
        }
        #expect(CMTimeMultiplyByRatio(time, multiplier: 1, divisor: 0) == .invalid)
        #expect(CMTimeMultiplyByFloat64(time, multiplier: .nan) == .invalid)
    }

    /// Starts and lengths of valid, indefinite and empty ranges.
    static let ranges: [(CMTime, CMTime, isValid: Bool, isIndefinite: Bool, isEmpty: Bool)] = [
        (.zero, .zero, true, false, true), (.zero, one, true, false, false),
        (.zero, .zero - one, false, false, false), (.zero, .positiveInfinity, true, false, false),
        (.zero, .negativeInfinity, false, false, false), (.zero, .indefinite, true, true, false),
        (.zero, .invalid, false, false, false), (.indefinite, .zero, true, true, true),
        (.invalid, one, false, false, false), (.negativeInfinity, one, true, false, false),
        (.positiveInfinity, .zero, true, false, true), (.indefinite, .indefinite, true, true, false),
    ]

    @Test("ranges follow their table", arguments: ranges)
    func kinds(start: CMTime, duration: CMTime, isValid: Bool, isIndefinite: Bool, isEmpty: Bool) {
        let range = CMTimeRange(start: start, duration: duration)
        #expect(range.isValid == isValid && CMTIMERANGE_IS_VALID(range) == isValid)
        #expect(CMTIMERANGE_IS_INVALID(range) != isValid)
        #expect(range.isIndefinite == isIndefinite && CMTIMERANGE_IS_INDEFINITE(range) == isIndefinite)
        #expect(range.isEmpty == isEmpty && CMTIMERANGE_IS_EMPTY(range) == isEmpty)
        let numbers = CMTimeRange(start: .zero, duration: Self.one)
        if !isIndefinite { #expect(range.intersection(numbers).isValid == isValid) }
        if !isValid {
            #expect(!range.union(numbers).isValid && !range.containsTime(.zero))
            #expect(CMTimeClampToRange(.zero, range: range) == .invalid)
        }
        if isEmpty { #expect(range.union(numbers) == numbers && !range.containsTime(start)) }
        if !isValid || isIndefinite || isEmpty || !start.isNumeric || !duration.isNumeric {
            #expect(CMTimeMapTimeFromRangeToRange(.zero, fromRange: range, toRange: numbers) == .invalid)
            #expect(CMTimeFoldIntoRange(Self.one, foldRange: range) == .invalid)
        }
    }

    @Test("an endless range contains every later number, and is clipped by others")
    func endless() {
        let forever = CMTimeRange(start: Self.one, duration: .positiveInfinity)
        #expect(forever.end == .positiveInfinity && forever.containsTime(CMTime(value: .max, timescale: 1)))
        #expect(!forever.containsTime(.zero) && !forever.containsTime(.positiveInfinity))
        #expect(!forever.containsTime(.indefinite) && !forever.containsTime(.invalid))
        let part = CMTimeRange(start: .zero, end: CMTime(value: 5, timescale: 1))
        #expect(forever.intersection(part) == CMTimeRange(start: Self.one, end: part.end))
        #expect(forever.union(part) == CMTimeRange(start: .zero, duration: .positiveInfinity))
        #expect(CMTimeClampToRange(.positiveInfinity, range: part) == part.end)
        #expect(CMTimeClampToRange(.negativeInfinity, range: part) == .zero)
    }
}
