import Foundation
import Playback
import Synchronization
import TuttiKeyValueObserving

/// A looper that repeats one item without a gap in a queue player.
///
/// The looper keeps copies of the item in the queue and appends another copy whenever the next copy becomes
/// audible. Callable from any thread.
@preconcurrency @MainActor
open class AVPlayerLooper: NSObject {
    /// The state of a looper.
    public enum Status: Int, Sendable {
        /// No copy has become ready to play yet.
        case unknown
        /// A copy could be played: the looper loops.
        case ready
        /// The item cannot be played.
        case failed
        /// ``disableLooping()`` was called.
        case cancelled
    }

    private struct State {
        var items: [AVPlayerItem] = []
        var loopCount = 0
        var isDisabled = false
        /// A copy could not be played: the looper appends no more, and the error follows.
        var hasFailed = false
        /// The error of the first copy that could not be played.
        var error: (any Error)?
        /// A copy has been ready to play.
        var wasReady = false
        var tokens: [NSKeyValueObservation] = []
    }

    nonisolated private let player: AVQueuePlayer
    nonisolated private let template: AVPlayerItem
    nonisolated private let range: CMTimeRange
    nonisolated private let observations = AVPlayer.observationChoice.makeObservations()
    nonisolated private let state = Mutex(State())

    /// Number of copies kept in the queue, including the audible copy.
    nonisolated private static let copyCount = 3

    /// - Parameters:
    ///   - player: The queue player; items already in its queue play first.
    ///   - itemToLoop: The template that the looper copies; do not insert it into a queue.
    ///   - loopRange: The part of the item to loop, in item time; the whole item if invalid.
    nonisolated public init(
        player: AVQueuePlayer, templateItem itemToLoop: AVPlayerItem,
        timeRange loopRange: CMTimeRange = .invalid
    ) {
        (self.player, template, range) = (player, itemToLoop, loopRange)
        super.init()
        for _ in 0..<Self.copyCount { append() }
        let token = player.observe(\.currentItem) { [weak self] player, _ in
            self?.itemChanged(player.currentItem)
        }
        state.withLock { $0.tokens.append(token) }
    }

    nonisolated private func append() {
        guard let copy = template.copy() as? AVPlayerItem else { return }
        if range.isValid, range.start.isNumeric {
            copy.seek(to: range.start)
            copy.forwardPlaybackEndTime = range.end
        }
        let token = copy.observe(\.status, options: [.initial]) { [weak self] item, _ in
            self?.statusChanged(item)
        }
        observations.change("loopingPlayerItems") {
            state.withLock { state in
                state.items.append(copy)
                state.tokens.append(token)
                // Token 0 observes the player; token 1 observes a copy that has already been played.
                if state.tokens.count > Self.copyCount + 2 { state.tokens.remove(at: 1) }
            }
        }
        player.insert(copy, after: nil)
        // An earlier copy may have failed meanwhile, and has removed only those that were there.
        if copy.status != .failed, state.withLock({ $0.hasFailed }) { player.remove(copy) }
    }

    nonisolated private func statusChanged(_ item: AVPlayerItem) {
        switch item.status {
        case .unknown: return
        case .readyToPlay:
            if state.withLock({ $0.wasReady }) { return }
            observations.change("status") { state.withLock { $0.wasReady = true } }
        case .failed:
            let error = item.error
            let others = state.withLock { state -> [AVPlayerItem]? in
                guard !state.hasFailed else { return nil }
                state.hasFailed = true
                return state.items.filter { $0 !== item }
            }
            guard let others else { return }
            // The other copies have the same source and would fail too. They go first: an observer of the
            // status finds the queue without them.
            for other in others { player.remove(other) }
            observations.change("status", "error") { state.withLock { $0.error = error } }
        }
    }

    nonisolated private func itemChanged(_ item: AVPlayerItem?) {
        let passed = state.withLock { state in
            guard let item, let place = state.items.firstIndex(where: { $0 === item }), !state.isDisabled,
                !state.hasFailed
            else { return 0 }
            return place
        }
        guard passed > 0 else { return }
        observations.change("loopCount", "loopingPlayerItems") {
            state.withLock { state in
                state.items.removeFirst(passed)
                state.loopCount += passed
            }
        }
        for _ in 0..<passed { append() }
    }

    /// Whether the looper loops. Observable.
    nonisolated open var status: Status {
        observations.access("status")
        return state.withLock { state in
            if state.isDisabled { return .cancelled }
            if state.error != nil { return .failed }
            return state.wasReady ? .ready : .unknown
        }
    }

    /// The cause of a `failed` ``status``; else `nil`. Observable.
    nonisolated open var error: (any Error)? {
        observations.access("error")
        return state.withLock { $0.error }
    }

    /// Number of times that playback moved to the next copy. Observable.
    nonisolated open var loopCount: Int {
        observations.access("loopCount")
        return state.withLock { $0.loopCount }
    }

    /// The copies in the queue. Observable.
    nonisolated open var loopingPlayerItems: [AVPlayerItem] {
        observations.access("loopingPlayerItems")
        return state.withLock { $0.items }
    }

    /// Ends the looping after the audible copy.
    nonisolated open func disableLooping() {
        let (items, tokens) = state.withLock { state in
            defer { state.tokens = [] }
            return (state.items, state.tokens)
        }
        for token in tokens { token.invalidate() }
        observations.change("status") { state.withLock { $0.isDisabled = true } }
        for item in items where item !== player.currentItem { player.remove(item) }
    }
}
