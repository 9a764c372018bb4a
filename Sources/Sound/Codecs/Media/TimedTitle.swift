/// A title announced by a live stream, and the frame from which it applies.
package struct TimedTitle: Hashable, Sendable {
    /// The first frame of the title, in the frame count of the packets.
    package var frame: Int64
    /// The title. Radio stations include the artist in varying formats. Empty when a title ends.
    package var title: String
    /// The artist, if the stream sends it separately.
    package var artist: String?
    /// All frames of an ID3 tag in the stream, under their frame names; empty for other streams.
    package var tags: [MediaTag]

    /// Creates a title.
    package init(frame: Int64, title: String, artist: String? = nil, tags: [MediaTag] = []) {
        (self.frame, self.title, self.artist, self.tags) = (frame, title, artist, tags)
    }

    /// Artist and title as one line.
    package var text: String { artist.map { "\($0) – \(title)" } ?? title }

    /// The most Unicode scalars of a title; longer titles are cut.
    static let lengthLimit = 1024
}
