import Glibc

/// The weights of a windowed sinc for each fraction of a frame.
///
/// The table has a row of ``tapCount`` weights per phase; row `p` is for the fraction p ⁄ ``phaseCount``, and
/// one more row closes the frame. Kaiser window, shape 9: stop band below −90 dB, flat to 0.91 of the band.
/// With the full band the row of phase 0 is exactly one 1 among zeros, so that a whole frame comes out bit
/// for bit.
struct SincKernel: Sendable {
    /// Weights of a row; an even number, half before the wanted position and half after it.
    static let tapCount = 64
    /// Rows per frame. Linear interpolation between rows keeps the error below −105 dB.
    static let phaseCount = 512
    private static let shape = 9.0

    /// The kernel for equal or rising rates.
    static let full = SincKernel(cutoff: 1)
    /// The kernel for 48 kHz on a device of 44.1 kHz.
    static let narrowed = SincKernel(cutoff: VariableRateResampler.cutoff(ratio: 44_100 / 48_000.0))

    let weights: [Float]

    /// - Parameter cutoff: Half the pass band's width over half the input's rate; at most 1.
    init(cutoff: Double) {
        var weights: [Float] = []
        weights.reserveCapacity((Self.phaseCount + 1) * Self.tapCount)
        for phase in 0...Self.phaseCount {
            let fraction = Double(phase) / Double(Self.phaseCount)
            weights += Self.row(fraction: fraction, cutoff: cutoff).map { Float($0) }
        }
        self.weights = weights
    }

    /// Returns the weights of the frames −31 ... 32 around a position `fraction` after frame 0; their sum is
    /// 1.
    private static func row(fraction: Double, cutoff: Double) -> [Double] {
        let half = tapCount / 2
        let row = (0..<tapCount).map { tap -> Double in
            let distance = Double(tap - half + 1) - fraction
            return sinc(distance * cutoff) * window(distance / Double(half))
        }
        let sum = row.reduce(0, +)
        return row.map { $0 / sum }
    }

    private static func sinc(_ x: Double) -> Double {
        if x == 0 { return 1 }
        // The rounding error of sin(π·n) must not alter whole frames.
        if x == x.rounded() { return 0 }
        return sin(Double.pi * x) / (Double.pi * x)
    }

    private static func window(_ x: Double) -> Double {
        x.magnitude >= 1 ? 0 : bessel(shape * (1 - x * x).squareRoot()) / besselOfShape
    }

    private static let besselOfShape = bessel(shape)

    /// Returns the modified Bessel function of order 0, by its series.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term) = (1.0, 1.0)
        for index in 1...40 {
            let factor = x / 2 / Double(index)
            term *= factor * factor
            sum += term
            if term < sum * 1e-17 { break }
        }
        return sum
    }
}
