import MediaTime
import PCM

/// Why a resampler could not be made or went on strike; the library's own words.
public struct ResamplingError: Error, Equatable, Sendable, CustomStringConvertible {
    public let operation: String
    public let reason: String

    public var description: String { "\(operation): \(reason)" }
}

/// Changes the sample rate of a stream of buffers.
///
/// Push buffers with ``process(_:)``, end with ``finish()``; the output is aligned with the input
/// (no delay to subtract) and has exactly round(input × out ⁄ in) frames in all. Equal rates pass
/// through untouched. Float samples stay float; 24 and 32 bit become ``SampleFormat/int32``, clipped
/// at full scale; 16 bit sources should be widened first.
///
/// Not for two threads at a time. Memory: the filter's, a few hundred KiB, and what one call gives.
public final class Resampler {
    public enum Quality: Hashable, Sendable {
        /// 20 bit precision.
        case high
        /// 28 bit precision, in double.
        case veryHigh
    }

    public let inputFormat: PCMFormat
    public let outputFormat: PCMFormat
    private let handle: SoxrHandle?
    private var inputFrameCount: Int64 = 0
    private var outputFrameCount: Int64 = 0

    /// - Precondition: The input is not ``SampleFormat/int16``.
    public init(from inputFormat: PCMFormat, to rate: SampleRate, quality: Quality = .high)
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

    /// The frames that these make ready; may be none, the filter looks ahead.
    ///
    /// - Precondition: The buffer has ``inputFormat``.
    public func process(_ buffer: PCMBuffer) throws(ResamplingError) -> PCMBuffer {
        precondition(buffer.format == inputFormat, "formats differ")
        guard let handle else { return buffer }
        inputFrameCount += Int64(buffer.frameCount)
        let output = try handle.process(buffer, into: outputFormat)
        outputFrameCount += Int64(output.frameCount)
        return output
    }

    /// The rest of the stream, and ready for the next one.
    public func finish() throws(ResamplingError) -> PCMBuffer {
        guard let handle else { return PCMBuffer(format: outputFormat) }
        let missing = Int(max(0, expectedFrameCount - outputFrameCount))
        var output = try handle.drain(into: outputFormat, frameCount: missing)
        // The library rounds its own length; ours is the contract.
        output.appendSilence(frameCount: missing - output.frameCount)
        try reset()
        return output
    }

    /// Forgets the stream so far; the next buffer starts a new one.
    public func reset() throws(ResamplingError) {
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
