import AirPlayMessages

/// The track information of a `/command` request of type `updateMRNowPlayingInfo`.
///
/// `params.params` holds keys that begin with `kMRMediaRemoteNowPlayingInfo`. *Observed* from Apple senders to
/// receivers with feature bit 50.
struct NowPlayingCommand: Sendable {
    /// `nil` if the message has neither title nor artist.
    var metadata: DMAPMetadata?
    var artwork: [UInt8]?

    /// Returns `nil` for other commands.
    init?(propertyList: PropertyList) {
        guard propertyList["type"]?.stringValue == "updateMRNowPlayingInfo",
            let fields = propertyList["params"]?["params"]
        else { return nil }
        func field(_ name: String) -> PropertyList? { fields["kMRMediaRemoteNowPlayingInfo" + name] }
        func text(_ name: String) -> String? {
            field(name)?.stringValue.map { ReceivedText.cut($0, toBytes: DMAPMetadata.textByteLimit) }
        }
        artwork = field("ArtworkData")?.dataValue
        var metadata = DMAPMetadata()
        metadata.title = text("Title")
        metadata.artist = text("Artist")
        metadata.album = text("Album")
        metadata.genre = text("Genre")
        if let seconds = field("Duration")?.realValue, (0...Self.longestDuration).contains(seconds) {
            metadata.durationMilliseconds = UInt32(seconds * 1000)
        }
        if metadata.title != nil || metadata.artist != nil { self.metadata = metadata }
    }

    /// The events that report the command; without a picture that is too large or of an unknown kind.
    var events: [SpeakerEvent] {
        let picture = artwork.flatMap { $0.count <= Self.artworkByteLimit ? $0 : nil }
        let kind = picture.flatMap { ArtworkKind(of: $0) }
        return [metadata.map { .metadata($0, nil) }, kind.map { .artwork($0, picture ?? [], nil) }]
            .compactMap(\.self)
    }

    /// Most bytes of a picture. Real ones have some hundred KiB.
    static let artworkByteLimit = 2 << 20
    /// Longest duration accepted, seconds; its milliseconds fit 32 bits.
    private static let longestDuration = 4_000_000.0
}
