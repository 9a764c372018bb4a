import Testing
import TuttiTestSupport

@testable import CoreMedia

@Suite("CMTime: addition and subtraction")
struct CMTimeArithmeticTests {
    static let number = CMTime(value: 7, timescale: 600)

    /// Left, right, sum, difference.
    static let specialCases: [(CMTime, CMTime, CMTime, CMTime)] = [
        (.invalid, number, .invalid, .invalid), (number, .invalid, .invalid, .invalid),
        (.invalid, .positiveInfinity, .invalid, .invalid), (.indefinite, .invalid, .invalid, .invalid),
        (.positiveInfinity, number, .positiveInfinity, .positiveInfinity),
        (number, .positiveInfinity, .positiveInfinity, .negativeInfinity),
        (.negativeInfinity, number, .negativeInfinity, .negativeInfinity),
        (number, .negativeInfinity, .negativeInfinity, .positiveInfinity),
        (.positiveInfinity, .positiveInfinity, .positiveInfinity, .invalid),
        (.positiveInfinity, .negativeInfinity, .invalid, .positiveInfinity),
        (.negativeInfinity, .positiveInfinity, .invalid, .negativeInfinity),
        (.negativeInfinity, .negativeInfinity, .negativeInfinity, .invalid),
        (.indefinite, number, .indefinite, .indefinite), (number, .indefinite, .indefinite, .indefinite),
        (.indefinite, .indefinite, .indefinite, .indefinite),
        (.positiveInfinity, .indefinite, .indefinite, .indefinite),
        (.indefinite, .negativeInfinity, .indefinite, .indefinite),
    ]

    @Test("non-numeric times have defined sums", arguments: specialCases)
    func specials(left: CMTime, right: CMTime, sum: CMTime, difference: CMTime) {
        #expect(left + right == sum && CMTimeAdd(left, right) == sum)
        #expect(left - right == difference && CMTimeSubtract(left, right) == difference)
    }

    static let scaleCases: [(CMTime, CMTime, Int64, Int32)] = [
        (CMTime(value: 1, timescale: 600), CMTime(value: 2, timescale: 600), 3, 600),
        (CMTime(value: 1, timescale: 2), CMTime(value: 1, timescale: 3), 5, 6),
        (CMTime(value: 1, timescale: 4), CMTime(value: 1, timescale: 6), 5, 12),
        (CMTime(value: 1, timescale: 44_100), CMTime(value: 1, timescale: 48_000), 307, 7_056_000),
    ]

    @Test("timescales meet in their least common multiple", arguments: scaleCases)
    func scales(left: CMTime, right: CMTime, value: Int64, scale: Int32) {
        let sum = left + right
        #expect(sum.value == value && sum.timescale == scale && sum.flags == .valid)
    }

    @Test("a multiple that is too large becomes the largest scale, rounded")
    func largestScale() {
        let sum = CMTime(value: 1, timescale: 2_147_483_646) + CMTime(value: 1, timescale: 2_147_483_647)
        #expect(sum.timescale == 2_147_483_647 && sum.value == 2 && sum.hasBeenRounded)
        let exact = CMTime(value: 1, timescale: 44_100) + CMTime(value: 1, timescale: 1_000_000_007)
        #expect(exact.timescale == 2_147_483_647 && exact.hasBeenRounded)
    }

    @Test("overflow halves the scale, and ends in infinity")
    func overflow() {
        let big = CMTime(value: .max, timescale: 4)
        let sum = big + big
        #expect(sum.timescale == 2 && sum.value == .max && !sum.hasBeenRounded)
        let odd = CMTime(value: .max, timescale: 3) + CMTime(value: .max, timescale: 3)
        #expect(odd.timescale == 1 && odd.value == 6_148_914_691_236_517_205 && odd.hasBeenRounded)
        let most = CMTime(value: .max, timescale: 1)
        #expect(most + most == .positiveInfinity)
        let least = CMTime(value: .min, timescale: 1)
        #expect(least + least == .negativeInfinity)
        #expect(least - most == .negativeInfinity)
        #expect(most - least == .positiveInfinity)
        #expect(CMTime.zero - least == .positiveInfinity)
        let negated = CMTime(value: 0, timescale: 2) - CMTime(value: .min, timescale: 2)
        #expect(negated.timescale == 1 && negated.value == 1 << 62)
    }

    @Test("the rounded flag propagates")
    func roundedFlag() {
        let rounded = CMTime(value: 1, timescale: 3).convertScale(10, method: .default)
        #expect(rounded.hasBeenRounded)
        #expect((rounded + .zero).hasBeenRounded && (CMTime.zero - rounded).hasBeenRounded)
        #expect((rounded + CMTime(value: 1, timescale: 10)).hasBeenRounded)
    }

    static let epochCases: [(Int64, Int64, Int64?)] = [
        (0, 0, 0), (3, 3, 0), (3, 0, 3), (0, 3, 3), (3, 4, nil), (-1, -1, 0), (-1, 0, -1),
    ]

    @Test("epochs take part in sums and differences", arguments: epochCases)
    func epochs(left: Int64, right: Int64, result: Int64?) {
        for scale in [600, 601] as [Int32] {
            let a = CMTimeMakeWithEpoch(value: 5, timescale: 600, epoch: left)
            let b = CMTimeMakeWithEpoch(value: 2, timescale: scale, epoch: right)
            for time in [a + b, a - b] {
                if let result {
                    #expect(time.isNumeric && time.epoch == result)
                } else {
                    #expect(time == .invalid)
                }
            }
        }
    }

    @Test("random sums and differences match exact fractions")
    func random() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<10_000 {
            let a = CMTime.random(using: &generator, values: 45)
            let b = CMTime.random(using: &generator, values: 45)
            let negative = CMTime(value: -b.value, timescale: b.timescale)
            for (sum, exact) in [
                (a + b, ExactFraction(a) + ExactFraction(b)),
                (a - b, ExactFraction(a) + ExactFraction(negative)),
            ] {
                let found = ExactFraction(sum)
                #expect(sum.hasBeenRounded == (found != exact))
                #expect(found.isWithinHalfUnit(of: exact, scale: sum.timescale))
            }
            #expect(a + b == b + a)
            #expect(a - b == CMTime.zero - (b - a))
        }
    }

    @Test("random large values are rounded once, to the nearest of the scale that fits")
    func randomLarge() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<5000 {
            let scale = Int32.random(in: 1...100, using: &generator)
            let a = CMTime(value: Int64.random(in: .min ... .max, using: &generator), timescale: scale)
            let b = CMTime(value: Int64.random(in: .min ... .max, using: &generator), timescale: scale)
            let exact = Int128(a.value) + Int128(b.value)
            let sum = a + b
            if Int64(exactly: exact) != nil { #expect(sum.timescale == scale) }
            guard sum.isNumeric else {
                #expect(scale == 1 && (sum == .negativeInfinity) == (exact < 0))
                continue
            }
            let error = Int128(sum.value) * Int128(scale) - exact * Int128(sum.timescale)
            #expect(error.magnitude * 2 <= Int128(scale).magnitude)
            #expect(sum.hasBeenRounded == (error != 0))
        }
    }
}
