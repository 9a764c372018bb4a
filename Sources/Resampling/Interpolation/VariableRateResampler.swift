public import MediaTime

/// Gives the sound at any place between two frames, at a step that may change with every call.
///
/// It has no state and so no delay: a call names the places it wants, and the caller keeps the input. That makes a
/// seek, a splice or a change of step exact by construction, which a stream resampler with a filter memory is not.
/// At whole places with a full band the input comes out bit for bit.
///
/// Safe on any thread; a call allocates nothing. Cost: 128 multiplications per sample, for stereo at 44.1 kHz half a
/// per cent of a core. The weights, 131 kB, are shared between all of the usual rates.
public struct VariableRateResampler: Sendable {
    /// Frames of input needed before the first place, its own one not counted.
    public static let framesBefore = SincKernel.tapCount / 2 - 1
    /// Frames of input needed behind the last place, its own one not counted.
    public static let framesAfter = SincKernel.tapCount / 2

    /// Going down, what folds back is 60 dB down from 1.07 of the output's band on.
    private static let narrowing = 0.96

    private let kernel: SincKernel

    /// - Parameters: Nominal rates; going down, the band is narrowed to what the output can carry.
    public init(from inputRate: SampleRate, to outputRate: SampleRate) {
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
    ///   - input: One channel. Places are counted from its first sample.
    ///   - start: The first place, at least ``framesBefore``.
    ///   - step: Input frames per output frame, above 0.
    ///   - output: Room for `count` samples `stride` apart.
    /// - Precondition: The last place and ``framesAfter`` behind it lie inside `input`.
    public func resample(
        _ input: UnsafeBufferPointer<Float>, from start: Double, step: Double,
        into output: UnsafeMutablePointer<Float>, stride: Int, count: Int
    ) {
        guard count > 0, let base = input.baseAddress else { return }
        let last = start + Double(count - 1) * step
        precondition(
            start >= Double(Self.framesBefore) && step > 0
                && last < Double(input.count - Self.framesAfter), "places outside the input")
        kernel.weights.withUnsafeBufferPointer { weights in
            guard let weights = weights.baseAddress else { return }
            var index = 0
            while index < count {
                let place = start + Double(index) * step
                let whole = Int(place)
                output[index * stride] = Self.sample(
                    base + (whole - Self.framesBefore), fraction: place - Double(whole), weights)
                index += 1
            }
        }
    }

    /// Four sums side by side, which the compiler turns into vectors.
    @inline(__always)
    private static func sample(
        _ input: UnsafePointer<Float>, fraction: Double, _ weights: UnsafePointer<Float>
    ) -> Float {
        let phase = fraction * Double(SincKernel.phaseCount)
        let row = Int(phase)
        let here = weights + row * SincKernel.tapCount
        // `fraction` is below 1, but its product may round up to the closing row.
        let next = row < SincKernel.phaseCount ? here + SincKernel.tapCount : here
        var (a0, a1, a2, a3): (Float, Float, Float, Float) = (0, 0, 0, 0)
        var (b0, b1, b2, b3): (Float, Float, Float, Float) = (0, 0, 0, 0)
        var tap = 0
        while tap < SincKernel.tapCount {
            a0 += input[tap] * here[tap]
            a1 += input[tap + 1] * here[tap + 1]
            a2 += input[tap + 2] * here[tap + 2]
            a3 += input[tap + 3] * here[tap + 3]
            b0 += input[tap] * next[tap]
            b1 += input[tap + 1] * next[tap + 1]
            b2 += input[tap + 2] * next[tap + 2]
            b3 += input[tap + 3] * next[tap + 3]
            tap += 4
        }
        let (a, b) = ((a0 + a1) + (a2 + a3), (b0 + b1) + (b2 + b3))
        return a + Float(phase - Double(row)) * (b - a)
    }
}
