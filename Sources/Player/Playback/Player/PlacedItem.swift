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
