import Codecs
import CoreMedia

/// An item on a player's timeline.
package struct PlacedItem: Equatable, Sendable {
    package let item: PlayerItem
    /// Timeline time of the item's time 0.
    package let start: CMTime

    package static func == (a: PlacedItem, b: PlacedItem) -> Bool {
        a.item === b.item && a.start == b.start
    }
}

/// What the public names have no word for.
package enum PlayerNews: Sendable {
    /// The items whose sound the outputs have or get now, the one that is heard first.
    case placed([PlacedItem])
    /// Something is odd about an item, which plays all the same.
    case warned(PlayerItem, MediaWarning)
}

extension PlayerCore {
    /// - Parameter body: called in order, on the player's queue.
    /// - Returns: lives as long as it is wanted.
    package func observeNews(_ body: @escaping @Sendable (PlayerNews) -> Void) -> RouteObservation {
        news.add(body)
    }

    // MARK: On the queue

    func tellPlaces() {
        let places = laid.map { PlacedItem(item: $0.item, start: $0.start) }
        guard places != toldPlaces else { return }
        toldPlaces = places
        news.tell(.placed(places))
    }

    func tellWarnings(of one: inout LaidItem, _ state: ItemFeedState) {
        let (told, count) = (one.toldWarnings, state.warnings.count)
        guard told != count else { return }
        one.toldWarnings = count
        // Fewer than before: the source was opened anew.
        for warning in state.warnings.dropFirst(told < count ? told : 0) {
            news.tell(.warned(one.item, warning))
        }
    }
}
