import TuttiSeeds

/// The count of a crystal as a function of the time that drives it, both in whole nanoseconds from 0 on.
///
/// The rate is constant within each second and may change from one second to the next. A rate is a whole number of parts
/// per thousand million, so a second adds a whole number of nanoseconds, and the count has no step where the rate changes.
package struct CrystalClock: Hashable, Sendable {
    /// The rate beyond 1 in each second, in parts per thousand million; the last one goes on.
    private let rates: [Int64]
    /// The count at the beginning of each second, less the seconds themselves.
    private let offsets: [Int64]

    private static let second: Int64 = 1_000_000_000
    /// The greatest rate beyond 1, in parts per thousand million: more than any crystal's.
    private static let greatestRate: Int64 = 1_000_000

    /// A crystal with one rate.
    ///
    /// - Parameter rate: The rate beyond 1, in parts per thousand million.
    package init(rate: Int64 = 0) { self.init(rates: [rate]) }

    /// - Parameter rates: The rate beyond 1 in each second, in parts per thousand million; not empty.
    package init(rates: [Int64]) {
        precondition(!rates.isEmpty && rates.allSatisfy { abs($0) <= Self.greatestRate })
        self.rates = rates
        var offset: Int64 = 0
        offsets = rates.map { rate in
            defer { offset += rate }
            return offset
        }
    }

    /// Returns the rate beyond 1 at a time, in parts per thousand million.
    package func rate(at time: Int64) -> Int64 { rates[index(of: time)] }

    /// Returns the count at a time. Does not fall, and rises with any two nanoseconds.
    package func count(at time: Int64) -> Int64 {
        let index = index(of: time)
        return time + offsets[index] + Self.share(time - Int64(index) * Self.second, rates[index])
    }

    /// Returns the first time from 0 on at which the count is at least `count`.
    ///
    /// - Parameter count: At most a quarter of the largest integer.
    package func time(of count: Int64) -> Int64 {
        var time = count
        while self.count(at: time) < count { time += max(1, count - self.count(at: time)) }
        while time > 0 {
            let excess = self.count(at: time - 1) - count
            if excess < 0 { break }
            // Less than the excess, so that a fast crystal is not passed by.
            time -= max(1, excess - excess / 900 - 2)
        }
        return time
    }

    private func index(of time: Int64) -> Int { max(0, min(Int(time / Self.second), rates.count - 1)) }

    private static func share(_ time: Int64, _ billionths: Int64) -> Int64 {
        second.dividingFullWidth(time.multipliedFullWidth(by: billionths)).quotient
    }

    // MARK: Wandering

    /// Seconds of a ramp of the temperature.
    private static let rampSeconds = 20...90
    /// The steepest ramp, in parts per thousand million a second: 2 ppm a minute.
    private static let steepest: Int64 = 33
    /// The greatest step of the random walk in a second, in parts per thousand million.
    private static let longestStep: Int64 = 4
    /// The greatest distance from the usual rate, in parts per thousand million.
    private static let farthest: Int64 = 8_000
    /// Seconds for which the rate is drawn.
    private static let drawnSeconds = 1_200

    /// Draws a crystal whose rate follows the temperature in slow ramps, and walks at random a little.
    ///
    /// - Parameter rate: The rate at the beginning, in parts per thousand million.
    package static func wandering(from rate: Int64, using random: inout SeededGenerator) -> CrystalClock {
        var (slope, left, distance): (Int64, Int, Int64) = (0, 0, 0)
        let rates = (0..<drawnSeconds).map { _ in
            if left == 0 {
                left = Int.random(in: rampSeconds, using: &random)
                slope = Int64.random(in: -steepest...steepest, using: &random)
            }
            left -= 1
            // A ramp that leads too far turns.
            if abs(distance + slope) > farthest { slope = -slope }
            distance += slope + Int64.random(in: -longestStep...longestStep, using: &random)
            return rate + distance
        }
        return CrystalClock(rates: rates)
    }
}
