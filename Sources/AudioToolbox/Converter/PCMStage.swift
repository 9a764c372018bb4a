import PCM
import Resampling

/// Brings frames of any rate, channels and sample format to one format. For one thread at a time.
final class PCMStage {
    let target: PCMFormat
    private let routing: ChannelRouting
    private let quality: Resampler.Quality
    private var narrowing: SampleConverter
    /// The format of the frames so far, and the resampler that was made for them.
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

    /// The frames of the target that these make ready; a change of format ends the stream before it.
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

    /// The rest of the stream; the next frames begin another one.
    func finish() throws(ResamplingError) -> PCMBuffer {
        guard let resampler else { return PCMBuffer(format: target) }
        return narrowing.convert(try resampler.finish())
    }

    /// Forgets the frames so far.
    func reset() {
        source = nil
        resampler = nil
    }
}
