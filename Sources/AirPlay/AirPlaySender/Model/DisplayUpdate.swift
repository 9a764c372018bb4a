import AirPlayMessages

/// The part of a track's text and picture that a speaker has not shown yet.
package struct DisplayUpdate: Equatable, Sendable {
    /// The text to send; `nil` if the speaker shows it already.
    var text: DMAPMetadata?
    /// The picture to send; `nil` leaves the shown picture unchanged.
    var artwork: TrackMetadata.Artwork?

    init(text: DMAPMetadata? = nil, artwork: TrackMetadata.Artwork? = nil) {
        (self.text, self.artwork) = (text, artwork)
    }

    /// - Parameter shown: The text and picture that the session showed last; `nil` for none.
    init(to metadata: TrackMetadata, from shown: TrackMetadata?) {
        text = shown?.dmap == metadata.dmap ? nil : metadata.dmap
        artwork = shown?.artwork == metadata.artwork ? nil : metadata.artwork
    }
}
