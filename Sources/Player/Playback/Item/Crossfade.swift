import CoreMedia

/// The end of an item that sounds together with the beginning of the next one. A value.
package struct Crossfade: Hashable, Sendable {
    /// The next item.
    package let next: ItemID
    /// The file of the next item.
    package let path: String
    /// Item time at which the next item begins.
    package let start: CMTime
    /// The volumes of the next item's tracks.
    package let mix: ItemMix
    /// The length of the overlap.
    package let duration: CMTime
    /// Item time at which the first item ends; not numeric for its own end.
    package let end: CMTime

    /// Makes a crossfade into a file.
    init(into next: ItemID, path: String, for duration: CMTime, end: CMTime = .invalid) {
        (self.next, self.path, self.duration, self.end) = (next, path, duration, end)
        (start, mix) = (.zero, ItemMix())
    }
}
