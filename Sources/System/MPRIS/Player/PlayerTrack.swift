import TuttiDBus

/// A track, as players describe it to the desktop.
package struct PlayerTrack: Hashable, Sendable {
    /// The most bytes of a text; longer ones end there.
    package static let textLimit = 2_048

    /// The identity: the path of an object, unique in the player, outside of `/org/mpris`.
    package let id: String
    /// The title.
    package var title: String?
    /// The artists.
    package var artists: [String] = []
    /// The title of the album.
    package var album: String?
    /// The artists of the album.
    package var albumArtists: [String] = []
    /// The number on the disc.
    package var trackNumber: Int?
    /// The number of the disc.
    package var discNumber: Int?
    /// The genres.
    package var genres: [String] = []
    /// The composers.
    package var composers: [String] = []
    /// The date of the recording or release, as ISO 8601 has it, such as `1969-01-01`.
    package var created: String?
    /// Seconds; `nil` if unknown or endless.
    package var length: Double?
    /// The address of the file or stream.
    package var address: String?
    /// The address of a picture that a desktop can open.
    package var art: String?

    /// Makes a track.
    ///
    /// - Parameter id: The path of an object; another text makes a track without an identity.
    package init(id: String) { self.id = BusName.isObjectPath(id) ? id : Self.none }

    /// The identity of no track.
    package static let none = "/org/mpris/MediaPlayer2/TrackList/NoTrack"

    /// The metadata in MPRIS's keys.
    var metadata: [String: BusValue] {
        var values: [String: BusValue] = ["mpris:trackid": .objectPath(id)]
        values["mpris:length"] = length.flatMap(Self.microseconds).map { .int64($0) }
        values["mpris:artUrl"] = Self.text(art)
        values["xesam:title"] = Self.text(title)
        values["xesam:artist"] = Self.list(artists)
        values["xesam:album"] = Self.text(album)
        values["xesam:albumArtist"] = Self.list(albumArtists)
        values["xesam:trackNumber"] = trackNumber.flatMap(Int32.init(exactly:)).map { .int32($0) }
        values["xesam:discNumber"] = discNumber.flatMap(Int32.init(exactly:)).map { .int32($0) }
        values["xesam:genre"] = Self.list(genres)
        values["xesam:composer"] = Self.list(composers)
        values["xesam:contentCreated"] = Self.text(created)
        values["xesam:url"] = Self.text(address)
        return values
    }

    /// Returns seconds as MPRIS has them; `nil` for none or more than 64 bits hold.
    static func microseconds(_ seconds: Double) -> Int64? { Int64(exactly: (seconds * 1e6).rounded()) }

    private static func text(_ text: String?) -> BusValue? { text.map { .string(cut($0)) } }

    private static func list(_ texts: [String]) -> BusValue? {
        texts.isEmpty ? nil : .strings(texts.prefix(32).map(cut))
    }

    /// Returns a text of at most ``textLimit`` bytes.
    static func cut(_ text: String) -> String {
        guard text.utf8.count > textLimit else { return text }
        var (cut, bytes) = ("", 0)
        for scalar in text.unicodeScalars {
            bytes += UTF8.width(scalar)
            if bytes > textLimit { break }
            cut.unicodeScalars.append(scalar)
        }
        return cut
    }
}
