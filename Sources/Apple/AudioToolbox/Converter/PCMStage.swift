import TuttiPCM
import TuttiResampling

/// A stage that converts frames of any rate, channel count and sample format to one format. Only one thread
/// at a time may use it.
final class PCMStage {
    let target: PCMFormat
    private let routing: ChannelRouting
    private let quality: Resampler.Quality
    private var narrowing: SampleConverter
    /// The format of the current frames, and the resampler created for this format.
    private var source: PCMFormat?
    private var resampler: Resampler?

    init(
        to target: PCMFormat, routing: ChannelRouting, quality: Resampler.Quality,
        dither: SampleConverter.Dither
    ) {
        self.target = target
        self.routing = routing
        self.quality = quality
        narrowing = SampleConverter(to: target.sampleFormat, dither: dither)
    }

    /// Returns the target frames that these frames complete; a new format ends the previous stream.
    func process(_ buffer: PCMBuffer) throws(ResamplingError) -> PCMBuffer {
        var output = PCMBuffer(format: target)
        if buffer.format != source {
            output = try finish()
            source = buffer.format
            resampler = nil
        }
        var frames = routing.route(buffer, to: target.channelCount)
        if frames.format.sampleRate != target.sampleRate {
            if frames.format.sampleFormat == .int16 {
                var widening = SampleConverter(to: .int32)
                frames = widening.convert(frames)
            }
            if resampler == nil {
                resampler = try Resampler(from: frames.format, to: target.sampleRate, quality: quality)
            }
            if let resampler { frames = try resampler.process(frames) }
        }
        let narrow = narrowing.convert(frames)
        if output.isEmpty { return narrow }
        output.append(narrow)
        return output
    }

    /// Returns the rest of the stream; the next frames begin a new stream.
    func finish() throws(ResamplingError) -> PCMBuffer {
        guard let resampler else { return PCMBuffer(format: target) }
        return narrowing.convert(try resampler.finish())
    }

    /// Discards the frames so far.
    func reset() {
        source = nil
        resampler = nil
    }
}
