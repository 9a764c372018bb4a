import Testing
import TuttiTestSupport

@testable import TuttiMusicLibrary

@Suite("Songs for programs with an index of their own", .timeLimit(.minutes(5)))
struct LibrarySongTests {
    private static let files = [
        "a/1.flac": "title=One\nartist=Björk;The Band\nalbum=Live\nby=Various\ntrack=1\ndisc=2\nyear=1993",
        "a/2.flac": "title=Two\nartist=Tyler, The Creator\npicture=1",
        "a/3.flac": "",
    ]

    private func house() async throws -> LibraryHouse {
        let house = try LibraryHouse(Self.files)
        try await house.scanned()
        return house
    }

    private func songs(_ house: LibraryHouse) async throws -> [LibrarySong] {
        try await house.library.songs(after: 0).sorted { $0.file < $1.file }
    }

    @Test("a song has all of its tags, and its artists one by one")
    func tags() async throws {
        let house = try await house()
        let songs = try await songs(house)
        #expect(songs.map(\.title) == ["One", "Two", "3"])
        #expect(songs.map(\.artists) == [["Björk", "The Band"], ["Tyler, The Creator"], []])
        let first = try #require(songs.first)
        #expect(first.folder == house.music + "/a" && first.file == "1.flac" && first.part == 0)
        #expect(first.album == "Live" && first.albumArtist == "Various" && first.year == 1993)
        #expect(first.track == 1 && first.disc == 2 && first.duration == 100 && first.start == 0)
        // Written a moment ago.
        #expect(first.modified > 1_600_000_000 && first.modified < 10_000_000_000)
        #expect(songs[1].picture != nil)
    }

    @Test("pages follow each other to an empty one")
    func pages() async throws {
        let house = try await house()
        var (ids, last): ([Int64], Int64) = ([], 0)
        while let page = try await house.library.songs(after: last, count: 2).map(\.id) as [Int64]?,
            let end = page.last
        {
            #expect(page.count <= 2 && page == page.sorted())
            ids += page
            last = end
        }
        #expect(ids.count == 3 && Set(ids).count == 3)
        #expect(try await house.library.songs(after: .max).isEmpty)
        #expect(try await house.library.songs(after: 0, count: -1).isEmpty)
    }

    @Test("the version of the index changes when a scan has written, and not otherwise")
    func version() async throws {
        let house = try await house()
        let first = try await house.library.indexVersion()
        #expect(try await house.library.indexVersion() == first)
        try house.move("a/3.flac", to: "a/4.flac")
        try await house.rescan()
        #expect(try await house.library.indexVersion() != first)
    }

    @Test("entries of a playlist stay as they are, also those that are not there")
    func entries() async throws {
        let house = try await house()
        let library = house.library
        let known = try await library.tracks(of: [.location(house.music + "/a/1.flac")])
        let gone = PlayableTrack(location: house.music + "/gone.flac", title: "Gone")
        let station = PlayableTrack(location: "http://radio.example/", title: "Radio", isLive: true)
        let id = try await library.makePlaylist(name: "List", tracks: known + [gone, station])
        let entries = try await library.playlistEntries(id)
        #expect(entries == known + [gone, station] && entries[0].libraryID != nil)
        try await library.editPlaylistEntries(id) { entries in entries.swapAt(0, 2) }
        #expect(try await library.playlistEntries(id).map(\.title) == ["Radio", "Gone", "One"])
        #expect(await refusal { _ = try await library.playlistEntries(id + 200) } == .notFound)
        let error = await #expect(throws: LibraryError.self) {
            try await library.editPlaylistEntries(id + 1) { $0 = [] }
        }
        #expect(error?.kind == .notFound)
    }
}
