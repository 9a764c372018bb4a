import Codecs
import CoreMedia
import MediaTime
import PCM
import Synchronization

@testable import Playback

/// An item's source of which a test says what comes, and when. Sound is silence of 8 kHz, in buffers of a second.
final class ScriptedFeed: ItemFeed {
    static let rate = SampleRate(hertz: 8000) ?? .hz44100

    private struct State {
        var feed = ItemFeedState()
        var buffers: [CMSampleBuffer] = []
        var wanted = CMTime.zero
        var isClosed = false
        var changed: (@Sendable () -> Void)?
        /// Item time up to which the network has brought it.
        var arrived = CMTime.zero
        /// Where the bytes end, when that is before the item's end.
        var end: CMTime?
    }

    let duration: CMTime
    let isSeekable: Bool
    private let box = Mutex(State())

    init(seconds: Double, isSeekable: Bool = true) {
        duration = CMTime(seconds: seconds, preferredTimescale: 8000)
        self.isSeekable = isSeekable
    }

    // MARK: What a test says

    /// The source is open.
    ///
    /// - Parameter guess: seconds that it takes itself for, where it does not know.
    func open(isRemote: Bool = true, guess: Double? = nil) {
        var facts = ItemFacts(duration: duration, isSeekable: isSeekable, isRemote: isRemote)
        if let guess {
            facts.duration = CMTime(seconds: guess, preferredTimescale: 8000)
            facts.isDurationGuessed = true
        }
        box.withLock { $0.feed.facts = facts }
        fill()
        tell()
    }

    /// The source is open, and cannot be read from the place that was asked for.
    func openAtStart() {
        box.withLock { ($0.feed.loadedStart, $0.feed.loadedEnd, $0.arrived) = (.zero, .zero, .zero) }
        open()
    }

    /// So much of the item has come.
    func arrive(until seconds: Double) {
        box.withLock { $0.arrived = CMTime(seconds: seconds, preferredTimescale: 8000) }
        fill()
    }

    /// The stream tells these titles.
    func setTitles(_ titles: [(CMTime, String)]) {
        box.withLock { state in
            state.feed.titles = titles.map { (time: $0.0, title: TimedTitle(frame: 0, title: $0.1)) }
        }
    }

    /// What is read again from now on would have to come again.
    func forget() { box.withLock { $0.arrived = .zero } }

    /// All there is, whatever was said.
    func endsEarly(at seconds: Double) {
        box.withLock { $0.end = CMTime(seconds: seconds, preferredTimescale: 8000) }
        fill()
    }

    func fail(_ error: MediaError) {
        box.withLock { $0.feed.error = error }
        tell()
    }

    var isClosed: Bool { box.withLock { $0.isClosed } }
    var seekCount: Int { box.withLock { $0.feed.seekCount } }

    private func tell() { box.withLock { $0.changed }?() }

    private func fill() {
        let isChange = box.withLock { state in
            guard state.feed.facts != nil else { return false }
            var isChange = false
            let duration = state.end ?? duration
            while state.feed.loadedEnd < min(state.arrived, duration),
                state.feed.loadedEnd < state.wanted || state.feed.loadedEnd == state.feed.loadedStart
            {
                let end = min(
                    state.feed.loadedEnd + CMTime(value: 1, timescale: 1), min(state.arrived, duration))
                if let buffer = Self.silence(from: state.feed.loadedEnd, to: end) {
                    state.buffers.append(buffer)
                }
                state.feed.loadedEnd = end
                isChange = true
            }
            state.feed.isAtEnd = state.feed.loadedEnd >= duration
            state.feed.isResting = state.feed.loadedEnd >= state.wanted
            return isChange
        }
        if isChange { tell() }
    }

    private static func silence(from start: CMTime, to end: CMTime) -> CMSampleBuffer? {
        let frames = Int((end - start).convertScale(8000, method: .default).value)
        let format = PCMFormat(sampleRate: rate, channelCount: 2, sampleFormat: .int16)
        return try? Buffers.pcm(PCMBuffer(format: format, silentFrameCount: frames), at: start)
    }

    // MARK: ItemFeed

    func start(changed: @escaping @Sendable () -> Void) { box.withLock { $0.changed = changed } }

    var state: ItemFeedState {
        box.withLock { state in
            var feed = state.feed
            feed.waitingCount = state.buffers.count
            return feed
        }
    }

    func read(until time: CMTime) {
        box.withLock { $0.wanted = max($0.wanted, time) }
        fill()
    }

    func take() -> CMSampleBuffer? {
        box.withLock { $0.buffers.isEmpty ? nil : $0.buffers.removeFirst() }
    }

    func seek(to time: CMTime) {
        box.withLock { state in
            state.feed.seekCount += 1
            (state.feed.loadedStart, state.feed.loadedEnd) = (time, time)
            (state.feed.isAtEnd, state.buffers, state.wanted) = (false, [], time)
            state.arrived = max(state.arrived, time)
        }
        fill()
    }

    func close() { box.withLock { ($0.isClosed, $0.changed) = (true, nil) } }
}
