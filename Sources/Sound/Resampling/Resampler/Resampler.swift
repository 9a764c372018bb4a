import TuttiMediaTime
import TuttiPCM

/// The reason that a resampler could not be created or failed, in the library's words.
package struct ResamplingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The failed function of the library, e.g. `soxr_create`.
    package let operation: String
    /// The library's message.
    package let reason: String

    /// The message for logs.
    package var description: String { "\(operation): \(reason)" }
}

/// Changes the sample rate of a stream of buffers.
///
/// Push buffers with ``process(_:)``, end with ``finish()``. The output is aligned with the input (no delay
/// to subtract) and has exactly round(input × out ⁄ in) frames in total. Equal rates pass through unchanged.
/// Float samples stay float; 24 and 32 bit become ``SampleFormat/int32``, clipped at full scale; 16 bit
/// sources must be widened first.
///
/// Use from one thread at a time. Memory: the filter's, a few hundred KiB, and the output of one call.
package final class Resampler {
    /// The precision of the filter.
    package enum Quality: Hashable, Sendable {
        /// 20 bit precision.
        case high
        /// 28 bit precision, calculated in double.
        case veryHigh
    }

    /// The format of the input.
    package let inputFormat: PCMFormat
    /// The format of the output.
    package let outputFormat: PCMFormat
    private let handle: SoxrHandle?
    private var inputFrameCount: Int64 = 0
    private var outputFrameCount: Int64 = 0

    /// Creates a resampler.
    ///
    /// - Precondition: the input is not ``SampleFormat/int16``.
    /// - Throws: An error if the library cannot create the filter.
    package init(from inputFormat: PCMFormat, to rate: SampleRate, quality: Quality = .high)
        throws(ResamplingError)
    {
        precondition(inputFormat.sampleFormat != .int16, "widen 16 bit samples first")
        self.inputFormat = inputFormat
        if rate == inputFormat.sampleRate {
            outputFormat = inputFormat
            handle = nil
        } else {
            let isFloat = inputFormat.sampleFormat == .float32
            outputFormat = inputFormat.with(isFloat ? .float32 : .int32).with(sampleRate: rate)
            handle = try SoxrHandle(from: inputFormat, to: rate, quality: quality)
        }
    }

    /// Resamples one buffer and returns the frames that are ready; none if the filter needs more look-ahead.
    ///
    /// - Precondition: the buffer has ``inputFormat``.
    package func process(_ buffer: PCMBuffer) throws(ResamplingError) -> PCMBuffer {
        precondition(buffer.format == inputFormat, "formats differ")
        guard let handle else { return buffer }
        inputFrameCount += Int64(buffer.frameCount)
        let output = try handle.process(buffer, into: outputFormat)
        outputFrameCount += Int64(output.frameCount)
        return output
    }

    /// Drains the stream and resets for the next one.
    package func finish() throws(ResamplingError) -> PCMBuffer {
        guard let handle else { return PCMBuffer(format: outputFormat) }
        let missing = Int(max(0, expectedFrameCount - outputFrameCount))
        var output = try handle.drain(into: outputFormat, frameCount: missing)
        // The library rounds the length in its own way; the missing frames become silence.
        output.appendSilence(frameCount: missing - output.frameCount)
        try reset()
        return output
    }

    /// Discards the stream so far; the next buffer starts a new one.
    package func reset() throws(ResamplingError) {
        inputFrameCount = 0
        outputFrameCount = 0
        try handle?.clear()
    }

    private var expectedFrameCount: Int64 {
        let (inRate, outRate) = (Int64(inputFormat.sampleRate.hertz), Int64(outputFormat.sampleRate.hertz))
        let (seconds, rest) = inputFrameCount.quotientAndRemainder(dividingBy: inRate)
        return seconds * outRate + (rest * outRate + inRate / 2) / inRate
    }
}
