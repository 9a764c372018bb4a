import AirPlayMessages

/// The text and picture of a track for a speaker's display.
package struct TrackMetadata: Sendable, Equatable {
    /// A picture.
    package struct Artwork: Sendable, Equatable {
        /// The format of the picture.
        package var kind: ArtworkKind
        /// The encoded picture; empty for ``cleared``.
        package var bytes: [UInt8]

        /// The size limit in bytes; larger pictures are omitted: no display needs them, and some speakers
        /// choke on them.
        package static let byteLimit = 1 << 20

        /// Creates a picture; returns `nil` when `bytes` is empty or larger than ``byteLimit``.
        package init?(kind: ArtworkKind, bytes: [UInt8]) {
            guard !bytes.isEmpty, bytes.count <= Self.byteLimit else { return nil }
            self.init(checked: kind, bytes)
        }

        private init(checked kind: ArtworkKind, _ bytes: [UInt8]) { (self.kind, self.bytes) = (kind, bytes) }

        /// An empty picture, which removes the one shown. With `nil` artwork the picture stays.
        package static let cleared = Artwork(checked: .cleared, [])
    }

    /// The text: title, artist, album.
    package var dmap: DMAPMetadata
    /// The picture; `nil` leaves the shown picture unchanged.
    package var artwork: Artwork?

    /// Creates metadata of text and artwork.
    package init(dmap: DMAPMetadata, artwork: Artwork? = nil) {
        self.dmap = dmap
        self.artwork = artwork
    }
}
