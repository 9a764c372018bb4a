import AirPlayMessages

/// What a speaker with a display shows of a track.
public struct TrackMetadata: Sendable, Equatable {
    public struct Artwork: Sendable, Equatable {
        public var kind: ArtworkKind
        public var bytes: [UInt8]

        /// Larger pictures are left out: no speaker's display needs them, and some choke on them.
        public static let byteLimit = 1 << 20

        public init?(kind: ArtworkKind, bytes: [UInt8]) {
            guard !bytes.isEmpty, bytes.count <= Self.byteLimit else { return nil }
            self.init(checked: kind, bytes)
        }

        private init(checked kind: ArtworkKind, _ bytes: [UInt8]) { (self.kind, self.bytes) = (kind, bytes) }

        /// No picture: takes away the one that is shown. Without artwork at all it stays.
        public static let cleared = Artwork(checked: .cleared, [])
    }

    public var dmap: DMAPMetadata
    public var artwork: Artwork?

    public init(dmap: DMAPMetadata, artwork: Artwork? = nil) {
        self.dmap = dmap
        self.artwork = artwork
    }
}
