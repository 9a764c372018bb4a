import Foundation
import KeyValueObserving
import Playback
import Synchronization

/// Plays one item over and over, without a gap, in a queue player.
///
/// It puts copies of the item into the queue, and another one whenever the next is heard. Any thread.
@preconcurrency @MainActor
open class AVPlayerLooper: NSObject {
    /// Whether it loops.
    public enum Status: Int, Sendable {
        /// The item is not known yet.
        case unknown
        /// It loops.
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
        var token: NSKeyValueObservation?
    }

    nonisolated private let player: AVQueuePlayer
    nonisolated private let template: AVPlayerItem
    nonisolated private let range: CMTimeRange
    nonisolated private let observations = PropertyObservations()
    nonisolated private let state = Mutex(State())

    /// Copies that stand in the queue: the one that is heard, and those that follow it.
    nonisolated private static let copyCount = 3

    /// - Parameters:
    ///   - player: an empty queue, or one whose items are played first.
    ///   - itemToLoop: is copied, and must not be in a queue itself.
    ///   - loopRange: the part of it that is played; all of it when invalid.
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
        state.withLock { $0.token = token }
    }

    nonisolated private func append() {
        guard let copy = template.copy() as? AVPlayerItem else { return }
        if range.isValid, range.start.isNumeric {
            copy.seek(to: range.start)
            copy.forwardPlaybackEndTime = range.end
        }
        state.withLock { $0.items.append(copy) }
        player.insert(copy, after: nil)
    }

    nonisolated private func itemChanged(_ item: AVPlayerItem?) {
        let passed = state.withLock { state in
            guard let item, let place = state.items.firstIndex(where: { $0 === item }), place > 0,
                !state.isDisabled
            else { return 0 }
            state.items.removeFirst(place)
            return place
        }
        guard passed > 0 else { return }
        observations.change("loopCount", "loopingPlayerItems") { state.withLock { $0.loopCount += passed } }
        for _ in 0..<passed { append() }
    }

    /// Whether it loops.
    nonisolated open var status: Status {
        let (isDisabled, items) = state.withLock { ($0.isDisabled, $0.items) }
        if isDisabled { return .cancelled }
        if items.contains(where: { $0.status == .failed }) { return .failed }
        return items.contains { $0.status == .readyToPlay } ? .ready : .unknown
    }

    /// Why ``status`` is `failed`.
    nonisolated open var error: (any Error)? {
        state.withLock { $0.items }.lazy.compactMap(\.error).first
    }

    /// How often the item was heard to its end. Observable.
    nonisolated open var loopCount: Int {
        observations.access("loopCount")
        return state.withLock { $0.loopCount }
    }

    /// The copies that stand in the queue. Observable.
    nonisolated open var loopingPlayerItems: [AVPlayerItem] {
        observations.access("loopingPlayerItems")
        return state.withLock { $0.items }
    }

    /// Ends the looping: the copy that is heard is the last.
    nonisolated open func disableLooping() {
        let (items, token) = state.withLock { state in
            defer { (state.isDisabled, state.token) = (true, nil) }
            return (state.items, state.token)
        }
        token?.invalidate()
        for item in items where item !== player.currentItem { player.remove(item) }
    }
}
