import Foundation
import TuttiMediaTime

/// An equaliser of ten bands, an octave apart, for interleaved stereo.
///
/// The response at the middle of each band is the gain that was set, whatever the neighbours' gains are: the filters'
/// own gains are solved for it. The sound is attenuated by the largest gain of all frequencies, so that full scale stays
/// within full scale once the filters have settled; a sudden edge may still pass it, see ``PeakLimiter``.
///
/// Costs nothing if all gains are 0: samples pass unchanged. A value; not for two streams at once.
package struct GraphicEqualizer: Sendable {
    /// The middle of the bands, in hertz.
    package static let frequencies = [31.25, 62.5, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000]
    /// The range of a gain, in decibels.
    package static let range = -12.0...12.0

    /// Decibels by which the sound is attenuated so that raised bands do not clip; 0 or more.
    package let headroom: Double
    private var filters: [PeakingFilter]
    private let level: Double
    private let rate: Double

    /// Makes an equaliser.
    ///
    /// - Parameter gains: Decibels, one for each of ``frequencies``; missing ones are 0, others are cut to ``range``.
    ///   Bands at and near half the sample rate or above it are left out.
    package init(gains: [Double], sampleRate: SampleRate) {
        rate = Double(sampleRate.hertz)
        let gains = Self.valid(gains)
        let highest = rate / 2 * 0.95
        let bands = zip(Self.frequencies, gains).filter { $0.0 < highest }
        if bands.allSatisfy({ $0.1 == 0 }) {
            (filters, headroom, level) = ([], 0, 1)
            return
        }
        filters = Self.solve(bands.map(\.0), bands.map(\.1), rate)
        headroom = Self.largestResponse(of: filters, rate)
        level = pow(10, -headroom / 20)
    }

    /// Returns ten gains in range.
    static func valid(_ gains: [Double]) -> [Double] {
        frequencies.indices.map { place in
            guard place < gains.count, gains[place].isFinite else { return 0 }
            return min(max(gains[place], range.lowerBound), range.upperBound)
        }
    }

    /// Returns the gain at a frequency in decibels, ``headroom`` included.
    ///
    /// - Parameter frequency: Hertz, up to half the sample rate.
    package func response(at frequency: Double) -> Double {
        Self.response(of: filters, at: frequency, rate) - headroom
    }

    /// Forgets the sound so far, as after a seek.
    package mutating func reset() {
        for index in filters.indices { filters[index].reset() }
    }

    /// Filters frames in place. Samples that are no numbers become 0. Takes no memory; any thread.
    ///
    /// - Parameter samples: Left and right in turn; a last sample without its partner stays as it is.
    package mutating func process(_ samples: UnsafeMutableBufferPointer<Float>) {
        guard !filters.isEmpty else { return }
        let level = level
        filters.withUnsafeMutableBufferPointer { filters in
            var place = 0
            while place + 1 < samples.count {
                let end = min(samples.count - 1, place + 2 * Self.settlingInterval)
                while place < end {
                    var frame = SIMD2(Self.number(samples[place]), Self.number(samples[place + 1])) * level
                    for index in filters.indices { frame = filters[index].filter(frame) }
                    (samples[place], samples[place + 1]) = (Float(frame.x), Float(frame.y))
                    place += 2
                }
                for index in filters.indices { filters[index].settle() }
            }
        }
    }

    /// Frames after which dying states are looked for: even the fastest filter loses no more than 40 decimal digits in
    /// between.
    private static let settlingInterval = 64

    @inline(__always)
    private static func number(_ sample: Float) -> Double { sample.isFinite ? Double(sample) : 0 }

    // MARK: Design

    /// Returns filters whose sum has the gains at the bands' centres.
    private static func solve(_ centres: [Double], _ gains: [Double], _ rate: Double) -> [PeakingFilter] {
        func filters(_ own: [Double]) -> [PeakingFilter] {
            zip(centres, own).map { PeakingFilter(frequency: $0, gain: $1, rate: rate) }
        }
        // A filter's response far from its centre is nearly in proportion to its gain, so few steps suffice.
        let unit = filters(centres.map { _ in 1 })
        let influence = centres.map { centre in unit.map { $0.response(at: centre, rate: rate) } }
        var own = LinearEquations.solve(influence, gains)
        for _ in 0..<20 {
            let missing = zip(gains, centres).map { gain, centre in
                gain - response(of: filters(own), at: centre, rate)
            }
            guard missing.contains(where: { abs($0) > 0.001 }) else { break }
            own = zip(own, LinearEquations.solve(influence, missing)).map(+)
        }
        return filters(own)
    }

    private static func response(
        of filters: [PeakingFilter], at frequency: Double, _ rate: Double
    ) -> Double {
        filters.reduce(0) { $0 + $1.response(at: frequency, rate: rate) }
    }

    /// Returns the largest gain at any frequency, at least 0: far below all bands nothing is changed.
    private static func largestResponse(of filters: [PeakingFilter], _ rate: Double) -> Double {
        // Between two points the sharpest top rises by less than the margin.
        let (lowest, points, margin) = (10.0, 96.0, 0.01)
        let count = Int((log2(rate / 2 / lowest) * points).rounded(.up))
        let largest = (0...count).reduce(0.0) { largest, place in
            let frequency = min(lowest * exp2(Double(place) / points), rate / 2)
            return max(largest, response(of: filters, at: frequency, rate))
        }
        return largest == 0 ? 0 : largest + margin
    }
}

/// Equations as many as unknowns.
enum LinearEquations {
    /// Returns x with `rows` · x = `right`, by Gauss's elimination; zeros where the equations say nothing.
    static func solve(_ rows: [[Double]], _ right: [Double]) -> [Double] {
        var rows = zip(rows, right).map { $0 + [$1] }
        let count = rows.count
        for step in 0..<count {
            let pivot = (step..<count).max { abs(rows[$0][step]) < abs(rows[$1][step]) } ?? step
            rows.swapAt(step, pivot)
            guard rows[step][step] != 0 else { continue }
            for row in step + 1..<count {
                let factor = rows[row][step] / rows[step][step]
                for column in step...count { rows[row][column] -= factor * rows[step][column] }
            }
        }
        var solution = [Double](repeating: 0, count: count)
        for row in (0..<count).reversed() where rows[row][row] != 0 {
            let known = (row + 1..<count).reduce(0.0) { $0 + rows[row][$1] * solution[$1] }
            solution[row] = (rows[row][count] - known) / rows[row][row]
        }
        return solution
    }
}
