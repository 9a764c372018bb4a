import Foundation
import Playback
import TuttiKeyValueObserving

/// A player of a queue of items, gapless where the items' sound is.
///
/// The player prefetches and enqueues the next item while the current item is audible. A queue edit also
/// replaces sound that the outputs already hold.
@preconcurrency @MainActor
open class AVQueuePlayer: AVPlayer {
    /// Creates a player without items.
    nonisolated public override init() { super.init() }

    /// Creates a player of a file URL or an `http` or `https` URL.
    nonisolated public override init(url URL: URL) { super.init(url: URL) }

    /// Creates a player of an item, which must not belong to another player.
    nonisolated public override init(playerItem item: AVPlayerItem?) { super.init(playerItem: item) }

    /// Creates a player of these items, none of which may belong to another player.
    nonisolated public init(items: [AVPlayerItem]) {
        super.init()
        for item in items { insert(item, after: nil) }
    }

    /// Creates a player without items for another selection of outputs; see `AVPlayer.init(tuttiRoutes:)`. Tutti's
    /// extension.
    nonisolated public override init(tuttiRoutes: RouteCatalogue) { super.init(tuttiRoutes: tuttiRoutes) }

    nonisolated override init(
        queue: RenderQueue, observations: PropertyObservations = AVPlayer.observationChoice.makeObservations()
    ) { super.init(queue: queue, observations: observations) }

    /// Returns the current item and the items after it.
    nonisolated open func items() -> [AVPlayerItem] { core.items.compactMap { AVPlayerItem.of($0) } }

    /// Ends the current item and plays the next item at once.
    nonisolated open func advanceToNextItem() { core.advanceToNextItem() }

    /// Whether the item belongs to no player and `afterItem`, if given, is in this queue.
    nonisolated open func canInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> Bool {
        guard item.core.owner == nil else { return false }
        return afterItem.map { place in core.items.contains { $0 === place.core } } ?? true
    }

    /// Inserts an item after `afterItem`, or at the end if `afterItem` is `nil`.
    nonisolated open func insert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) {
        guard
            checkAPIUse(
                canInsert(item, after: afterItem),
                "an item belongs to one player, once; canInsert(_:after:) tells whether it fits")
        else { return }
        core.insert(item.core, after: afterItem?.core)
    }

    /// Removes an item. Removing the current item advances to the next item.
    nonisolated open func remove(_ item: AVPlayerItem) { core.remove(item.core) }

    /// Removes all items.
    nonisolated open func removeAllItems() { core.removeAllItems() }
}
