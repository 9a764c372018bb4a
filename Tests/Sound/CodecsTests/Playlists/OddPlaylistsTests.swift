import Testing

@testable import TuttiCodecs

@Suite("Playlists with unusual lines")
struct OddPlaylistsTests {
    private func list(_ text: String, _ base: String = "/l/x.m3u") -> [PlaylistFile.Entry]? {
        PlaylistFile(Array(text.utf8), base: base)?.entries
    }

    @Test("a title belongs to the next line alone, and the last of two counts")
    func titles() throws {
        let entries = try #require(
            list("#EXTM3U\n#EXTINF:1,One\nftp://no/a\n/b\n#EXTINF:1,Two\n#EXTINF:1,Three\n/c\n#EXTINF:1,\n/d")
        )
        #expect(entries.map(\.location) == ["/b", "/c", "/d"])
        #expect(entries.map(\.title) == [nil, "Three", nil])
    }

    @Test(
        "a title follows the first comma outside quotes",
        arguments: [
            ("#EXTINF:1,a, b", "a, b"), ("#EXTINF:1 x=\"a,b\" y=\",\",c", "c"), ("#EXTINF:1", nil),
            ("#EXTINF:1,  ", nil), ("#EXTINF:1 x=\"a,b", nil), ("#extinf:-1,Ü \u{1F3B5}", "Ü \u{1F3B5}"),
            ("#EXTINF:,\"q\"", "\"q\""), ("#EXTINF:1;x", nil),
        ] as [(String, String?)])
    func title(line: String, title: String?) {
        #expect(list(line + "\n/a")?.map(\.title) == [title])
    }

    @Test("lines with control characters or too many bytes are no entries, and a long title is cut")
    func limits() throws {
        let long = "/" + String(repeating: "a", count: 4096)
        let text =
            "#EXTM3U\n/a\u{1}b\n\(long)\n\(long.dropLast())\n#EXTINF:1,\(String(repeating: "ü", count: 9000))\n/c"
        let entries = try #require(list(text))
        #expect(entries.map(\.location) == [String(long.dropLast()), "/c"])
        #expect(entries.last?.title?.count == 4096)
    }

    @Test("any line break ends a line", arguments: ["\n", "\r\n", "\r", "\u{85}", "\u{2028}", "\n\n \n"])
    func lineBreaks(end: String) {
        let text = ["#EXTM3U", "#EXTINF:1,A", "/a", "/b"].joined(separator: end)
        #expect(list(text)?.map(\.location) == ["/a", "/b"])
        #expect(list(text)?.map(\.title) == ["A", nil])
    }

    @Test("the numbers of a PLS order its entries, and a later line replaces an earlier one")
    func pls() {
        let text = """
            \u{FEFF}[PLAYLIST]
            File10000=/last
            File0=/first
            File2=/two
            file 2 = /again
            Title2=One
            Title2=Two
            File3=/three
            File3=
            File10001=/no
            File-1=/no
            File=/no
            Title7=nobody
            Files4=/no
            """
        let expected = [
            PlaylistFile.Entry(location: "/first"), PlaylistFile.Entry(location: "/again", title: "Two"),
            PlaylistFile.Entry(location: "/last"),
        ]
        #expect(list(text, "/l/x.pls") == expected)
    }

    @Test("an entry is an address by its scheme, in any case, also in a list on disk")
    func addresses() {
        let text = "#EXTM3U\nHTTP://Host/a b\nhttps://é/x\nrtsp://a/b\nmms://a\n  /a  \nhttp:\n"
        #expect(list(text)?.map(\.location) == ["HTTP://Host/a b", "https://é/x", "/a", "/l/http:"])
    }

    @Test("lengths that are none count as 0, and huge ones as a day")
    func lengths() {
        let lengths = ["nan", "-5", "x", "", "1e400", " 2 ", "3.5,title", "4"]
        let segments = lengths.enumerated().map { "#EXTINF:\($0.element),\n\($0.offset).ts\n" }.joined()
        let text = "#EXTM3U\n" + segments + "#EXT-X-ENDLIST\n"
        func first(_ place: Double) -> (String, Double) {
            let list = PieceList(text, from: place)
            let name = list.text.split(separator: "\n").first { $0.hasSuffix(".ts") }
            return (name.map(String.init) ?? "", list.skipped)
        }
        #expect(first(1) == ("4.ts", 0))
        #expect(first(86_400) == ("5.ts", 86_400))
        #expect(first(86_402) == ("6.ts", 86_402))
        #expect(first(86_405.5) == ("7.ts", 86_405.5))
        #expect(first(1e9) == ("7.ts", 86_405.5))
    }

    @Test("numbers at the ends of 64 bits do not overflow")
    func hugeNumbers() {
        let text = """
            #EXTM3U
            #EXT-X-MEDIA-SEQUENCE:9223372036854775807
            #EXTINF:1,
            #EXT-X-BYTERANGE:9223372036854775807@9223372036854775807
            a.ts
            #EXTINF:1,
            #EXT-X-BYTERANGE:9223372036854775807
            a.ts
            #EXTINF:1,
            #EXT-X-BYTERANGE:-1@-1
            a.ts
            #EXT-X-ENDLIST
            """
        let list = PieceList(text, from: 2.5)
        #expect(list.skipped == 2)
        #expect(list.text.split(separator: "\n").count { $0 == "a.ts" } == 1)
    }

    @Test("the initialization and the key in force at the new beginning are named once")
    func inForce() {
        let text = """
            #EXTM3U
            #EXT-X-MAP:URI="one"
            #EXTINF:1,
            0.m4s
            #EXT-X-MAP:URI="two"
            #EXT-X-KEY:METHOD=AES-128,URI="k"
            #EXTINF:1,
            1.m4s
            #EXTINF:1,
            2.m4s
            #EXT-X-MAP:URI="three"
            #EXTINF:1,
            3.m4s
            #EXT-X-ENDLIST
            """
        let lines = PieceList(text, from: 2).text.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "#EXTM3U", "#EXT-X-MEDIA-SEQUENCE:2", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"",
                "#EXT-X-MAP:URI=\"two\"", "#EXTINF:1,", "2.m4s", "#EXT-X-MAP:URI=\"three\"", "#EXTINF:1,",
                "3.m4s",
                "#EXT-X-ENDLIST",
            ])
    }
}
