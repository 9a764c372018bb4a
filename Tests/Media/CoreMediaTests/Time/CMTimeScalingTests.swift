import Testing
import TuttiTestSupport

@testable import CoreMedia

@Suite("CMTime: timescale conversion and multiplication")
struct CMTimeScalingTests {
    static let methods: [CMTimeRoundingMethod] = [
        .roundHalfAwayFromZero, .roundTowardZero, .roundAwayFromZero, .quickTime,
        .roundTowardPositiveInfinity, .roundTowardNegativeInfinity,
    ]

    /// Value and scale, new scale, and the value by each method in the order above.
    static let roundingCases: [(Int64, Int32, Int32, [Int64])] = [
        (5, 10, 1, [1, 0, 1, 0, 1, 0]), (-5, 10, 1, [-1, 0, -1, -1, 0, -1]),
        (4, 10, 1, [0, 0, 1, 0, 1, 0]), (-4, 10, 1, [0, 0, -1, -1, 0, -1]),
        (15, 10, 1, [2, 1, 2, 1, 2, 1]), (-15, 10, 1, [-2, -1, -2, -1, -1, -2]),
        (1, 3, 10, [3, 3, 4, 4, 4, 3]), (-1, 3, 10, [-3, -3, -4, -4, -3, -4]),
        (20, 10, 1, [2, 2, 2, 2, 2, 2]), (0, 10, 3, [0, 0, 0, 0, 0, 0]),
        (.max, 2, 1, [1 << 62, (1 << 62) - 1, 1 << 62, (1 << 62) - 1, 1 << 62, (1 << 62) - 1]),
    ]

    @Test("every rounding method follows its table", arguments: roundingCases)
    func rounding(value: Int64, scale: Int32, newScale: Int32, expected: [Int64]) {
        let time = CMTimeMakeWithEpoch(value: value, timescale: scale, epoch: 2)
        for (method, expected) in zip(Self.methods, expected) {
            let converted = time.convertScale(newScale, method: method)
            #expect(converted.value == expected && converted.timescale == newScale && converted.epoch == 2)
            #expect(converted.hasBeenRounded == (Int128(value) * Int128(newScale) % Int128(scale) != 0))
            #expect(CMTimeConvertScale(time, timescale: newScale, method: method) == converted)
        }
    }

    @Test("the raw values are Apple's")
    func rawValues() {
        #expect(Self.methods.map(\.rawValue) == [1, 2, 3, 4, 5, 6])
        #expect(CMTimeRoundingMethod.default == .roundHalfAwayFromZero)
    }

    @Test("conversion without a representable result follows its table")
    func specials() {
        for time in [CMTime.invalid, .indefinite, .positiveInfinity, .negativeInfinity] {
            #expect(time.convertScale(600, method: .default) == time)
        }
        #expect(CMTime(value: 1, timescale: 2).convertScale(0, method: .default) == .invalid)
        #expect(CMTime(value: 1, timescale: 2).convertScale(-4, method: .default) == .invalid)
        #expect(CMTime(value: .max, timescale: 1).convertScale(2, method: .default) == .positiveInfinity)
        #expect(CMTime(value: .min, timescale: 1).convertScale(2, method: .default) == .negativeInfinity)
    }

