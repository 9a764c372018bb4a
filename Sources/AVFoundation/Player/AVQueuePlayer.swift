import KeyValueObserving
import Playback

/// Plays items one after the other, without a gap where their sound has none.
///
/// The next item is read ahead, and given to the outputs, while the one before it is heard; an edit changes what they
/// hold already.
@preconcurrency @MainActor
open class AVQueuePlayer: AVPlayer {
    /// A player of these items, none of which may belong to another player.
    nonisolated public convenience init(items: [AVPlayerItem]) {
        self.init()
        for item in items { insert(item, after: nil) }
    }

    nonisolated override init(queue: RenderQueue, endAction: PlayerCore.EndAction = .advance) {
        super.init(queue: queue, endAction: .advance)
        setActionAtItemEnd(.advance)
    }

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
