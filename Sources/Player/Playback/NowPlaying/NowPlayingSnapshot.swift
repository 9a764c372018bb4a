import Foundation
import TuttiMediaTime

/// A program's publication at one moment: texts, artwork and playback position.
///
/// The position is a straight line: ``elapsed`` seconds at ``elapsedHostTime``, and from there on at
/// ``rate``.
public struct NowPlayingSnapshot: Sendable, Hashable {
    /// The playback state that the program reports.
    public enum State: Sendable, Hashable {
        /// The program's playback state.
        case unknown, playing, paused, stopped, interrupted
    }

    /// The kind of media that the program reports.
    public enum MediaKind: Sendable, Hashable {
        /// The kind of the item's media.
        case unspecified, audio, video
    }

    /// Title of the item.
    public var title: String?
    /// Artist of the item.
    public var artist: String?
    /// Album of the item.
    public var album: String?
    /// Artist of the album.
    public var albumArtist: String?
    /// Genre of the item.
    public var genre: String?
    /// Composer of the item.
    public var composer: String?
    /// Track number, 1 or more.
    public var trackNumber: Int?
    /// Number of tracks, 1 or more.
    public var trackCount: Int?
    /// Disc number, 1 or more.
    public var discNumber: Int?
    /// Number of discs, 1 or more.
    public var discCount: Int?
    /// Chapter number, 1 or more.
    public var chapterNumber: Int?
    /// Number of chapters, 1 or more.
    public var chapterCount: Int?

    /// Seconds, greater than 0; `nil` if unknown or endless.
    public var duration: Double?
    /// Seconds from the start of the item at ``elapsedHostTime``; `nil` if the program did not say.
    public var elapsed: Double?
    /// Host time of ``elapsed``.
    public var elapsedHostTime: HostTime
    /// The current speed; 1 is normal.
    public var rate: Double = 1
    /// The speed that the item has while it plays; 1 is normal.
    public var defaultRate: Double = 1
    /// The reported playback state.
    public var state = State.unknown
    /// Whether the item is a live stream.
    public var isLiveStream = false
    /// The reported kind of media.
    public var mediaKind = MediaKind.unspecified

    /// The encoded artwork, JPEG or PNG.
    public var artwork: [UInt8]?
    /// Index in the program's queue, from 0.
    public var queueIndex: Int?
    /// Number of items in the program's queue.
    public var queueCount: Int?
    /// Address of the item's file or stream.
    public var assetURL: URL?
    /// Identifier of the item in the program's library.
    public var persistentID: UInt64?
    /// Identifier of the item in the program's own service.
    public var contentIdentifier: String?
    /// Identifier of the item's collection in the program's own service.
    public var collectionIdentifier: String?

    /// Whether the program has published nothing, or cleared its publication.
    public var isEmpty = false

    /// Makes a snapshot whose position refers to `time`.
    public init(at time: HostTime) { elapsedHostTime = time }

    /// Returns the snapshot of a program without a publication.
    public static func nothing(at time: HostTime) -> NowPlayingSnapshot {
        var snapshot = NowPlayingSnapshot(at: time)
        snapshot.isEmpty = true
        return snapshot
    }
}

extension NowPlayingSnapshot {
    /// Whether the program reports playback: by its state, or by its rate if the state is unknown.
    public var isPlaying: Bool {
        switch state {
        case .playing: true
        case .paused, .stopped, .interrupted: false
        case .unknown: !isEmpty && rate != 0
        }
    }

    /// Returns the position at `time`, in seconds within the item; `nil` if the program did not say.
    public func elapsed(at time: HostTime) -> Double? {
        guard let elapsed else { return nil }
        let run = isPlaying ? rate * time.since(elapsedHostTime).inSeconds : 0
        return max(0, min(elapsed + run, duration ?? .infinity))
    }

    /// Returns whether both snapshots describe the same item.
    public func isSameItem(as other: NowPlayingSnapshot) -> Bool {
        isEmpty == other.isEmpty && title == other.title && artist == other.artist && album == other.album
            && persistentID == other.persistentID && assetURL == other.assetURL
            && queueIndex == other.queueIndex && contentIdentifier == other.contentIdentifier
    }
}
