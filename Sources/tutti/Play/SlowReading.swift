import AVFoundation
import Codecs
import Playback
import Synchronization

/// Reads one address away from the player's queue, a little at a time, so that nobody waits for a network.
///
/// Called from one queue; the work itself is done on another.
final class SlowReading: @unchecked Sendable {
    // Safe to share: `source` and `reader` belong to the work from `begin` until its result is taken, and
    // `state` has its lock; the rest is immutable.

    enum Outcome {
        case opened(MediaInfo)
        case read([CMSampleBuffer], titles: [TimedTitle], isAtEnd: Bool)
        case failed(MediaError)
    }

    private enum State {
        case resting
        case working
        case done(Outcome)
    }

    private let path: String
    private let start: CMTime
    private let position: CMTime
    private let interrupt = MediaInterrupt()
    private let state = Mutex(State.resting)
    private var reader: MediaReader?
    private var source: PacketSource?

    /// One after the other: a program has few connections at a time.
    private static let queue = DispatchQueue(label: "tutti.reading", attributes: .concurrent)
    /// A network may be away for so long.
    private static let timeLimit = Duration.seconds(60)
    /// Buffers of one piece of work, of a second each; and how long it may collect them.
    private static let pieceLimit = 8
    private static let pieceTime = Duration.milliseconds(30)

    /// - Parameters:
    ///   - start: Timeline time of the first frame.
    ///   - position: Where to begin in it.
    init(path: String, start: CMTime, position: CMTime) {
        (self.path, self.start, self.position) = (path, start, position)
    }

    deinit { interrupt.cancel() }

    /// Ends the waiting; there is no result any more.
    func cancel() { interrupt.cancel() }

    /// Timeline time after the last frame that was read. Between ``take()`` and ``begin()`` only.
    var end: CMTime { source?.end ?? start }

    /// Between ``take()`` and ``begin()`` only.
    var warnings: [MediaWarning] { source?.warnings ?? [] }

    /// Opens it, or reads on.
    func begin() {
        state.withLock { $0 = .working }
        Self.queue.async { [self] in
            let outcome = work()
            state.withLock { $0 = .done(outcome) }
        }
    }

    /// What came of the work; `nil` while it goes on.
    func take() -> Outcome? {
        state.withLock { state in
            guard case .done(let outcome) = state else { return nil }
            state = .resting
            return outcome
        }
    }

    private func work() -> Outcome {
        do throws(MediaError) {
            guard let source, let reader else { return .opened(try open()) }
            return try read(source, reader)
        } catch {
            return .failed(error)
        }
    }

    private func open() throws(MediaError) -> MediaInfo {
        let reader = try MediaReader(path, interrupt: interrupt, timeLimit: Self.timeLimit)
        let scale = CMTimeScale(reader.info.sampleRate.hertz)
        let frame =
            reader.info.isLive ? 0 : max(0, position.convertScale(scale, method: .roundTowardZero).value)
        source = try PacketSource(reader, start: start, frames: frame..<max(frame, .max))
        self.reader = reader
        return reader.info
    }

    private func read(_ source: PacketSource, _ reader: MediaReader) throws(MediaError) -> Outcome {
        var buffers: [CMSampleBuffer] = []
        let clock = ContinuousClock()
        let began = clock.now
        while buffers.count < Self.pieceLimit, clock.now - began < Self.pieceTime {
            guard let buffer = try source.nextBuffer() else {
                return .read(buffers, titles: reader.takeTimedTitles(), isAtEnd: true)
            }
            buffers.append(buffer)
        }
        return .read(buffers, titles: reader.takeTimedTitles(), isAtEnd: false)
    }
}
