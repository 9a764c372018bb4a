import Testing
import TuttiCodecs
import TuttiTestMedia
import TuttiTestSupport
import TuttiWebTestSupport

@Suite("Playlist files", .tags(.machine))
struct PlaylistFileTests {
    private func locations(_ text: String, _ base: String) -> [String]? {
        PlaylistFile(Array(text.utf8), base: base)?.entries.map(\.location)
    }

    @Test("M3U is read with titles, comments and every kind of entry")
    func m3u() throws {
        let text = """
            \u{FEFF}#EXTM3U
            #EXTINF:123,Artist - Title, with a comma
            a song.mp3
            # a comment
            #EXTINF:-1 tvg-name="a,b",Radio
            http://host/live?x=1

            /music/b.flac
            sub/c.ogg
            file:///d%20e.wav
            ftp://host/no.mp3
            """
        let list = try #require(PlaylistFile(Array(text.utf8), base: "/lists/x.m3u"))
        #expect(
            list.entries.map(\.location) == [
                "/lists/a song.mp3", "http://host/live?x=1", "/music/b.flac", "/lists/sub/c.ogg", "/d e.wav",
            ])
        #expect(list.entries.map(\.title) == ["Artist - Title, with a comma", "Radio", nil, nil, nil])
        #expect(locations(text.replacing("\n", with: "\r\n"), "/lists/x.m3u") == list.entries.map(\.location))
        #expect(locations("a.mp3\nb.mp3", "x.m3u") == ["a.mp3", "b.mp3"])
        #expect(locations("sub\\a.mp3", "/l/x.m3u") == ["/l/sub/a.mp3"])
    }

    @Test("entries of a remote playlist resolve to web addresses only")
    func remote() {
        let text =
            "#EXTM3U\na b.mp3\n/root.mp3\n../up.mp3\n//other/x.mp3\nfile:///etc/passwd\nhttps://c/d\nmailto:x\n?q=1"
        #expect(
            locations(text, "http://host/dir/list.m3u?x=y") == [
                "http://host/dir/a%20b.mp3", "http://host/root.mp3", "http://host/up.mp3",
                "http://other/x.mp3",
                "https://c/d", "http://host/dir/list.m3u?q=1",
            ])
    }

    @Test("PLS entries are in the order of their numbers")
    func pls() throws {
        let text = """
            [playlist]
            NumberOfEntries=3
            File2=http://host/two
            Title2=Two
            file1 = http://host/one
            Length1=-1
            File99999999=http://host/no
            Filex=http://host/no
            Title3=Nothing
            Version=2
            """
        let list = try #require(PlaylistFile(Array(text.utf8), base: "http://host/listen.pls"))
        #expect(list.entries.map(\.location) == ["http://host/one", "http://host/two"])
        #expect(list.entries.map(\.title) == [nil, "Two"])
    }

    @Test(
        "Latin-1 is read; segment lists, pages and audio are not playlists; the number of entries is limited")
    func others() {
        let latin = PlaylistFile([0xDC] + Array("bung.mp3\n".utf8), base: "/a.m3u")
        #expect(latin?.entries.map(\.location) == ["/Übung.mp3"])
        #expect(locations("#EXTM3U\n#EXT-X-TARGETDURATION:2\na.ts", "http://h/a.m3u8") == nil)
        #expect(locations("<html></html>", "http://h/a.m3u") == nil)
        #expect(locations("fLaC", "http://h/a.flac") == nil)
        let many = String(repeating: "a.mp3\n", count: PlaylistFile.entryLimit + 5)
        #expect(locations(many, "/a.m3u")?.count == PlaylistFile.entryLimit)
        #expect(
            PlaylistFile([UInt8](repeating: 65, count: PlaylistFile.byteLimit + 1), base: "/a.m3u") == nil)
    }

    @Test("a playlist is read from disk and from an address")
    func reading() async throws {
        let folder = try TestFolder()
        let path = try folder.write(Array("#EXTM3U\na.mp3\n".utf8), to: "a.m3u")
        #expect(try PlaylistFile.read(path)?.entries.map(\.location) == [folder.file("a.mp3")])
        #expect(throws: MediaError.notFound(name: "b.m3u")) { try PlaylistFile.read(folder.file("b.m3u")) }
        let server = try ScriptedServer { request in
            request.path == "/x"
                ? .answer("302 Found", ["Location: /dir/y.pls", "Content-Length: 0"])
                : .whole(Array("[playlist]\nFile1=z.mp3\n".utf8))
        }
        let (address, expected) = (server.address("x"), server.address("dir/z.mp3"))
        let list = try await elsewhere { try PlaylistFile.read(address) }
        #expect(list?.entries.map(\.location) == [expected])
    }
}
