import CoreMedia
import Playback
import TuttiCodecs
import TuttiMediaTime

/// A reader of one audio track, range after range, as stored packets or as linear PCM.
///
/// One thread at a time.
final class SoundReading: TrackReading {
    private enum Form {
        case stored(PacketSource)
        case linear(ConvertedSource)
    }

    private let track: AVAssetTrack
    private let target: LinearPCMTarget?
    private let reader: MediaReader
    private var form: Form?
    private var hasBegun = false

    /// Opens the track's source for this reader alone.
    ///
    /// - Parameter target: The PCM format; `nil` for stored packets.
    init(_ track: AVAssetTrack, target: LinearPCMTarget?, interrupt: MediaInterrupt) throws(AVError) {
        self.track = track
        self.target = target
        reader = try track.source.open(stream: track.stream.index, interrupt: interrupt)
    }

    /// Starts reading a range, in asset time.
    func begin(_ range: CMTimeRange) throws(AVError) {
        let frames = frames(of: range)
        do {
            form =
                if let target {
                    .linear(try ConvertedSource(reader, frames: frames, to: target, isAnew: hasBegun))
                } else {
                    .stored(try PacketSource(reader, start: .zero, frames: frames, isAnew: hasBegun))
                }
            hasBegun = true
        } catch {
            throw AVError(reading: error, of: track)
        }
    }

    /// Returns the next buffer; `nil` at the end of the range.
    func next() throws(AVError) -> CMSampleBuffer? {
        do {
            let buffer: CMSampleBuffer? =
                switch form {
                case nil: nil
                case .stored(let source): try source.nextBuffer()
                case .linear(let source): try source.nextBuffer()
                }
            if buffer == nil { try checkEnd() }
            return buffer
        } catch {
            throw AVError(reading: error, of: track)
        }
    }

    /// Throws if the source broke off before its end, even though the sound before was good.
    private func checkEnd() throws(AVError) {
        for case .stopped(let frame, let reason) in reader.warnings {
            throw AVError(
                .failedToLoadMediaData, reason: "reading ended after \(frame) frames: \(reason)",
                url: track.source.url)
        }
    }

    /// Converts a range to frames, both ends rounded to nearest, so ranges that are adjacent in time stay
    /// adjacent in frames.
    private func frames(of range: CMTimeRange) -> Range<Int64> {
        let start = frame(at: range.start, else: 0)
        return start..<max(start, frame(at: range.end, else: .max))
    }

    /// Upper bound of frame numbers; no file is as long.
    private static let frameLimit: Int64 = 1 << 50

    private func frame(at time: CMTime, else other: Int64) -> Int64 {
        guard time.isNumeric else { return time == .negativeInfinity ? 0 : other }
        let scale = CMTimeScale(reader.info.sampleRate.hertz)
        let frame = time.convertScale(scale, method: .roundHalfAwayFromZero)
        guard frame.isNumeric else { return time < .zero ? 0 : other }
        return max(0, min(frame.value, Self.frameLimit))
    }
}
