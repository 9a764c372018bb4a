import CoreMedia
import TuttiMediaTime
import TuttiPCM

/// The silence between the end of a film's sound and the end of its pictures, as sample buffers in item time.
struct SilentTail {
    /// Item time after the last buffer.
    var end: CMTime { buffers.time(position) }

    private let buffers: SoundBuffers
    private var position: Int64
    private let last: Int64
    private let format: PCMFormat

    /// - Parameters:
    ///   - start: Item time after the sound.
    ///   - last: The frame at which the pictures end.
    /// - Returns: `nil` if the pictures are not longer than the sound by a tenth of a second or more.
    init?(from start: CMTime, to last: Int64, sampleRate: SampleRate) {
        position = start.convertScale(CMTimeScale(sampleRate.hertz), method: .roundHalfAwayFromZero).value
        format = PCMFormat(sampleRate: sampleRate, channelCount: 2, sampleFormat: .int16)
        // The description cannot fail: plain stereo of 16 bits.
        guard last >= position + Int64(sampleRate.hertz) / 10,
            let description = try? SoundDescription.linear(format)
        else { return nil }
        self.last = last
        buffers = SoundBuffers(format: description, sampleRate: sampleRate, start: .zero)
    }

    /// Returns the next buffer, of up to a second; `nil` at the end.
    mutating func nextBuffer() -> CMSampleBuffer? {
        let count = min(last - position, Int64(format.sampleRate.hertz))
        guard count > 0 else { return nil }
        var frames = PCMBuffer(format: format)
        frames.appendSilence(frameCount: Int(count))
        defer { position += count }
        return buffers.buffer(of: frames, at: position)
    }
}
