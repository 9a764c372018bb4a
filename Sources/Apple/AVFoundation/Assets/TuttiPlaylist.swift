import TuttiCodecs

/// A list of files and addresses (M3U, M3U8 or PLS), with at most 10,000 entries. Tutti's extension.
///
/// An HLS playlist, whose entries are segments of one stream, is no such list: it plays as one item.
public struct TuttiPlaylist: Sendable {
    /// A line of the list.
    public struct Entry: Sendable, Hashable {
        /// A path, or an address that begins with `http://` or `https://`.
        public var location: String
        /// The title as written in the list; `nil` if there is none.
        public var title: String?

        /// Creates an entry.
        public init(location: String, title: String? = nil) {
            (self.location, self.title) = (location, title)
        }

        init(_ entry: PlaylistFile.Entry) { self.init(location: entry.location, title: entry.title) }
    }

    /// The entries in playing order.
    public var entries: [Entry]
    /// The errors of the leading entries, which cannot be played, in order. Empty unless an ``AVPlayerItem``
    /// tried the entries.
    public var failures: [AVError]

    /// Creates a list.
    public init(entries: [Entry], failures: [AVError] = []) {
        (self.entries, self.failures) = (entries, failures)
    }

    init(_ entries: [PlaylistFile.Entry], failures: [MediaError] = []) {
        self.init(entries: entries.map { Entry($0) }, failures: failures.map { AVError($0) })
    }

    /// Returns whether a location ends like a playlist, without opening it.
    public static func isPlaylist(_ location: String) -> Bool { PlaylistFile.isPlaylist(location) }

    /// Reads a list; blocks on the disk, or on the network for at most 15 s without data. Call from a thread
    /// that may block.
    ///
    /// - Parameter location: A path or a web address.
    /// - Returns: `nil` if the source exists and is not a playlist.
    /// - Throws: An ``AVError`` if the source cannot be read.
    public static func read(_ location: String) throws(AVError) -> TuttiPlaylist? {
        do throws(MediaError) {
            return try PlaylistFile.read(location).map {
                TuttiPlaylist($0.entries)
            }
        } catch {
            throw AVError(error)
        }
    }
}
