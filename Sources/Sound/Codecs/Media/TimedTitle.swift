/// A title announced by a live stream, and the frame from which it applies.
public struct TimedTitle: Hashable, Sendable {
    /// The first frame of the title, in the frame count of the packets.
    public var frame: Int64
    /// The title. Radio stations include the artist in varying formats. Empty when a title ends.
    public var title: String
    /// The artist, if the stream sends it separately.
    public var artist: String?
    /// All frames of an ID3 tag in the stream, under their frame names; empty for other streams.
    public var tags: [MediaTag]

    /// Creates a title.
    public init(frame: Int64, title: String, artist: String? = nil, tags: [MediaTag] = []) {
        (self.frame, self.title, self.artist, self.tags) = (frame, title, artist, tags)
    }

    /// Artist and title as one line.
    public var text: String { artist.map { "\($0) – \(title)" } ?? title }

    /// The most Unicode scalars of a title; longer titles are cut.
    static let lengthLimit = 1024
}
