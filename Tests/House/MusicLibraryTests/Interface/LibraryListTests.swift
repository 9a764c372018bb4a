import AVFoundation
import Foundation
import Testing
import TuttiTestMedia
import TuttiTestSupport

@testable import TuttiMusicLibrary

@Suite("Playlists, stations and cue sheets of the library", .timeLimit(.minutes(5)))
struct LibraryListTests {
    // MARK: Playlists

    @Test("playlist files are found, with their locations resolved and their tracks known")
    func files() async throws {
        let xspf =
            "<playlist><title>Best</title><trackList><track><location>../a.mp3</location></track></trackList>"
            + "</playlist>"
        let house = try LibraryHouse([
            "a.mp3": "title=A",
            "lists/one.m3u": "#EXTM3U\n#EXTINF:1,Radio\nhttp://r.example/\n../a.mp3\nmissing.mp3\n",
            "lists/two.pls": "[playlist]\nFile1=../a.mp3\n", "lists/three.xspf": xspf,
            "lists/bad.xspf": "<html>",
        ])
        try await house.scanned()
        let lists = try await house.library.playlists()
        #expect(lists.map(\.name) == ["Best", "one", "two"] && lists.map(\.count) == [1, 3, 1])
        #expect(lists.allSatisfy { !$0.isOwn })
        let one = try await house.library.playlist(lists[1].id)
        #expect(one.tracks.map(\.title) == ["Radio", "A", "missing"])
        #expect(one.tracks.map { $0.id != nil } == [false, true, false])
        #expect(one.tracks[2].location == house.music + "/lists/missing.mp3")
        #expect(try await house.library.tracks(of: [.playlist(lists[0].id)]).map(\.title) == ["A"])
        #expect(
            try await house.library.tracks(of: [.location(house.music + "/lists/two.pls")]).map(\.title) == [
                "A"
            ])
        #expect(house.library.state.troubles.map(\.code) == ["unreadable"])
        #expect(await refusal { try await house.library.deletePlaylist(lists[0].id) } == .invalid)
        try FileManager.default.removeItem(atPath: house.music + "/lists/one.m3u")
        try await house.rescan()
        #expect(try await house.library.playlists().map(\.name) == ["Best", "two"])
    }

    @Test("entries outside of the library's folders are shown, and never played")
    func foreignEntries() async throws {
        let house = try LibraryHouse(["a.mp3": "title=A", "l.m3u": "a.mp3\n/etc/passwd\n../../secret.mp3\n"])
        try await house.scanned()
        let list = try #require(try await house.library.playlists().first)
        #expect(try await house.library.playlist(list.id).tracks.map(\.title) == ["A", "passwd", "secret"])
        #expect(try await house.library.tracks(of: [.playlist(list.id)]).map(\.title) == ["A"])
        let own = try await house.library.makePlaylist(
            name: "x", tracks: [PlayableTrack(location: "/etc/passwd", title: "x")])
        #expect(try await house.library.tracks(of: [.playlist(own)]).isEmpty)
    }

    @Test("a file is played by its path in the library's folders only, and not if that leads outside")
    func aliases() async throws {
        let house = try LibraryHouse(["a.mp3": "title=A"], other: ["secret.mp3": [1]])
        try await house.scanned()
        let files = FileManager.default
        try files.createSymbolicLink(
            atPath: house.folder.path + "/alias", withDestinationPath: house.music)
        try files.createSymbolicLink(
            atPath: house.music + "/out.mp3", withDestinationPath: house.folder.path + "/secret.mp3")
        try files.copyItem(atPath: house.music + "/a.mp3", toPath: house.music + "/new.mp3")
        #expect(
            try await house.library.tracks(of: [.location(house.music + "/new.mp3")]).map(\.title) == ["new"])
        for path in [house.folder.path + "/alias/new.mp3", house.music + "/out.mp3"] {
            #expect(await refusal { _ = try await house.library.tracks(of: [.location(path)]) } == .notFound)
        }
    }

    @Test("own playlists are made, renamed, changed and deleted, and stay after a restart")
    func own() async throws {
        let house = try LibraryHouse(["a.mp3": "title=A", "b.mp3": "title=B"])
        try await house.scanned()
        let ids = try await house.library.tracks().items.compactMap(\.id)
        let list = try await house.library.makePlaylist(name: " Mine\n", tracks: ids + [ids[0]])
        try house.reopen()
        let found = try await house.library.playlists()
        #expect(found == [LibraryPlaylist(id: list, name: "Mine", count: 3, isOwn: true)])
        #expect(try await house.library.playlist(list).tracks.map(\.title) == ["A", "B", "A"])
        try await house.library.changePlaylist(list, name: "Ours")
        try await house.library.changePlaylist(list, tracks: [ids[1]])
        let contents = try await house.library.playlist(list)
        #expect(contents.name == "Ours" && contents.tracks.map(\.title) == ["B"] && contents.isOwn)
        try await house.library.deletePlaylist(list)
        #expect(try await house.library.playlists().isEmpty)
    }

    @Test("a queue becomes a playlist, with its stations and foreign tracks")
    func queue() async throws {
        let house = try LibraryHouse(["a.mp3": "title=A"])
        try await house.scanned()
        var tracks = try await house.library.tracks(of: [.location(house.music + "/a.mp3")])
        tracks.append(PlayableTrack(location: "http://r.example/", title: "Radio", isLive: true))
        let list = try await house.library.makePlaylist(name: "Queue", tracks: tracks)
        #expect(try await house.library.tracks(of: [.playlist(list)]) == tracks)
    }

    @Test("names and tracks that make no sense are refused")
    func refusals() async throws {
        let house = try LibraryHouse()
        let library = house.library
        for name in ["", "  \n", String(repeating: "x", count: 201)] {
            #expect(
                await refusal { _ = try await library.makePlaylist(name: name, tracks: [Int64]()) }
                    == .invalid)
        }
        let many = [PlayableTrack](repeating: PlayableTrack(location: "/a", title: "a"), count: 20_001)
        #expect(await refusal { _ = try await library.makePlaylist(name: "x", tracks: many) } == .limit)
        #expect(await refusal { _ = try await library.makePlaylist(name: "x", tracks: [77]) } == .notFound)
    }

    // MARK: Stations

    @Test("stations are made, changed and deleted; only web addresses count")
    func stations() async throws {
        let house = try LibraryHouse()
        let library = house.library
        let id = try await library.makeStation(name: "B", address: "http://b.example/", picture: "")
        let other = try await library.makeStation(name: "The A", address: "HTTPS://a.example/")
        #expect(try await library.stations().map(\.name) == ["The A", "B"])
        try await library.changeStation(
            id, name: "C", address: "http://c.example/", picture: "http://c.example/p.png")
        #expect(
            try await library.stations().last
                == LibraryStation(
                    id: id, name: "C", address: "http://c.example/", picture: "http://c.example/p.png"))
        #expect(try await library.search("c").stations.map(\.id) == [id])
        try await library.deleteStation(other)
        #expect(try await library.stations().map(\.id) == [id])
        for address in ["", "ftp://a.example/", "/etc/passwd", "http://", "javascript:alert(1)"] {
            #expect(
                await refusal { _ = try await library.makeStation(name: "x", address: address) } == .invalid)
        }
    }

    // MARK: Cue sheets

    private static let sheet = """
        TITLE "Set"
        PERFORMER "DJ"
        FILE "set.wav" WAVE
        TRACK 01 AUDIO
        TITLE "One"
        INDEX 01 00:00:00
        TRACK 02 AUDIO
        TITLE "Two"
        INDEX 01 00:40:00
        TRACK 03 AUDIO
        TITLE "Beyond the end"
        INDEX 01 09:00:00
        """

    @Test("the tracks of a cue sheet stand for their file, which is read once")
    func cue() async throws {
        let house = try LibraryHouse(["x/set.flac": "title=Whole\nduration=100", "x/set.cue": Self.sheet])
        try await house.scanned()
        #expect(try await house.titles() == ["One", "Two"] && house.takeReads() == ["x/set.flac"])
        let album = try #require(try await house.library.albums().items.first)
        #expect(album.title == "Set" && album.artist == "DJ" && album.tracks == 2)
        let tracks = try await house.library.tracks(of: [.album(album.id)])
        #expect(tracks.map(\.start) == [0, 40] && tracks.map(\.end) == [40, 540])
        #expect(tracks.map(\.duration) == [40, 60])
        let list = try await house.library.makePlaylist(
            name: "L", tracks: [try #require(tracks[1].libraryID)])
        #expect(try await house.library.playlist(list).tracks.map(\.title) == ["Two"])
        try await house.rescan()
        #expect(house.takeReads().isEmpty)
    }

    @Test("a cue sheet that is removed gives its file back, and one that is added takes it")
    func changedCue() async throws {
        let house = try LibraryHouse(["x/set.flac": "title=Whole", "x/set.cue": Self.sheet])
        try await house.scanned()
        try FileManager.default.removeItem(atPath: house.music + "/x/set.cue")
        try await house.rescan()
        #expect(try await house.titles() == ["Whole"])
        #expect(try await house.library.albums().total == 0)
        try house.folder.add("music/x/other.cue", Array(Self.sheet.utf8))
        try await house.rescan()
        #expect(try await house.titles() == ["One", "Two"])
    }

    @Test("a cue sheet whose file arrives later is no trouble any more")
    func lateFile() async throws {
        let house = try LibraryHouse(["x/set.cue": Self.sheet])
        try await house.scanned()
        #expect(house.library.state.troubles.map(\.code) == ["unreadable"])
        try house.folder.add("music/x/set.flac", Array("title=Whole".utf8))
        try await house.rescan()
        #expect(try await house.titles() == ["One", "Two"] && house.library.state.troubles.isEmpty)
    }

    @Test("a bad cue sheet is a trouble, and its file a track")
    func badCue() async throws {
        let house = try LibraryHouse(["x/set.flac": "title=Whole", "x/set.cue": "FILE nothing"])
        try await house.scanned()
        #expect(try await house.titles() == ["Whole"])
        #expect(
            house.library.state.troubles.first?.message.hasPrefix(house.music + "/x/set.cue cannot be read")
                == true)
    }

    // MARK: Real files, and state

    @Test("tags, durations and pictures of real files are read")
    func realFiles() async throws {
        let folder = try TestFolder()
        try FileManager.default.createDirectory(
            atPath: folder.file("music"), withIntermediateDirectories: true)
        for (name, title) in [("a.flac", "One"), ("cbr.mp3", "Two"), ("aac.m4a", "Three")] {
            var file = MediaFile.kind(name)
            file.tags = [("title", title), ("artist", "A"), ("album", "Real"), ("date", "2001-02-03")]
            try file.write(Signal.sweep(frameCount: 22_050), to: folder.file("music/" + name))
        }
        _ = try folder.write([0xFF, 0xD8, 0xFF, 5], to: "music/folder.jpg")
        let ended = Recorder(0)
        var environment = ScanEnvironment()
        environment.didScan = { ended.update { $0 += 1 } }
        let configuration = LibraryConfiguration(
            databasePath: folder.file("l.sqlite"), folders: [folder.file("music")], watchesFolders: false)
        let library = try MusicLibrary(configuration, environment: environment)
        _ = try await ended.wait(for: "the scan") { $0 > 0 ? true : nil }
        let tracks = try await library.tracks().items
        #expect(tracks.map(\.title) == ["One", "Three", "Two"] && tracks.allSatisfy { $0.year == 2001 })
        #expect(tracks.allSatisfy { abs(($0.duration ?? 0) - 0.5) < 0.1 && $0.sampleRate == 44_100 })
        let picture = try #require(tracks[0].picture)
        #expect(await library.picture(picture)?.bytes == [0xFF, 0xD8, 0xFF, 5])
        #expect(try await library.albums().items.map(\.picture) == [picture])
        library.close()
    }

    @Test("a path with :// is that of a file, unless it begins like a web address")
    func oddPath() throws {
        let folder = try TestFolder()
        try FileManager.default.createDirectory(
            atPath: folder.file("odd:"), withIntermediateDirectories: true)
        try MediaFile.kind("a.flac").write(Signal.sweep(frameCount: 22_050), to: folder.file("odd:/a.flac"))
        #expect(try !TuttiMedia.read(folder.file("odd:") + "//a.flac").isRemote)
    }

    @Test("followers get the state at once, then changes, and the end")
    func changes() async throws {
        let house = try LibraryHouse(["a.mp3": "title=A"])
        var last = LibraryState()
        for await state in house.library.changes() {
            last = state
            if state.tracks == 1 { house.library.close() }
        }
        #expect(last.tracks == 1)
        var states = 0
        for await _ in house.library.changes() { states += 1 }
        #expect(states == 1)
    }

    @Test("JSON has the property names, and nothing for what is unknown")
    func json() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let track = LibraryTrack(title: "T", location: "/a")
        #expect(
            String(decoding: try encoder.encode(track), as: UTF8.self) == #"{"location":"/a","title":"T"}"#)
        let page = LibraryPage(total: 1, start: 0, items: [track])
        let text = String(decoding: try encoder.encode(page), as: UTF8.self)
        #expect(text == #"{"items":[{"location":"/a","title":"T"}],"start":0,"total":1}"#)
    }
}
