import Foundation
import Testing

@testable import TuttiHouseMPD
@testable import TuttiMusicLibrary

@Suite("The catalogue of songs", .timeLimit(.minutes(5)))
struct CatalogueTests {
    private func song(_ id: Int64, _ folder: String, _ file: String, part: Int = 0) -> LibrarySong {
        LibrarySong(
            id: id, folder: folder, file: file, part: part, title: file, artists: ["A"], album: nil,
            albumArtist: nil, genre: nil, track: nil, disc: nil, year: nil, duration: 1, start: 0,
            modified: 0,
            picture: nil)
    }

    @Test("folders come in order, each followed by what is below it, whatever their names")
    func order() {
        let catalogue = SongCatalogue(
            [
                song(1, "/m/b", "x"), song(2, "/m/B", "x"), song(3, "/m/b/sub", "x"),
                song(4, "/m/B/sub", "x"),
                song(5, "/m/a b", "x"), song(6, "/m/a", "x"), song(7, "/m/a/z/deep", "x"), song(8, "/m", "x"),
                song(9, "/m/é", "x"), song(10, "/other", "x"),
            ], MusicFolders(["/m"]))
        #expect(
            catalogue.folders.map(\.uri)
                == ["", "a", "a/z", "a/z/deep", "a b", "B", "B/sub", "b", "b/sub", "é"])
        #expect(catalogue.songs.map(\.id) == [8, 6, 7, 5, 2, 4, 1, 3, 9])
        #expect(catalogue.songs(below: "a").map(Array.init) == [1, 2])
        #expect(catalogue.songs(below: "").map(Array.init) == Array(0..<9))
        #expect(catalogue.songs(below: "a/x").map(Array.init) == [1])
        #expect(catalogue.songs(below: "nothing") == nil)
        let root = catalogue.children(of: 0).map { catalogue.folders[$0].uri }
        #expect(root == ["a", "a b", "B", "b", "é"])
    }

    @Test("tracks of a cue sheet have addresses below their file")
    func parts() {
        let catalogue = SongCatalogue(
            [song(1, "/m", "a.flac", part: 1), song(2, "/m", "a.flac", part: 12)], MusicFolders(["/m"]))
        #expect(catalogue.songs.map(\.uri) == ["a.flac/track0001", "a.flac/track0012"])
        #expect(catalogue.song(uri: "a.flac/track0012")?.id == 2)
    }

    @Test("a song of the catalogue is the one that the library has, and the last one of an address counts")
    func values() {
        let full = LibrarySong(
            id: 1, folder: "/m/Bj\u{F6}rk/x", file: "01 é.flac", part: 0, title: "Jóga", artists: ["B", "C"],
            album: "D",
            albumArtist: "E", genre: "F", track: 3, disc: 2, year: 1997, duration: 305.125, start: 0,
            modified: 77,
            picture: "p")
        var bare = song(2, "/m/Bjo\u{308}rk/x", "")
        (bare.title, bare.artists, bare.duration) = ("", [], nil)
        // Byte for byte, though both names look alike.
        let catalogue = SongCatalogue(songs: [
            Song(full, folder: "Bj\u{F6}rk/x"), Song(bare, folder: "Bjo\u{308}rk/x"),
        ])
        let found = catalogue.song(id: 1)
        #expect(found.map { Array($0.uri.utf8) } == Array("Bj\u{F6}rk/x/01 é.flac".utf8))
        #expect(found?.title == "Jóga" && found?.name == nil)
        #expect(found?.artists == ["B", "C"] && found?.album == "D" && found?.albumArtist == "E")
        #expect(found?.genre == "F" && found?.track == 3 && found?.disc == 2 && found?.date == "1997")
        #expect(found?.duration == 305.125 && found?.modified == 77 && found?.picture == "p")
        let other = catalogue.song(id: 2)
        #expect(other.map { Array($0.uri.utf8) } == Array("Bjo\u{308}rk/x/".utf8))
        #expect(other?.title == "" && other?.artists == [] && other?.album == nil && other?.track == nil)
        #expect(other?.disc == nil && other?.date == nil && other?.duration == nil && other?.picture == nil)
        #expect(catalogue.song(id: 3) == nil && catalogue.song(uri: "x") == nil)
        let twice = SongCatalogue(songs: [
            Song(song(4, "/m", "x"), folder: ""), Song(song(5, "/m", "x"), folder: ""),
        ])
        #expect(twice.song(uri: "x")?.id == 5)
        #expect(SongCatalogue.empty.song(uri: "") == nil && SongCatalogue.empty.song(id: 0) == nil)
    }

    @Test("several folders are told apart by their names, and equal names by numbers")
    func roots() {
        let folders = MusicFolders(["/a/music", "/b/music", "/c/other"])
        #expect(folders.uri(path: "/a/music/x/y.mp3") == "music/x/y.mp3")
        #expect(folders.uri(path: "/b/music/x") == "music (2)/x")
        #expect(folders.uri(path: "/c/other") == "other")
        #expect(folders.uri(path: "/a/musical/x") == nil)
        #expect(folders.path(uri: "music (2)/x") == "/b/music/x")
        #expect(folders.path(uri: "music") == "/a/music")
        #expect(folders.path(uri: "") == nil && folders.path(uri: "none/x") == nil)
        let one = MusicFolders(["/m"])
        #expect(one.uri(path: "/m/x") == "x" && one.uri(path: "/m") == "" && one.path(uri: "x") == "/m/x")
        #expect(MusicFolders(["/"]).uri(path: "/x/y") == "x/y")
    }

    @Test("a search finds a song once, in the order of the catalogue")
    func table() {
        var table = FoldedTable()
        let names = (0..<1000).map { "Song \($0) of many songs" }
        for (place, name) in names.enumerated() {
            var made = song(Int64(place), "/m", name)
            made.albumArtist = place % 2 == 0 ? "Even Band" : nil
            table.append(Song(made, folder: ""))
        }
        table.finish()
        #expect(table.songs(with: Array("song".utf8)) == Array(0..<1000))
        #expect(table.songs(with: Array("even".utf8)) == Array(stride(from: 0, to: 1000, by: 2)))
        #expect(table.songs(with: Array("song 999 ".utf8)) == [999])
        #expect(table.songs(with: Array("none".utf8)).isEmpty)
        #expect(table.contains(1, .albumArtist) { $0.elementsEqual("a".utf8) } == true)
        #expect(table.contains(1, .track) { _ in true } == nil)
    }

    @Test("a change of the library is read at the next use, and an unchanged one is not read again")
    func freshness() async throws {
        let library = try await TestLibrary.make()
        let cache = CatalogueCache(library.library, SearchWorker(), now: { 5e9 })
        let first = try await cache.catalogue()
        #expect(first.songs.count == 5 && cache.current === first)
        let update = try #require(await cache.lastUpdate)
        #expect(update == first.folders.first?.modified)
        cache.libraryDidChange(isScanning: false)
        #expect(try await cache.catalogue() === first)
        #expect(await cache.lastUpdate == update)
        let file = URL(fileURLWithPath: library.path + "/music/new.mp3")
        try Data("title=New".utf8).write(to: file)
        try await library.rescan()
        #expect(try await cache.catalogue() === first)
        cache.libraryDidChange(isScanning: false)
        #expect(try await cache.catalogue().songs.count == 6)
        #expect(await cache.lastUpdate == 5_000_000_000)
        await cache.forget()
        #expect(cache.current == nil)
    }

    @Test("callers that come while a change is checked get it too, and a failed check loses none")
    func reentrancy() async throws {
        let library = try await TestLibrary.make()
        let gate = GatedLibrary(library.library)
        let cache = CatalogueCache(gate, SearchWorker(), now: { 0 })
        #expect(try await cache.catalogue().songs.count == 5)
        try Data("title=New".utf8).write(to: URL(fileURLWithPath: library.path + "/music/new.mp3"))
        try await library.rescan()

        gate.fails.withLock { $0 = true }
        cache.libraryDidChange(isScanning: false)
        await #expect(throws: LibraryError.self) { try await cache.catalogue() }
        gate.fails.withLock { $0 = false }

        gate.close()
        async let first = cache.catalogue().songs.count
        await gate.isReached()
        let second = Task { try await cache.catalogue().songs.count }
        // The second caller joins the first one's check, or begins after it: it finds no old songs either way.
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        #expect(try await first == 6)
        #expect(try await second.value == 6)
    }
}
