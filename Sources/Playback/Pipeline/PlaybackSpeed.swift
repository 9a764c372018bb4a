import CoreMedia
import MediaTime

/// How the pitch is treated at rates other than 1.
public enum PitchTreatment: Sendable, Hashable {
    /// Speech and music keep their pitch.
    case kept
    /// As a tape that runs faster or slower.
    case varied
}

/// Which frame of the wire a presentation time has, at the rate that is played.
///
/// At rate 1 frames count from time zero. At another rate they do so at `origin`, and from there on the time goes by
/// `rate` times as fast as the frames.
struct PlaybackSpeed: Sendable, Hashable {
    var rate: Double
    var origin: CMTime

    static let normal = PlaybackSpeed(rate: 1, origin: .zero)

    /// Beyond this no sum of frames stays in 64 bits.
    private static let limit = 0x1p60

    func frame(of time: CMTime, at sampleRate: SampleRate) -> Int64 {
        let scale = CMTimeScale(sampleRate.hertz)
        guard rate != 1 else { return time.convertScale(scale, method: .roundHalfAwayFromZero).value }
        let start = origin.convertScale(scale, method: .roundHalfAwayFromZero).value
        let frames = (time - origin).seconds * Double(sampleRate.hertz) / rate
        guard frames.magnitude < Self.limit else { return start }
        return start &+ Int64(frames.rounded())
    }

    func time(of frame: Int64, at sampleRate: SampleRate) -> CMTime {
        let scale = CMTimeScale(sampleRate.hertz)
        guard rate != 1 else { return CMTime(value: frame, timescale: scale) }
        let start = origin.convertScale(scale, method: .roundHalfAwayFromZero).value
        let seconds = Double(frame &- start) * rate / Double(sampleRate.hertz)
        return origin + CMTime(seconds: seconds, preferredTimescale: 1_000_000)
    }
}
