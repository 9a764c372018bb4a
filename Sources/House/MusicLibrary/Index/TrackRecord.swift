import AVFoundation

/// The properties of a sound file, as its tags have them.
struct SoundFacts: Hashable, Sendable {
    var title: String?
    var artist: String?
    var album: String?
    var albumArtist: String?
    var genre: String?
    var number: Int?
    var disc: Int?
    var year: Int?
    var duration: Double?
    var codec: String?
    var sampleRate: Int?
    var bitDepth: Int?
    var loudness: TuttiLoudness?
    /// The embedded picture.
    var picture: [UInt8]?

    init() {}

    /// Reads a file; blocks.
    init(reading path: String) throws(AVError) {
        let media = try TuttiMedia.read(path, searchesFolder: false)
        (title, artist, album, albumArtist) = (media.title, media.artist, media.album, media.albumArtist)
        (genre, number, disc, year) = (media.genre, media.trackNumber, media.discNumber, media.year)
        (duration, codec, sampleRate) = (media.duration, media.codec, media.sampleRate)
        (bitDepth, loudness, picture) = (media.bitDepth, media.loudness, media.artwork)
    }
}

/// A track to be written to the database.
struct TrackRecord: Hashable, Sendable {
    /// 0 for a whole file, from 1 for tracks of a cue sheet.
    var part = 0
    var title = ""
    /// The artists, one by one.
    var artists: [String] = []
    var album: String?
    var albumArtist: String?
    var genre: String?
    var number: Int?
    var disc: Int?
    var year: Int?
    var duration: Double?
    var start = 0.0
    var stop: Double?
    var codec: String?
    var sampleRate: Int?
    var bitDepth: Int?
    var loudness: TuttiLoudness?
    var picture: PictureID?

    /// The most artists of a track.
    private static let artistLimit = 16

    /// The artists as text.
    var artist: String? { artists.isEmpty ? nil : artists.joined(separator: ", ") }

    /// Makes the tracks of a sound file: one, or those of its part of a cue sheet.
    ///
    /// - Parameter path: The path of the file; its name is the title without tags, its folder may name the
    ///   disc.
    static func records(
        of facts: SoundFacts, path: String, cue: CueReferences.Part?, picture: PictureID?
    ) -> [TrackRecord] {
        var whole = TrackRecord(facts, picture: picture)
        whole.disc = whole.disc ?? DiscFolder(PathText.folder(path)).number
        guard let cue else {
            whole.title = text(facts.title) ?? PathText.split(PathText.name(path)).stem
            return [whole]
        }
        return cue.tracks.enumerated().compactMap { whole.part(number: $0 + 1, $1, of: cue.sheet) }
    }

    private init(_ facts: SoundFacts, picture: PictureID?) {
        artists = Self.names(facts.artist)
        (album, albumArtist) = (Self.text(facts.album), Self.text(facts.albumArtist))
        (genre, number, disc, year) = (Self.text(facts.genre), facts.number, facts.disc, facts.year)
        (duration, codec, sampleRate) = (facts.duration, facts.codec, facts.sampleRate)
        (bitDepth, loudness, self.picture) = (facts.bitDepth, facts.loudness, picture)
    }

    /// - Returns: `nil` if the file ends before the track.
    private func part(number: Int, _ track: CueSheet.Track, of sheet: CueSheet) -> TrackRecord? {
        var record = self
        (record.part, record.number) = (number, track.number)
        record.title = Self.text(track.title) ?? "Track \(track.number)"
        let performer = Self.names(track.artist ?? sheet.artist)
        if !performer.isEmpty { record.artists = performer }
        record.album = Self.text(sheet.title) ?? album
        record.albumArtist = Self.text(sheet.artist) ?? albumArtist
        record.year = sheet.year ?? year
        record.genre = Self.text(sheet.genre) ?? genre
        let end = track.end.map { min($0, duration ?? $0) } ?? duration
        (record.start, record.stop) = (track.start, track.end)
        if let end {
            guard end > track.start else { return nil }
            record.duration = end - track.start
        }
        return record
    }

    /// Splits the names that FFmpeg joins by semicolons.
    static func names(_ text: String?) -> [String] {
        var names: [String] = []
        for part in (text ?? "").split(separator: ";") where names.count < artistLimit {
            if let name = Self.text(String(part)), !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Returns a text without spaces around it; `nil` if nothing remains.
    private static func text(_ text: String?) -> String? {
        let trimmed = text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return trimmed.isEmpty ? nil : trimmed
    }
}
