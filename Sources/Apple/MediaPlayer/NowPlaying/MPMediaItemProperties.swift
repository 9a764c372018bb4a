// Keys of an item's properties in ``MPNowPlayingInfoCenter/nowPlayingInfo``. Each surface shows only some of
// them.

import Foundation

/// The identifier of an item in a library.
public typealias MPMediaEntityPersistentID = UInt64

/// `String`
public let MPMediaItemPropertyTitle = "title"
/// `String`
public let MPMediaItemPropertyArtist = "artist"
/// `String`
public let MPMediaItemPropertyAlbumTitle = "albumTitle"
/// `String`
public let MPMediaItemPropertyAlbumArtist = "albumArtist"
/// `String`
public let MPMediaItemPropertyGenre = "genre"
/// `String`
public let MPMediaItemPropertyComposer = "composer"
/// Seconds, `Double`.
public let MPMediaItemPropertyPlaybackDuration = "playbackDuration"
/// `Int`, from 1.
public let MPMediaItemPropertyAlbumTrackNumber = "albumTrackNumber"
/// `Int`
public let MPMediaItemPropertyAlbumTrackCount = "albumTrackCount"
/// `Int`, from 1.
public let MPMediaItemPropertyDiscNumber = "discNumber"
/// `Int`
public let MPMediaItemPropertyDiscCount = "discCount"
/// ``MPMediaItemArtwork``
public let MPMediaItemPropertyArtwork = "artwork"
/// ``MPMediaEntityPersistentID``
public let MPMediaItemPropertyPersistentID = "persistentID"
/// ``MPMediaType``'s raw value.
public let MPMediaItemPropertyMediaType = "mediaType"
/// ``MPMediaEntityPersistentID``
public let MPMediaItemPropertyAlbumPersistentID = "albumPID"
/// ``MPMediaEntityPersistentID``
public let MPMediaItemPropertyArtistPersistentID = "artistPID"
/// ``MPMediaEntityPersistentID``
public let MPMediaItemPropertyAlbumArtistPersistentID = "albumArtistPID"
/// ``MPMediaEntityPersistentID``
public let MPMediaItemPropertyGenrePersistentID = "genrePID"
/// ``MPMediaEntityPersistentID``
public let MPMediaItemPropertyComposerPersistentID = "composerPID"
/// ``MPMediaEntityPersistentID``
public let MPMediaItemPropertyPodcastPersistentID = "podcastPID"
/// `String`
public let MPMediaItemPropertyPodcastTitle = "podcastTitle"
/// `Bool`
public let MPMediaItemPropertyIsCompilation = "isCompilation"
/// `String`
public let MPMediaItemPropertyLyrics = "lyrics"
/// `Bool`
public let MPMediaItemPropertyIsExplicit = "isExplicit"
/// `Int`
public let MPMediaItemPropertyBeatsPerMinute = "beatsPerMinute"
/// `String`
public let MPMediaItemPropertyComments = "comments"
/// `URL`
public let MPMediaItemPropertyAssetURL = "assetURL"
/// `Bool`
public let MPMediaItemPropertyIsCloudItem = "isCloudItem"
/// `Bool`
public let MPMediaItemPropertyHasProtectedAsset = "hasProtectedAsset"
/// `Int`
public let MPMediaItemPropertyPlayCount = "playCount"
/// `Int`
public let MPMediaItemPropertySkipCount = "skipCount"
/// `Int`, 0 to 5.
public let MPMediaItemPropertyRating = "rating"
/// `Date`
public let MPMediaItemPropertyLastPlayedDate = "lastPlayedDate"
/// `String`
public let MPMediaItemPropertyUserGrouping = "userGrouping"
/// Seconds, `Double`.
public let MPMediaItemPropertyBookmarkTime = "bookmarkTime"
/// `Date`
public let MPMediaItemPropertyDateAdded = "dateAdded"
/// `Date`
public let MPMediaItemPropertyReleaseDate = "releaseDate"
/// `String`
public let MPMediaItemPropertyPlaybackStoreID = "playbackStoreID"
/// `Bool`
public let MPMediaItemPropertyIsPreorder = "isPreorder"

/// The kinds of media that an item belongs to.
public struct MPMediaType: OptionSet, Hashable, Sendable {
    /// One bit for each kind.
    public let rawValue: UInt

    /// The kinds whose bits are set.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Music.
    public static let music = MPMediaType(rawValue: 1 << 0)
    /// A podcast.
    public static let podcast = MPMediaType(rawValue: 1 << 1)
    /// An audio book.
    public static let audioBook = MPMediaType(rawValue: 1 << 2)
    /// A lecture.
    public static let audioITunesU = MPMediaType(rawValue: 1 << 3)
    /// Any audio kind.
    public static let anyAudio = MPMediaType(rawValue: 0x00FF)
    /// A film.
    public static let movie = MPMediaType(rawValue: 1 << 8)
    /// A television programme.
    public static let tvShow = MPMediaType(rawValue: 1 << 9)
    /// A video podcast.
    public static let videoPodcast = MPMediaType(rawValue: 1 << 10)
    /// A music video.
    public static let musicVideo = MPMediaType(rawValue: 1 << 11)
    /// A video lecture.
    public static let videoITunesU = MPMediaType(rawValue: 1 << 12)
    /// A home video.
    public static let homeVideo = MPMediaType(rawValue: 1 << 13)
    /// Any video kind.
    public static let anyVideo = MPMediaType(rawValue: 0xFF00)
    /// Any kind.
    public static let any = MPMediaType(rawValue: .max)
}
