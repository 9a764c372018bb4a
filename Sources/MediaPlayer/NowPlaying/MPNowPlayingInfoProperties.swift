// Keys of what is known about the playing of an item.

import Foundation

/// Seconds from the start of the item at the moment of setting, `Double`. Runs on by itself.
public let MPNowPlayingInfoPropertyElapsedPlaybackTime = "MPNowPlayingInfoPropertyElapsedPlaybackTime"
/// Speed, `Double`; 1 when it is not there.
public let MPNowPlayingInfoPropertyPlaybackRate = "MPNowPlayingInfoPropertyPlaybackRate"
/// Speed at which the item usually plays, `Double`; 1 when it is not there.
public let MPNowPlayingInfoPropertyDefaultPlaybackRate = "MPNowPlayingInfoPropertyDefaultPlaybackRate"
/// Place in the queue, `Int`, from 0.
public let MPNowPlayingInfoPropertyPlaybackQueueIndex = "MPNowPlayingInfoPropertyPlaybackQueueIndex"
/// Items in the queue, `Int`.
public let MPNowPlayingInfoPropertyPlaybackQueueCount = "MPNowPlayingInfoPropertyPlaybackQueueCount"
/// Place among the chapters, `Int`, from 0.
public let MPNowPlayingInfoPropertyChapterNumber = "MPNowPlayingInfoPropertyChapterNumber"
/// `Int`
public let MPNowPlayingInfoPropertyChapterCount = "MPNowPlayingInfoPropertyChapterCount"
/// Whether it has no end, `Bool`.
public let MPNowPlayingInfoPropertyIsLiveStream = "MPNowPlayingInfoPropertyIsLiveStream"
/// Raw value of ``MPNowPlayingInfoMediaType``.
public let MPNowPlayingInfoPropertyMediaType = "MPNowPlayingInfoPropertyMediaType"
/// Where the item is, `URL`.
public let MPNowPlayingInfoPropertyAssetURL = "MPNowPlayingInfoPropertyAssetURL"
/// `Date` of what plays, for a live stream.
public let MPNowPlayingInfoPropertyCurrentPlaybackDate = "MPNowPlayingInfoPropertyCurrentPlaybackDate"
/// Names the item to the program's service, `String`.
public let MPNowPlayingInfoPropertyExternalContentIdentifier =
    "MPNowPlayingInfoPropertyExternalContentIdentifier"
/// Names the user to the program's service, `String`.
public let MPNowPlayingInfoPropertyExternalUserProfileIdentifier =
    "MPNowPlayingInfoPropertyExternalUserProfileIdentifier"
/// Names the program's service, `String`.
public let MPNowPlayingInfoPropertyServiceIdentifier = "MPNowPlayingInfoPropertyServiceIdentifier"
/// Share that has been played, `Float`, 0 to 1.
public let MPNowPlayingInfoPropertyPlaybackProgress = "MPNowPlayingInfoPropertyPlaybackProgress"
/// Array of ``MPNowPlayingInfoLanguageOptionGroup``.
public let MPNowPlayingInfoPropertyAvailableLanguageOptions =
    "MPNowPlayingInfoPropertyAvailableLanguageOptions"
/// Array of ``MPNowPlayingInfoLanguageOption``.
public let MPNowPlayingInfoPropertyCurrentLanguageOptions = "MPNowPlayingInfoPropertyCurrentLanguageOptions"
/// Array of time ranges.
public let MPNowPlayingInfoPropertyAdTimeRanges = "MPNowPlayingInfoPropertyAdTimeRanges"
/// Seconds, `Double`.
public let MPNowPlayingInfoPropertyCreditsStartTime = "MPNowPlayingInfoPropertyCreditsStartTime"
/// `Bool`
public let MPNowPlayingInfoPropertyExcludeFromSuggestions = "MPNowPlayingInfoPropertyExcludeFromSuggestions"
/// `String`
public let MPNowPlayingInfoPropertyInternationalStandardRecordingCode =
    "MPNowPlayingInfoPropertyInternationalStandardRecordingCode"
/// A moving picture; not shown here.
public let MPNowPlayingInfoProperty1x1AnimatedArtwork = "MPNowPlayingInfoProperty1x1AnimatedArtwork"
/// A moving picture; not shown here.
public let MPNowPlayingInfoProperty3x4AnimatedArtwork = "MPNowPlayingInfoProperty3x4AnimatedArtwork"
/// Names the list that plays, `String`.
public let MPNowPlayingInfoCollectionIdentifier = "MPNowPlayingInfoCollectionIdentifier"

/// What a program says it is doing.
public enum MPNowPlayingPlaybackState: UInt, Sendable {
    /// Not said.
    case unknown = 0
    /// Plays.
    case playing = 1
    /// Is paused.
    case paused = 2
    /// Has stopped.
    case stopped = 3
    /// Something else has taken the output.
    case interrupted = 4
}

/// Whether there is a picture to the sound.
public enum MPNowPlayingInfoMediaType: UInt, Sendable {
    /// Not said.
    case none = 0
    /// Sound.
    case audio = 1
    /// A film.
    case video = 2
}
