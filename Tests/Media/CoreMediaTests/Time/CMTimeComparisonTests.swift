import Testing
import TuttiTestSupport

@testable import CoreMedia

@Suite("CMTime: order, equality, hash")
struct CMTimeComparisonTests {
    /// Times from first to last; times on one line are equal.
    static let order: [[CMTime]] = [
        [.negativeInfinity, CMTime(value: 9, timescale: 9, flags: [.valid, .negativeInfinity], epoch: 4)],
        [CMTime(value: .min, timescale: 1)],
        [CMTime(value: -1, timescale: 2), CMTime(value: -500, timescale: 1000)],
        [.zero, CMTime(value: 0, timescale: 44_100)],
        [CMTime(value: 1, timescale: 3)],
        [CMTime(value: 1, timescale: 2), CMTime(value: 500, timescale: 1000)],
        [CMTime(value: .max, timescale: 1)],
        [CMTimeMakeWithEpoch(value: -5, timescale: 1, epoch: 1)],
        [.indefinite],
        [.positiveInfinity],
        [.invalid, CMTime(value: 5, timescale: 5, flags: [], epoch: 3), CMTime(value: 1, timescale: 0)],
    ]

    @Test("all kinds are ordered")
    func kinds() {
        for (left, lefts) in Self.order.enumerated() {
            for (right, rights) in Self.order.enumerated() {
                for a in lefts {
                    for b in rights {
                        #expect((a < b) == (left < right))
                        #expect((a == b) == (left == right))
                        #expect(CMTimeCompare(a, b) == (left < right ? -1 : left == right ? 0 : 1))
                        if a == b { #expect(a.hashValue == b.hashValue) }
                    }
                }
            }
        }
    }

    @Test("order and hash of random numbers match exact fractions")
    func random() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<5000 {
            let a = CMTime.random(using: &generator, values: 40)
            let b = CMTime.random(using: &generator, values: 40)
            let (exactA, exactB) = (ExactFraction(a), ExactFraction(b))
            #expect((a == b) == (exactA == exactB))
            #expect((a < b) == (exactA < exactB))
            let factor = Int32.random(in: 1...30, using: &generator)
            let same = CMTime(value: a.value * Int64(factor), timescale: a.timescale * factor)
            #expect(same == a && Set([same, a]).count == 1)
            #expect(CMTimeMinimum(a, b) == (exactB < exactA ? b : a))
            #expect(CMTimeMaximum(a, b) == (exactA < exactB ? b : a))
        }
    }
}

extension CMTime {
    /// Returns a time of random value and scale; `values` is the number of bits of the value.
    static func random(using generator: inout SeededGenerator, values: Int) -> CMTime {
        let bits = Int.random(in: 1...values, using: &generator)
        let limit = bits >= 63 ? Int64.max : 1 << Int64(bits)
        let usual: [Int32] = [1, 30, 600, 1000, 8000, 44_100, 48_000, 90_000, 192_000, 1_000_000]
        let scale =
            Bool.random(using: &generator)
            ? usual.randomElement(using: &generator) ?? 1 : Int32.random(in: 1...1_000_000, using: &generator)
        return CMTime(value: Int64.random(in: -limit...limit, using: &generator), timescale: scale)
    }
}
