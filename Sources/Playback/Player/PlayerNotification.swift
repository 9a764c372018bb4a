import Codecs
import CoreMedia

/// An item on a player's timeline.
package struct PlacedItem: Equatable, Sendable {
    /// The item.
    package let item: PlayerItem
    /// Timeline time of the item's time 0.
    package let start: CMTime

    /// Compares the items by identity.
    package static func == (a: PlacedItem, b: PlacedItem) -> Bool {
        a.item === b.item && a.start == b.start
    }
}

/// A notification that Apple's API has no name for.
package enum PlayerNotification: Sendable {
    /// The scheduled items, whose sound the outputs have or are receiving; the audible item first.
    case placed([PlacedItem])
    /// A warning about an item that plays nevertheless.
    case warned(PlayerItem, MediaWarning)
}
