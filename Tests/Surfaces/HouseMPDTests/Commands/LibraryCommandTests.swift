import Testing
import TuttiHouse
import TuttiTestSupport

@testable import TuttiHouseMPD

@Suite("Commands of the library and of playlists", .timeLimit(.minutes(5)), .tags(.machine))
struct LibraryCommandTests {
    /// Returns an answer without dates.
    private func ask(_ client: TestClient, _ line: String) async -> String {
        await client.ask(line).split(separator: "\n").filter { !$0.hasPrefix("Last-Modified: ") }
            .joined(separator: "\n")
    }

    @Test("folders are listed as MPD lists them")
    func folders() async throws {
        let test = try await TestServer()
        let client = test.client()
        #expect(
            await ask(client, "lsinfo") == """
                file: plain.wav
                Title: plain
                Time: 5
                duration: 5.000
                directory: Alpha
                directory: Beta
                OK
                """)
        #expect(await ask(client, "lsinfo /") == (await ask(client, "lsinfo \"\"")))
        #expect(await ask(client, "lsinfo Alpha") == "directory: Alpha/One\nOK")
        #expect(await ask(client, "lsinfo Beta/a.mp3").hasPrefix("file: Beta/a.mp3\n"))
        #expect(
            await ask(client, "listall") == """
                file: plain.wav
                directory: Alpha
                directory: Alpha/One
                file: Alpha/One/01.flac
                file: Alpha/One/02.flac
                directory: Beta
                file: Beta/a.mp3
                file: Beta/b.ogg
                OK
                """)
        #expect(
            await ask(client, "listall Beta") == "directory: Beta\nfile: Beta/a.mp3\nfile: Beta/b.ogg\nOK")
        #expect(await ask(client, "listfiles Alpha/One") == "file: 01.flac\nfile: 02.flac\nOK")
        for line in ["lsinfo Nothing", "lsinfo ..", "lsinfo /etc", "listall nope"] {
            #expect(await ask(client, line).hasSuffix("} No such directory"), "\(line)")
        }
        #expect(await client.values("file", "listallinfo").count == 5)
    }

    @Test("tags are listed once, sorted, and in groups from the outside in")
    func lists() async throws {
        let test = try await TestServer()
        let client = test.client()
        #expect(
            await client.ask("list artist") == "Artist: \nArtist: Alpha\nArtist: Beta\nArtist: Guest\nOK\n")
        #expect(await client.ask("list album Beta") == "Album: Two\nOK\n")
        #expect(
            await client.ask("list title Beta") == "ACK [2@0] {list} should be \"Album\" for 3 arguments\n")
        #expect(await client.ask("list foo") == "ACK [2@0] {list} Unknown tag type: foo\n")
        #expect(await client.ask("list composer") == "Composer: \nOK\n")
        #expect(
            await client.ask("list album artist Beta group musicbrainz_albumid")
                == "MUSICBRAINZ_ALBUMID: \nAlbum: Two\nOK\n")
        #expect(await client.ask("list album artist Nobody group composer") == "OK\n")
        #expect(
            await client.ask("list album group albumartist group date") == """
                Date: 
                AlbumArtist: 
                Album: 
                Date: 1999
                AlbumArtist: Alpha Band
                Album: One
                Date: 2005
                AlbumArtist: Beta
                Album: Two
                OK

                """)
        #expect(await client.ask("list genre \"(Artist == 'Beta')\"") == "Genre: Pop\nOK\n")
        #expect(await client.ask("count artist Beta") == "songs: 2\nplaytime: 200\nOK\n")
        #expect(
            await client.ask("count group genre") == """
                Genre: 
                songs: 1
                playtime: 5
                Genre: Pop
                songs: 2
                playtime: 200
                Genre: Rock
                songs: 2
                playtime: 200
                OK

                """)
        #expect(await client.values("file", "list file") == (await client.values("file", "listall")))
    }

    @Test("found songs are added in their order, where clients say")
    func findAdd() async throws {
        let test = try await TestServer()
        let client = test.client()
        await client.ask(
            "add plain.wav", "findadd artist Beta", "searchadd title song sort -Title position 0")
        #expect(
            await client.values("file", "playlistinfo") == [
                "Alpha/One/02.flac", "Alpha/One/01.flac", "plain.wav", "Beta/a.mp3", "Beta/b.ogg",
            ])
        #expect(await client.ask("findadd artist Nobody") == "OK\n")
        #expect(
            await client.ask("findadd artist Beta position x") == "ACK [2@0] {findadd} Integer expected: x\n")
    }

    @Test("a client sees the tags that it wants")
    func tagTypes() async throws {
        let test = try await TestServer()
        let client = test.client()
        await client.ask("tagtypes clear")
        #expect(await ask(client, "lsinfo plain.wav") == "file: plain.wav\nTime: 5\nduration: 5.000\nOK")
        await client.ask("tagtypes enable Title Composer")
        #expect(await client.ask("tagtypes") == "tagtype: Title\nOK\n")
        await client.ask("tagtypes all", "tagtypes disable title")
        #expect(await client.values("tagtype", "tagtypes").count == Tag.allCases.count - 1)
        #expect(await client.ask("tagtypes foo") == "ACK [2@0] {tagtypes} Unknown sub command\n")
        #expect(await client.ask("tagtypes enable foo") == "ACK [2@0] {tagtypes} Unknown tag type\n")
        #expect(await client.ask("tagtypes enable") == "ACK [2@0] {tagtypes} Not enough arguments\n")
    }

    @Test("a picture comes in parts")
    func pictures() async throws {
        let test = try await TestServer()
        let client = test.client()
        await client.ask("binarylimit 64")
        let first = client.session
        await first.receive(Array("readpicture Beta/a.mp3 0\n".utf8))
        var bytes = client.link.state.withLock { state in
            defer { state.bytes = [] }
            return state.bytes
        }
        let head = Array("size: 303\ntype: image/jpeg\nbinary: 64\n".utf8)
        #expect(bytes.starts(with: head) && bytes.suffix(4).elementsEqual("\nOK\n".utf8))
        #expect(bytes[head.count...].prefix(4).elementsEqual([0xFF, 0xD8, 0xFF, 7]))
        await first.receive(Array("albumart Beta/a.mp3 300\n".utf8))
        bytes = client.link.state.withLock { $0.bytes }
        #expect(bytes.elementsEqual(Array("size: 303\nbinary: 3\n".utf8) + [7, 7, 7] + Array("\nOK\n".utf8)))
        _ = client.link.take()
        #expect(await client.ask("albumart Beta/a.mp3 304") == "ACK [2@0] {albumart} Offset too large\n")
        #expect(await client.ask("albumart plain.wav 0") == "ACK [50@0] {albumart} No file exists\n")
        #expect(await client.ask("readpicture plain.wav 0") == "OK\n")
        #expect(await client.ask("readpicture nope 0") == "ACK [50@0] {readpicture} No such song\n")
        #expect(await client.ask("binarylimit 10") == "ACK [2@0] {binarylimit} Value too small\n")
    }

    // MARK: Playlists

    @Test("playlists are made, changed and removed by name")
    func playlists() async throws {
        let test = try await TestServer()
        let client = test.client()
        func files(_ name: String) async -> [String] { await client.values("file", "listplaylist \(name)") }
        await client.ask("add Beta", "add http://radio.example/stream")
        #expect(await client.ask("save \"My list\"") == "OK\n")
        #expect(await client.ask("listplaylists") == "playlist: My list\nOK\n")
        #expect(await files("\"My list\"") == ["Beta/a.mp3", "Beta/b.ogg", "http://radio.example/stream"])
        #expect(await client.ask("save \"My list\"") == "ACK [56@0] {save} Playlist already exists\n")
        #expect(await client.ask("save a/b") == "ACK [2@0] {save} Bad playlist name\n")
        await client.ask("rename \"My list\" list", "playlistadd list plain.wav", "playlistmove list 3 0")
        #expect(
            await files("list") == ["plain.wav", "Beta/a.mp3", "Beta/b.ogg", "http://radio.example/stream"])
        await client.ask("playlistdelete list 1:3", "playlistadd list Beta/b.ogg 0")
        #expect(await files("list") == ["Beta/b.ogg", "plain.wav", "http://radio.example/stream"])
        #expect(await client.values("Title", "listplaylistinfo list").first == "Last")
        await client.ask("clear", "load list", "load list 1:2 0")
        #expect(
            await client.values("file", "playlistinfo") == [
                "plain.wav", "Beta/b.ogg", "plain.wav", "http://radio.example/stream",
            ])
        await client.ask("searchaddpl found any song", "playlistadd made Beta")
        #expect(await files("found") == ["Alpha/One/01.flac", "Alpha/One/02.flac"])
        #expect(await files("made").count == 2)
        await client.ask("playlistclear list", "load list")
        #expect(await files("list").isEmpty)
        #expect(await client.ask("rename list found") == "ACK [56@0] {rename} Playlist exists already\n")
        await client.ask("rm list", "rm found", "rm made")
        #expect(await client.ask("listplaylists") == "OK\n")
        for line in [
            "listplaylist x", "load x", "rm x", "rename x y", "playlistclear x", "playlistdelete x 0",
        ] {
            #expect(await client.ask(line).hasSuffix("} No such playlist\n"), "\(line)")
        }
    }

    @Test("no change of a playlist is lost when several clients make them at a time")
    func simultaneousEdits() async throws {
        let test = try await TestServer()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { await test.client().ask("playlistadd list plain.wav") }
            }
        }
        let client = test.client()
        #expect(await client.values("playlist", "listplaylists") == ["list"])
        #expect(await client.values("file", "listplaylist list").count == 20)
    }

    @Test("a tag groups a list once")
    func repeatedGroup() async throws {
        let test = try await TestServer()
        #expect(
            await test.client().ask("list album group artist group Artist")
                == "ACK [2@0] {list} Conflicting group\n")
    }
}
