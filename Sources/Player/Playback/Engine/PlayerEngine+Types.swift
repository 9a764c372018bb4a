import CoreMedia
import TuttiCodecs
import TuttiMediaTime

extension PlayerEngine {
    /// An observable property of the player.
    package enum Property: String, Sendable, CaseIterable {
        /// A property of `AVPlayer` or `AVQueuePlayer`, by its name.
        case currentItem, items, rate, timeControlStatus, reasonForWaitingToPlay, status, error
    }

    /// The player's action at the end of an item.
    package enum EndAction: Sendable {
        /// An action of `AVPlayer.ActionAtItemEnd`, by its name.
        case advance, pause, none
    }

    /// The player's status, as `AVPlayer.status`.
    package enum Status: Int, Sendable {
        /// A case of `AVPlayer.Status`, by its name.
        case unknown, readyToPlay, failed
    }

    /// The cause of a rate change.
    package enum RateReason: Sendable {
        /// A wish of the program, a failure or underrun, another player or party, or the end of an item.
        case asked, failed, interrupted, ended
    }
}