    @Test("random conversions are exact there and back, else within half a unit")
    func randomConversions() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<5000 {
            let time = CMTime.random(using: &generator, values: 40)
            let scale = Int32.random(in: 1...2_000_000, using: &generator)
            let converted = time.convertScale(scale, method: .default)
            #expect(converted.hasBeenRounded == (ExactFraction(converted) != ExactFraction(time)))
            #expect(ExactFraction(converted).isWithinHalfUnit(of: ExactFraction(time), scale: scale))
            let down = time.convertScale(scale, method: .roundTowardNegativeInfinity)
            let up = time.convertScale(scale, method: .roundTowardPositiveInfinity)
            #expect(down <= time && time <= up && up.value - down.value <= 1)
        }
    }

    @Test("multiplication by integers is exact")
    func multiply() {
        let time = CMTime(value: 7, timescale: 600)
        #expect(CMTimeMultiply(time, multiplier: -3).value == -21)
        #expect(CMTimeMultiply(time, multiplier: 0) == .zero)
        let halved = CMTimeMultiply(CMTime(value: .max, timescale: 8), multiplier: 4)
        #expect(halved.timescale == 2 && halved.value == .max)
        #expect(CMTimeMultiply(CMTime(value: .max, timescale: 1), multiplier: 2) == .positiveInfinity)
        #expect(CMTimeMultiply(CMTime(value: .min, timescale: 1), multiplier: 2) == .negativeInfinity)
        #expect(CMTime(value: .max, timescale: 1).repeated(.max) == .positiveInfinity)
        #expect(CMTime(value: .max, timescale: 2_147_483_647).repeated(2_147_483_646).timescale == 1)
    }

    @Test("non-numeric times are multiplied by their table", arguments: [-2, 0, 3] as [Int32])
    func multiplySpecials(multiplier: Int32) {
        let infinite: CMTime = multiplier == 0 ? .invalid : .infinity(negative: multiplier < 0)
        let negative: CMTime = multiplier == 0 ? .invalid : .infinity(negative: multiplier > 0)
        for product in [
            { CMTimeMultiply($0, multiplier: multiplier) },
            { CMTimeMultiplyByFloat64($0, multiplier: Double(multiplier)) },
            { CMTimeMultiplyByRatio($0, multiplier: multiplier, divisor: 5) },
        ] as [(CMTime) -> CMTime] {
            #expect(product(.positiveInfinity) == infinite)
            #expect(product(.negativeInfinity) == negative)
            #expect(product(.indefinite) == .indefinite)
            #expect(product(.invalid) == .invalid)
        }
    }

    @Test("multiplication by floating-point numbers uses a scale of at least 65,536, by doubling")
    func multiplyByDouble() {
        let half = CMTimeMultiplyByFloat64(CMTime(value: 1, timescale: 600), multiplier: 0.5)
        #expect(half.timescale == 76_800 && half.value == 64 && !half.hasBeenRounded)
        let kept = CMTimeMultiplyByFloat64(CMTime(value: 90_000, timescale: 90_000), multiplier: 1.5)
        #expect(kept.timescale == 90_000 && kept.value == 135_000)
        let third = CMTimeMultiplyByFloat64(CMTime(value: 1, timescale: 1), multiplier: 1.0 / 3)
        #expect(third.timescale == 65_536 && third.value == 21_845 && third.hasBeenRounded)
        let exact = CMTimeMultiplyByFloat64(
            CMTime(value: 9_007_199_254_740_993, timescale: 65_536), multiplier: 1)
        #expect(exact.value == 9_007_199_254_740_993)
        let large = CMTimeMultiplyByFloat64(CMTime(value: 1 << 62, timescale: 4), multiplier: 1)
        #expect(large.timescale == 4 && large.value == 1 << 62)
        let coarser = CMTimeMultiplyByFloat64(CMTime(value: .max, timescale: 3), multiplier: 2)
        #expect(coarser.timescale == 1 && coarser.hasBeenRounded)
        #expect(abs(coarser.seconds - 6.148914691236517e18) < 1e4)
        let most = CMTime(value: .max, timescale: 1)
        #expect(CMTimeMultiplyByFloat64(most, multiplier: -4) == .negativeInfinity)
        #expect(CMTimeMultiplyByFloat64(most, multiplier: .infinity) == .positiveInfinity)
        #expect(CMTimeMultiplyByFloat64(.zero, multiplier: .infinity) == .invalid)
        #expect(CMTimeMultiplyByFloat64(most, multiplier: .nan) == .invalid)
        #expect(CMTimeMultiplyByFloat64(most, multiplier: .leastNonzeroMagnitude) == .zero)
        #expect(CMTimeMultiplyByFloat64(most, multiplier: .greatestFiniteMagnitude) == .positiveInfinity)
    }

    @Test("multiplication by ratios is exact where a scale can express it")
    func multiplyByRatio() {
        let third = CMTimeMultiplyByRatio(CMTime(value: 1, timescale: 600), multiplier: 1, divisor: 3)
        #expect(third.value == 1 && third.timescale == 1800 && !third.hasBeenRounded)
        let same = CMTimeMultiplyByRatio(CMTime(value: 9, timescale: 600), multiplier: 2, divisor: 3)
        #expect(same.value == 6 && same.timescale == 600)
        #expect(CMTimeMultiplyByRatio(same, multiplier: 1, divisor: -2).value == -3)
        #expect(CMTimeMultiplyByRatio(same, multiplier: 1, divisor: 0) == .invalid)
        let fine = CMTimeMultiplyByRatio(
            CMTime(value: 1, timescale: 2_000_000_000), multiplier: 1, divisor: 3)
        #expect(fine.timescale == 2_147_483_647 && fine.hasBeenRounded)
        #expect(
            CMTimeMultiplyByRatio(CMTime(value: .min, timescale: 1), multiplier: .min, divisor: -1)
                == .negativeInfinity)
    }

    @Test("random products match exact fractions")
    func randomProducts() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<5000 {
            let time = CMTime.random(using: &generator, values: 30)
            let multiplier = Int32.random(in: -1000...1000, using: &generator)
            let divisor = Int32.random(in: 1...1000, using: &generator)
            let ratio = CMTimeMultiplyByRatio(time, multiplier: multiplier, divisor: divisor)
            let exact = ExactFraction(
                Int128(time.value) * Int128(multiplier), Int128(time.timescale) * Int128(divisor))
            #expect(ratio.hasBeenRounded == (ExactFraction(ratio) != exact))
            #expect(ExactFraction(ratio).isWithinHalfUnit(of: exact, scale: ratio.timescale))
            let double = Double(multiplier) / 64
            let product = CMTimeMultiplyByFloat64(time, multiplier: double)
            let wanted = ExactFraction(Int128(time.value) * Int128(multiplier), Int128(time.timescale) * 64)
            #expect(product.timescale >= 65_536)
            #expect(ExactFraction(product).isWithinHalfUnit(of: wanted, scale: product.timescale))
            #expect(product.hasBeenRounded == (ExactFraction(product) != wanted))
        }
    }

    @Test("the absolute value drops the sign")
    func absolute() {
        #expect(CMTimeAbsoluteValue(CMTime(value: -3, timescale: 2)) == CMTime(value: 3, timescale: 2))
        #expect(CMTimeAbsoluteValue(.negativeInfinity) == .positiveInfinity)
        #expect(CMTimeAbsoluteValue(.indefinite) == .indefinite)
        #expect(CMTimeAbsoluteValue(CMTime(value: .min, timescale: 1)) == .positiveInfinity)
        #expect(CMTimeAbsoluteValue(CMTime(value: .min, timescale: 2)).value == 1 << 62)
    }
}
