import CTuttiFFmpeg
import TuttiMediaTime

/// Silence instead of the sound of a film that has none, as long as its pictures.
struct SilentStream {
    /// Samples of 16 bits, in two channels, at 48 kHz.
    static let parameters: AudioStreamParameters? = SampleRate(hertz: rate).map {
        AudioStreamParameters(
            codecID: AV_CODEC_ID_PCM_S16LE, sampleRate: $0, channelCount: 2, bitDepth: 16, cookie: [])
    }
    private static let rate = 48_000
    /// Frames of a packet.
    private static let packetFrameCount: Int64 = 4096
    private static let silence = [UInt8](repeating: 0, count: Int(packetFrameCount) * 4)

    /// The film's pictures.
    let stream: UnsafeMutablePointer<AVStream>
    /// The length of the silence, in frames.
    let frameCount: Int64
    /// The container's time of the first picture that edit lists do not leave out, in frames.
    let zeroTime: Int64
    private var position: Int64 = 0

    /// - Returns: `nil` if the source has no pictures, or does not say how long they are.
    init?(_ source: FormatSource) {
        guard let stream = VideoReader.choose(nil, in: source) else { return nil }
        let frames = AVRational(num: 1, den: Int32(Self.rate))
        let (unit, start) = (stream.pointee.time_base, stream.pointee.start_time)
        var length = stream.pointee.duration
        if length > 0, length < 1 << 56, unit.num > 0, unit.den > 0 {
            length = av_rescale_q(length, unit, frames)
        } else {
            length = source.context.pointee.duration
            guard length > 0, length < 1 << 56 else { return nil }
            length = av_rescale_q(length, AVRational(num: 1, den: AV_TIME_BASE), frames)
        }
        guard (1...1 << 50).contains(length) else { return nil }
        var span = StreamSpan(start: 0, length: length)
        if start > -(1 << 56), start < 1 << 56, unit.num > 0, unit.den > 0 {
            let zero = av_rescale_q(start, unit, frames)
            if (-(1 << 50)...1 << 50).contains(zero) { span.start = zero }
        }
        let reading = MediaInfoReading(source: source, stream: stream)
        if reading.container == "mov" {
            span = span.presented(
                movieEnd: reading.movieEnd(frames), tolerance: StreamSpan.tolerance(rate: Self.rate))
        }
        (self.stream, frameCount, zeroTime) = (stream, span.length, span.start)
    }

    mutating func nextPacket() -> EncodedPacket? {
        let count = min(Self.packetFrameCount, frameCount - position)
        guard count > 0 else { return nil }
        defer { position += count }
        return EncodedPacket(
            payload: count == Self.packetFrameCount
                ? Self.silence : Array(Self.silence.prefix(Int(count) * 4)),
            timestamp: position, duration: Int(count))
    }

    mutating func seek(toFrame frame: Int64) { position = min(max(0, frame), frameCount) }
}
