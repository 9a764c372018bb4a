import Testing

@testable import TuttiMusicLibrary

@Suite("Tracks of one title in one folder")
struct AlbumGroupingTests {
    private func track(
        _ id: Int64, artist: String?, albumArtist: String? = nil, year: Int? = nil
    ) -> AlbumGrouping.Track {
        AlbumGrouping.Track(
            id: id, title: "T", albumArtist: albumArtist, artist: artist, year: year, duration: 2,
            picture: "\(id)")
    }

    private func names(_ tracks: [AlbumGrouping.Track]) -> [String] {
        AlbumGrouping.albums(tracks).map { "\($0.artist): \($0.tracks.map(\.id))" }
    }

    @Test("one artist, also in other spellings, is one album")
    func one() {
        #expect(names([track(1, artist: "Björk"), track(2, artist: "bjork")]) == ["Björk: [1, 2]"])
    }

    @Test("several artists are a compilation")
    func several() {
        #expect(names([track(1, artist: "A"), track(2, artist: "B")]) == ["Various Artists: [1, 2]"])
        #expect(names([track(1, artist: "A"), track(2, artist: nil)]) == ["Various Artists: [1, 2]"])
        #expect(names([track(1, artist: nil)]) == ["Various Artists: [1]"])
    }

    @Test("an album artist counts before artists, and separates albums of one title")
    func albumArtist() {
        let guests = [track(1, artist: "A", albumArtist: "C"), track(2, artist: "B", albumArtist: "C")]
        #expect(names(guests) == ["C: [1, 2]"])
        #expect(names(guests + [track(3, artist: "D")]) == ["C: [1, 2]", "D: [3]"])
        #expect(names(guests + [track(3, artist: "c")]) == ["C: [1, 2, 3]"])
        #expect(names(guests + [track(3, artist: "B", albumArtist: "C; D")]) == ["C: [1, 2, 3]"])
    }

    @Test("an album has the year of most tracks, the first picture and all durations")
    func sums() throws {
        let tracks = [
            track(1, artist: "A", year: 2000), track(2, artist: "A", year: 1999),
            track(3, artist: "A", year: 1999),
        ]
        let album = try #require(AlbumGrouping.albums(tracks).first)
        #expect(album.year == 1999 && album.picture == "1" && album.duration == 6)
    }

    @Test("names that FFmpeg joined are artists of their own")
    func artists() {
        #expect(TrackRecord.names("A;B ; A;;") == ["A", "B"] && TrackRecord.names(nil).isEmpty)
        #expect(TrackRecord.names(String(repeating: "a;", count: 9)).count == 1)
    }
}
