import CoreMedia
import Synchronization
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM

@testable import Playback

/// An item's source whose deliveries a test scripts. The sound is silence at 8 kHz, in one-second buffers.
final class ScriptedFeed: ItemFeed {
    static let rate = SampleRate(hertz: 8000) ?? .hz44100

    private struct State {
        var feed = ItemFeedState()
        var buffers: [CMSampleBuffer] = []
        var wanted = CMTime.zero
        var isClosed = false
        var changed: (@Sendable () -> Void)?
        /// Item time up to which the network has delivered sound.
        var arrived = CMTime.zero
        var selection = FeedSelection()
        /// The selection at the last opening or seek.
        var selected = FeedSelection()
        /// Item time where the bytes end, if that is before the stated duration.
        var end: CMTime?
    }

    let duration: CMTime
    let isSeekable: Bool
    private let box = Mutex(State())

    init(seconds: Double, isSeekable: Bool = true) {
        duration = CMTime(seconds: seconds, preferredTimescale: 8000)
        self.isSeekable = isSeekable
    }

    // MARK: Scripting

    /// Opens the source.
    ///
    /// - Parameter guess: The estimated duration in seconds, if the exact one is unknown.
    func open(isRemote: Bool = true, guess: Double? = nil) {
        var facts = ItemFacts(duration: duration, isSeekable: isSeekable, isRemote: isRemote)
        if let guess {
            facts.duration = CMTime(seconds: guess, preferredTimescale: 8000)
            facts.isDurationGuessed = true
        }
        box.withLock { ($0.feed.facts, $0.selected) = (facts, $0.selection) }
        fill()
        tell()
    }

    /// Opens the source at its beginning, because it cannot be read from the requested position.
    func openAtStart() {
        box.withLock { ($0.feed.loadedStart, $0.feed.loadedEnd, $0.arrived) = (.zero, .zero, .zero) }
        open()
    }

    /// Delivers the item up to second `seconds`.
    func arrive(until seconds: Double) {
        box.withLock { $0.arrived = CMTime(seconds: seconds, preferredTimescale: 8000) }
        fill()
    }

    /// Sets the titles of the stream.
    func setTitles(_ titles: [(CMTime, String)]) {
        box.withLock { state in
            state.feed.titles = titles.map { (time: $0.0, title: TimedTitle(frame: 0, title: $0.1)) }
        }
    }

    /// Forgets the delivered sound: rereading it needs a new delivery.
    func forget() { box.withLock { $0.arrived = .zero } }

    /// Ends the bytes at second `seconds`, regardless of the stated duration.
    func endsEarly(at seconds: Double) {
        box.withLock { $0.end = CMTime(seconds: seconds, preferredTimescale: 8000) }
        fill()
    }

    func fail(_ error: MediaError) {
        box.withLock { $0.feed.error = error }
        tell()
    }

    /// The selection of the player.
    var selection: FeedSelection { box.withLock { $0.selection } }

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
            if state.feed.isAtEnd { state.feed.crossfaded = state.selected.crossfade }
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
            (state.feed.crossfaded, state.selected) = (nil, state.selection)
            state.arrived = max(state.arrived, time)
        }
        fill()
    }

    func select(_ selection: FeedSelection) { box.withLock { $0.selection = selection } }

    func close() { box.withLock { ($0.isClosed, $0.changed) = (true, nil) } }
}
