import CoreMedia

extension Crossfade {
    /// Makes a crossfade from one item into another.
    ///
    /// - Returns: `nil` if the next item is not a file.
    package init?(from item: PlayerItem, into next: PlayerItem, for duration: CMTime) {
        guard let path = next.path, !path.contains("://"), duration.isNumeric, duration > .zero else {
            return nil
        }
        (self.next, self.path, self.duration) = (next.id, path, duration)
        (start, mix, end) = (max(.zero, next.startTime), next.wishes.mix, item.wishes.endTime)
    }
}
