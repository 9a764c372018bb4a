import Codecs
import CoreMedia
import MediaTime
import Playback

/// Reads one audio track, range after range: as it is stored, or as linear PCM.
///
/// For one thread at a time.
final class TrackReading {
    private enum Form {
        case stored(PacketSource)
        case linear(ConvertedSource)
    }

    private let track: AVAssetTrack
    private let target: LinearPCMTarget?
    private let reader: MediaReader
    private var form: Form?
    private var hasBegun = false

    /// Opens the track's file anew.
    ///
    /// - Parameter target: `nil` for the stored form.
    init(_ track: AVAssetTrack, target: LinearPCMTarget?, interrupt: MediaInterrupt) throws(AVError) {
        self.track = track
        self.target = target
        reader = try track.source.open(stream: track.stream.index, interrupt: interrupt)
    }

    /// Goes on with a range of the asset's time.
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
            throw failure(error)
        }
    }

    /// The next buffer; `nil` at the end of the range.
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
            throw failure(error)
        }
    }

    /// A source that broke off has no end, though what came before it was good.
    private func checkEnd() throws(AVError) {
        for case .stopped(let frame, let reason) in reader.warnings {
            throw AVError(
                .failedToLoadMediaData, reason: "reading ended after \(frame) frames: \(reason)",
                url: track.source.url)
        }
    }

    private func failure(_ error: any Error) -> AVError {
        switch error {
        case let error as AVError: error
        case let error as MediaError: AVError(error, url: track.source.url)
        default: AVError(.decodeFailed, reason: "\(error)", url: track.source.url)
        }
    }

    /// A range in frames, both ends to the nearest one, so that ranges which join in time join in frames.
    private func frames(of range: CMTimeRange) -> Range<Int64> {
        let start = frame(at: range.start, else: 0)
        return start..<max(start, frame(at: range.end, else: .max))
    }

    /// Beyond this there is no file.
    private static let frameLimit: Int64 = 1 << 50

    private func frame(at time: CMTime, else other: Int64) -> Int64 {
        guard time.isNumeric else { return time == .negativeInfinity ? 0 : other }
        let scale = CMTimeScale(reader.info.sampleRate.hertz)
        let frame = time.convertScale(scale, method: .roundHalfAwayFromZero)
        guard frame.isNumeric else { return time < .zero ? 0 : other }
        return max(0, min(frame.value, Self.frameLimit))
    }
}
