import CTuttiVectors
import TuttiMediaTime

/// Interpolates sound at any position between two frames, with a step that may change with every call.
///
/// The resampler has no state and so no delay: each call names the positions, and the caller keeps the input.
/// Seeks, splices and changes of step are therefore exact, unlike in a stream resampler with filter memory.
/// At whole positions with a full band, the input comes out bit for bit.
///
/// Thread-safe; a call allocates nothing. Cost: 128 multiplications per sample, a tenth of a per cent of a core for
/// stereo at 44.1 kHz. All of the usual rates share the weights, 131 kB.
package struct VariableRateResampler: Sendable {
    /// Input frames needed before the frame of the first position.
    package static let framesBefore = SincKernel.tapCount / 2 - 1
    /// Input frames needed after the frame of the last position.
    package static let framesAfter = SincKernel.tapCount / 2

    /// Narrowing of the band when the rate falls: aliases are 60 dB down from 1.07 of the output's band on.
    private static let narrowing = 0.96

    private let kernel: SincKernel

    /// Creates a resampler between nominal rates. For a falling rate, the band is narrowed to the output's.
    package init(from inputRate: SampleRate, to outputRate: SampleRate) {
        let ratio = Double(outputRate.hertz) / Double(inputRate.hertz)
        if ratio >= 1 {
            kernel = .full
        } else if inputRate == .hz48000, outputRate == .hz44100 {
            kernel = .narrowed
        } else {
            kernel = SincKernel(cutoff: Self.cutoff(ratio: ratio))
        }
    }

    static func cutoff(ratio: Double) -> Double { ratio < 1 ? ratio * narrowing : 1 }

    /// Writes `count` samples of one channel.
    ///
    /// - Parameters:
    ///   - input: One channel; positions count from its first sample.
    ///   - start: The first position, at least ``framesBefore``.
    ///   - step: Input frames per output frame, above 0.
    ///   - output: Room for `count` samples, `stride` apart.
    /// - Precondition: the last position and ``framesAfter`` frames after it lie inside `input`.
    package func resample(
        _ input: UnsafeBufferPointer<Float>, from start: Double, step: Double,
        into output: UnsafeMutablePointer<Float>, stride: Int, count: Int
    ) {
        guard count > 0, let base = input.baseAddress else { return }
        let last = start + Double(count - 1) * step
        precondition(
            start >= Double(Self.framesBefore) && step > 0
                && last < Double(input.count - Self.framesAfter), "places outside the input")
        let isByEight = shim_has_vectors_of_eight()
        kernel.weights.withUnsafeBufferPointer { weights in
            guard let weights = weights.baseAddress else { return }
            var index = 0
            while index < count {
                let place = start + Double(index) * step
                let whole = Int(place)
                output[index * stride] = Self.sample(
                    base + (whole - Self.framesBefore), fraction: place - Double(whole), weights, isByEight)
                index += 1
            }
        }
    }

    @inline(__always)
    private static func sample(
        _ input: UnsafePointer<Float>, fraction: Double, _ weights: UnsafePointer<Float>, _ isByEight: Bool
    ) -> Float {
        let phase = fraction * Double(SincKernel.phaseCount)
        let row = Int(phase)
        let here = weights + row * SincKernel.tapCount
        // `fraction` is below 1, but its product may round up to the closing row.
        let next = row < SincKernel.phaseCount ? here + SincKernel.tapCount : here
        let sums =
            isByEight
            ? shim_sums_of_products_by_eight(input, here, next, SincKernel.tapCount)
            : shim_sums_of_products(input, here, next, SincKernel.tapCount)
        return sums.first + Float(phase - Double(row)) * (sums.second - sums.first)
    }
}
