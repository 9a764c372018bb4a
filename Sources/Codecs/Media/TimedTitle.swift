/// What a live stream says that it plays, and from when.
public struct TimedTitle: Hashable, Sendable {
    /// From which it is heard, in frames as packets count them.
    public var frame: Int64
    /// Radio stations put the artist in here, in whatever way they like. Empty when nothing is told any more.
    public var title: String
    /// Where the stream keeps it apart.
    public var artist: String?
    /// All that an ID3 tag in the stream says, under its frames' names; empty for other streams.
    public var tags: [MediaTag]

    public init(frame: Int64, title: String, artist: String? = nil, tags: [MediaTag] = []) {
        (self.frame, self.title, self.artist, self.tags) = (frame, title, artist, tags)
    }

    /// Artist and title as people write them.
    public var text: String { artist.map { "\($0) – \(title)" } ?? title }

    /// Longer titles are cut, in Unicode scalars.
    static let lengthLimit = 1024
}
