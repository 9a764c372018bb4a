import Foundation
import TuttiCodecs
import TuttiMediaTime
import TuttiWeb

/// The properties of an item's source, as read when the player opened the source. Tutti's extension.
///
/// Most of these properties belong to the asset in Apple's API. Loading them there would open the source a
/// second time. A value; safe to use on any thread.
public struct TuttiMedia: Sendable, Hashable {
    private let info: MediaInfo
    /// Whether the source is a web address and not a file.
    public let isRemote: Bool

    init(_ info: MediaInfo, isRemote: Bool) { (self.info, self.isRemote) = (info, isRemote) }

    /// The path or address of the source.
    public var location: String { info.path }
    /// The codec's name for users, e.g. `AAC`.
    public var codec: String { info.codec.description }
    /// Frames per second.
    public var sampleRate: Int { info.sampleRate.hertz }
    /// Bits per sample of the source; `nil` for a lossy codec.
    public var bitDepth: Int? { info.bitDepth }
    /// The number of channels.
    public var channelCount: Int { info.channelCount }
    /// Audible seconds, an estimate if the source states no length; `nil` for a live stream.
    public var duration: TimeInterval? { info.duration?.inSeconds }
    /// Whether the source is endless and drops sound that is not read in time: radio, or a live playlist.
    public var isLive: Bool { info.isLive }
    /// Whether the player can seek to any time in the source.
    public var isSeekable: Bool { info.isSeekable }

    /// The title of the track, or the name of a live stream.
    public var title: String? { info.tags.title }
    /// The artist of the track.
    public var artist: String? { info.tags.artist }
    /// The title of the album.
    public var album: String? { info.tags.album }
    /// The artist of the album.
    public var albumArtist: String? { info.tags.albumArtist }
    /// The genre.
    public var genre: String? { info.tags.genre }
    /// The composer.
    public var composer: String? { info.tags.composer }
    /// The number of the track on its disc.
    public var trackNumber: Int? { info.tags.track }
    /// The number of the disc.
    public var discNumber: Int? { info.tags.disc }
    /// The year of the recording or release.
    public var year: Int? { info.tags.year }
    /// The loudness of the track and its album, as tags of ReplayGain or R128 tell it; `nil` without such tags.
    public var loudness: TuttiLoudness? { info.loudness.isEmpty ? nil : TuttiLoudness(info.loudness) }
    /// The encoded picture, a JPEG or PNG of at most 8 MiB: embedded, or a cover in the file's folder. `nil`
    /// without a picture, and after the item has left its player.
    public var artwork: [UInt8]? { info.artwork?.bytes }

    /// Reads the properties of a source without a player; decodes no sound. Blocks on the disk, or on the
    /// network for at most 15 s without data. Call from a thread that may block.
    ///
    /// - Parameters:
    ///   - location: A path or a web address.
    ///   - searchesFolder: Whether to look for a cover in the folder of a file without an embedded picture.
    /// - Throws: An ``AVError`` if the source cannot be read or has no playable sound.
    public static func read(_ location: String, searchesFolder: Bool = true) throws(AVError) -> TuttiMedia {
        let source = AssetSource(location: location)
        do throws(MediaError) {
            let reader = try MediaReader(
                location, readAhead: readAhead, searchesFolder: searchesFolder, engine: source.engine)
            return TuttiMedia(reader.info, isRemote: reader.transfer != nil)
        } catch {
            throw AVError(error, url: source.url)
        }
    }

    /// The smallest prefetch of an address: only the head of the source is read.
    private static let readAhead = 256 << 10

    /// A copy without the picture, which may be large.
    public var withoutArtwork: TuttiMedia { TuttiMedia(info.withoutArtwork, isRemote: isRemote) }
}

extension AVPlayerItem {
    /// The properties of the source; `nil` until the player has opened the source. Known when ``status``
    /// changes to `readyToPlay`, and often earlier. Callable from any thread. Tutti's extension.
    nonisolated public var tuttiMedia: TuttiMedia? {
        guard let facts = core.state.facts, let info = facts.info else { return nil }
        return TuttiMedia(info, isRemote: facts.isRemote)
    }

    /// The playlist that the player found instead of sound; `nil` if the source is not a playlist. Known
    /// when ``status`` changes. The item plays the first entry that can be opened. Callable from any thread.
    /// Tutti's extension.
    nonisolated public var tuttiPlaylist: TuttiPlaylist? {
        core.state.list.map { TuttiPlaylist($0.entries, failures: $0.failures) }
    }

    /// Creates an item from a path or web address as a user typed it. Tutti's extension.
    ///
    /// The text need not be a valid URL, and ``TuttiMedia/location`` is the text unchanged, also for a relative
    /// path.
    ///
    /// - Parameter location: A path, or a text with `://`. A source that cannot be opened fails the item.
    nonisolated public convenience init(tuttiLocation location: String) {
        self.init(
            asset: AVAsset(source: AssetSource(location: location)),
            automaticallyLoadedAssetKeys: [String]?.none)
    }

    /// Posted when a source has a defect and still plays, e.g. a file that ends too early. The object
    /// is the item, the user info has the text for ``tuttiWarningKey``. Any thread. Tutti's extension.
    nonisolated public class var tuttiWarningNotification: NSNotification.Name {
        NSNotification.Name("TuttiPlayerItemWarningNotification")
    }

    /// Key of ``tuttiWarningNotification``'s user info: a `String` for users.
    nonisolated public class var tuttiWarningKey: String { "TuttiPlayerItemWarningKey" }
}

extension MediaWarning {
    /// Posts ``AVPlayerItem/tuttiWarningNotification``.
    func post(of item: AVPlayerItem) {
        AVPlayer.poster.post(AVPlayerItem.tuttiWarningNotification, of: item) {
            [AVPlayerItem.tuttiWarningKey: "\(self)"]
        }
    }
}

extension AssetSource {
    /// Creates the source for a path or address that a user typed.
    fileprivate init(location: String) {
        (self.location, loader, isProvided) = (location, nil, false)
        url =
            location.contains("://")
            ? URL(string: location) ?? URL(fileURLWithPath: location) : URL(fileURLWithPath: location)
    }
}
