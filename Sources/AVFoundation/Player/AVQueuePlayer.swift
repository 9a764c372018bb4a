import Foundation
import KeyValueObserving
import Playback

/// Plays items one after the other, without a gap where their sound has none.
///
/// The next item is read ahead, and given to the outputs, while the one before it is heard; an edit changes what they
/// hold already.
@preconcurrency @MainActor
open class AVQueuePlayer: AVPlayer {
    /// A player without items.
    nonisolated public override init() { super.init() }

    /// A player of what an address or file has.
    nonisolated public override init(url URL: URL) { super.init(url: URL) }

    /// A player of an item, which must not belong to another player.
    nonisolated public override init(playerItem item: AVPlayerItem?) { super.init(playerItem: item) }

    /// A player of these items, none of which may belong to another player.
    nonisolated public init(items: [AVPlayerItem]) {
        super.init()
        for item in items { insert(item, after: nil) }
    }

    nonisolated override init(
        queue: RenderQueue, observations: PropertyObservations = AVPlayer.observationChoice.makeObservations()
    ) { super.init(queue: queue, observations: observations) }

    /// The current item and those that follow.
    nonisolated open func items() -> [AVPlayerItem] { core.items.compactMap { AVPlayerItem.of($0) } }

    /// Ends the current item; the next one is heard at once.
    nonisolated open func advanceToNextItem() { core.advanceToNextItem() }

    /// Whether an item is free to be put in behind another one of this queue.
    nonisolated open func canInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> Bool {
        guard item.core.owner == nil else { return false }
        return afterItem.map { place in core.items.contains { $0 === place.core } } ?? true
    }

    /// Puts an item in behind another one, or at the end.
    nonisolated open func insert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) {
        guard
            isRightUse(
                canInsert(item, after: afterItem),
                "an item belongs to one player, once; canInsert(_:after:) tells")
        else { return }
        core.insert(item.core, after: afterItem?.core)
    }

    /// Takes an item out; if it is the current one, the next one is heard.
    nonisolated open func remove(_ item: AVPlayerItem) { core.remove(item.core) }

    /// Takes all items out.
    nonisolated open func removeAllItems() { core.removeAllItems() }
}
