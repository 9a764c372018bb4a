import Foundation

/// A filter that raises or lowers one band: the peaking equaliser of R. Bristow-Johnson's Audio EQ Cookbook.
struct PeakingFilter: Sendable {
    /// The width of a band in octaves, between the points of half its gain in decibels. Wider bands ripple less
    /// between their centres, narrower ones stay further from their neighbours.
    private static let octaves = 1.3

    private let b0, b1, b2, a1, a2: Double
    /// The two delays of the transposed direct form, of the left and the right channel.
    private var first = SIMD2<Double>()
    private var second = SIMD2<Double>()

    /// - Parameters:
    ///   - frequency: The centre in hertz, below half the rate.
    ///   - gain: Decibels at the centre.
    init(frequency: Double, gain: Double, rate: Double) {
        let root = pow(10, gain / 40)
        let angle = 2 * Double.pi * frequency / rate
        let width = sin(angle) * sinh(log(2) / 2 * Self.octaves * angle / sin(angle))
        let scale = 1 / (1 + width / root)
        (b0, b1, b2) = ((1 + width * root) * scale, -2 * cos(angle) * scale, (1 - width * root) * scale)
        (a1, a2) = (b1, (1 - width / root) * scale)
    }

    /// Returns the gain at a frequency, in decibels.
    func response(at frequency: Double, rate: Double) -> Double {
        let phase = pow(sin(Double.pi * frequency / rate), 2)
        return 10 * log10(Self.power(b0, b1, b2, phase) / Self.power(1, a1, a2, phase))
    }

    /// The squared magnitude of a polynomial on the unit circle, in the form that keeps its digits at low frequencies.
    private static func power(_ c0: Double, _ c1: Double, _ c2: Double, _ phase: Double) -> Double {
        let sum = c0 + c1 + c2
        return sum * sum - 4 * (c0 * c1 + 4 * c0 * c2 + c1 * c2) * phase + 16 * c0 * c2 * phase * phase
    }

    /// Filters a frame.
    @inline(__always)
    mutating func filter(_ frame: SIMD2<Double>) -> SIMD2<Double> {
        let output = frame * b0 + first
        first = frame * b1 - output * a1 + second
        second = frame * b2 - output * a2
        return output
    }

    /// Forgets the sound so far.
    mutating func reset() { (first, second) = (SIMD2(), SIMD2()) }

    /// Makes a state that has died away zero, before it is a number that processors are slow with.
    mutating func settle() {
        let limit = 1e-30
        if max(abs(first.x), abs(first.y), abs(second.x), abs(second.y)) < limit { reset() }
    }
}
