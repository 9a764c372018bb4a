import Foundation
import Playback

/// The time of an item, of its player while the item is current.
extension PlayerItem {
    /// The audible item time; the start time while the item is not current.
    var currentTime: CMTime {
        if let player = owner, player.currentItem === self { return player.currentTime }
        return startTime
    }

    /// Seeks the player while the item is current; before that, sets the start time.
    ///
    /// - Parameter completion: Called on the main queue.
    func seek(to time: CMTime, completion: @escaping @Sendable (Bool) -> Void) {
        if let player = owner, player.seek(to: time, of: self, completion: completion) { return }
        let isPlace = time.isNumeric
        if isPlace { startTime = max(.zero, time) }
        DispatchQueue.main.async { completion(isPlace) }
    }

    /// Cancels the pending seek of the player while the item is current.
    func cancelPendingSeeks() {
        if let player = owner, player.currentItem === self { player.cancelPendingSeeks() }
    }
}
