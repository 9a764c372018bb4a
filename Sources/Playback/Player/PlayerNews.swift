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

/// A notification that Apple's API has no name for.
package enum PlayerNews: Sendable {
    /// The scheduled items, whose sound the outputs have or are receiving; the audible item first.
    case placed([PlacedItem])
    /// A warning about an item that plays nevertheless.
    case warned(PlayerItem, MediaWarning)
}

extension PlayerCore {
    /// Observes notifications until the returned token is released.
    ///
    /// - Parameter body: called in order, on the player's queue.
    /// - Returns: a token to keep for as long as notifications are wanted.
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
        // A lower count means that the source was reopened.
        for warning in state.warnings.dropFirst(told < count ? told : 0) {
            news.tell(.warned(one.item, warning))
        }
    }
}
