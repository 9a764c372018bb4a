import CoreMedia
import TuttiMediaTime

/// Pitch handling at rates other than 1.
package enum PitchTreatment: Sendable, Hashable {
    /// Time stretching: speech and music keep their pitch.
    case kept
    /// Varispeed: the pitch follows the rate, like tape.
    case varied
}

/// Maps presentation time to wire frames at the playback rate.
///
/// At rate 1, frame 0 is time zero. At another rate, the frame of `origin` is the same as at rate 1, and from
/// there `rate` presentation seconds pass in each second of frames.
struct PlaybackSpeed: Sendable, Hashable {
    var rate: Double
    var origin: CMTime

    static let normal = PlaybackSpeed(rate: 1, origin: .zero)

    /// Largest magnitude of a frame count whose sums stay within 64 bits.
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
