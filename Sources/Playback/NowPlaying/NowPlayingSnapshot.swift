import Foundation
import MediaTime

/// What a program says is playing, at one moment: text, picture, and where it is.
///
/// The place is a straight line: ``elapsed`` seconds at ``elapsedHostTime``, and from there on at ``rate``.
public struct NowPlayingSnapshot: Sendable, Hashable {
    public enum State: Sendable, Hashable {
        case unknown, playing, paused, stopped, interrupted
    }

    public enum MediaKind: Sendable, Hashable {
        case unspecified, audio, video
    }

    public var title: String?
    public var artist: String?
    public var album: String?
    public var albumArtist: String?
    public var genre: String?
    public var composer: String?
    /// 1 or more, as the others of this kind.
    public var trackNumber: Int?
    public var trackCount: Int?
    public var discNumber: Int?
    public var discCount: Int?
    public var chapterNumber: Int?
    public var chapterCount: Int?

    /// Seconds, more than 0; `nil` when it is not known or has no end.
    public var duration: Double?
    /// Seconds from the start of the item at ``elapsedHostTime``; `nil` when the program did not say.
    public var elapsed: Double?
    public var elapsedHostTime: HostTime
    /// 1 is the normal speed.
    public var rate: Double = 1
    /// The speed at which it plays when it plays.
    public var defaultRate: Double = 1
    public var state = State.unknown
    public var isLiveStream = false
    public var mediaKind = MediaKind.unspecified

    /// The encoded picture, JPEG or PNG.
    public var artwork: [UInt8]?
    /// From 0.
    public var queueIndex: Int?
    public var queueCount: Int?
    public var assetURL: URL?
    public var persistentID: UInt64?
    /// Names the item, and the list it is from, to the program's own service.
    public var contentIdentifier: String?
    public var collectionIdentifier: String?

    /// Whether the program has published nothing, or taken back what it had.
    public var isEmpty = false

    public init(at time: HostTime) { elapsedHostTime = time }

    /// Nothing is published.
    public static func nothing(at time: HostTime) -> NowPlayingSnapshot {
        var snapshot = NowPlayingSnapshot(at: time)
        snapshot.isEmpty = true
        return snapshot
    }
}

extension NowPlayingSnapshot {
    /// Whether the program says that sound is heard. Without a state, the rate says it.
    public var isPlaying: Bool {
        switch state {
        case .playing: true
        case .paused, .stopped, .interrupted: false
        case .unknown: !isEmpty && rate != 0
        }
    }

    /// Seconds from the start of the item at `time`, never outside the item; `nil` when the program never said.
    public func elapsed(at time: HostTime) -> Double? {
        guard let elapsed else { return nil }
        let run = isPlaying ? rate * time.since(elapsedHostTime).inSeconds : 0
        return max(0, min(elapsed + run, duration ?? .infinity))
    }

    /// Whether this is about the same item, whatever else has changed.
    public func isSameItem(as other: NowPlayingSnapshot) -> Bool {
        isEmpty == other.isEmpty && title == other.title && artist == other.artist && album == other.album
            && persistentID == other.persistentID && assetURL == other.assetURL
            && queueIndex == other.queueIndex && contentIdentifier == other.contentIdentifier
    }
}
