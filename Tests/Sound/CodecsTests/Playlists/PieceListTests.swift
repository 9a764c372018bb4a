import Testing

@testable import TuttiCodecs

@Suite("A segment playlist from a later segment on")
struct PieceListTests {
    private static let head = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:2"]

    private static func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }

    private static let plain = text(
        head + ["#EXT-X-MEDIA-SEQUENCE:5", "#EXT-X-MAP:URI=\"a.mp4\""]
            + ["#EXTINF:1.5,", "0.m4s", "#EXTINF:2,", "1.m4s", "#EXT-X-DISCONTINUITY", "#EXTINF:1,", "2.m4s"]
            + ["#EXT-X-ENDLIST"])

    static let places: [(place: Double, sequence: Int, names: [String], skipped: Double)] = [
        (1.5, 6, ["1.m4s", "2.m4s"], 1.5), (3.4, 6, ["1.m4s", "2.m4s"], 1.5), (3.5, 7, ["2.m4s"], 3.5),
        (1000, 7, ["2.m4s"], 3.5), (.infinity, 7, ["2.m4s"], 3.5),
    ]

    @Test("the list starts with the last segment before the position", arguments: places)
    func begins(place: Double, sequence: Int, names: [String], skipped: Double) {
        let list = PieceList(Self.plain, from: place)
        let lines = list.text.split(separator: "\n").map(String.init)
        let head = Self.head + ["#EXT-X-MEDIA-SEQUENCE:\(sequence)", "#EXT-X-MAP:URI=\"a.mp4\""]
        #expect(Array(lines.prefix(5)) == head)
        #expect(lines.filter { $0.hasSuffix(".m4s") } == names && lines.last == "#EXT-X-ENDLIST")
        #expect(list.skipped == skipped)
        #expect(lines.firstIndex(of: "#EXT-X-DISCONTINUITY").map { lines[$0 + 2] } == "2.m4s")
    }

    @Test(
        "the list is unchanged where nothing precedes the position, while it is live, or if it is a variant list"
    )
    func untouched() {
        let master = Self.text(["#EXTM3U", "#EXT-X-STREAM-INF:BANDWIDTH=1", "a.m3u8"])
        for (text, place) in [
            (Self.plain, 0), (Self.plain, -1), (Self.plain, 1.4), (Self.plain, .nan), (master, 9),
        ] {
            #expect(PieceList(text, from: place) == PieceList(text, from: 0))
            #expect(PieceList(text, from: place).text == text)
        }
        let growing = Self.plain.replacing("#EXT-X-ENDLIST\n", with: "")
        #expect(PieceList(growing, from: 4).text == growing)
        for end in Self.plain.indices {
            _ = PieceList(String(Self.plain[..<end]) + "\n#EXT-X-ENDLIST", from: 2)
        }
    }

    @Test("a relative byte range becomes absolute, and keys stay in force")
    func rangesAndKeys() {
        let list = PieceList(
            Self.text(
                Self.head + ["#EXT-X-KEY:METHOD=AES-128,URI=\"k\""]
                    + ["#EXTINF:1,", "#EXT-X-BYTERANGE:10@5", "a", "#EXTINF:1,", "#EXT-X-BYTERANGE:20", "a"]
                    + ["#EXTINF:1,", "#EXT-X-BYTERANGE:30", "a", "#EXT-X-KEY:METHOD=NONE", "#EXTINF:1,"]
                    + ["#EXT-X-BYTERANGE:7", "a", "#EXT-X-ENDLIST"]), from: 1)
        #expect(
            list.text
                == Self.text(
                    Self.head + [
                        "#EXT-X-MEDIA-SEQUENCE:1", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"", "#EXTINF:1,",
                    ]
                        + ["#EXT-X-BYTERANGE:20@15", "a", "#EXTINF:1,", "#EXT-X-BYTERANGE:30", "a"]
                        + [
                            "#EXT-X-KEY:METHOD=NONE", "#EXTINF:1,", "#EXT-X-BYTERANGE:7", "a",
                            "#EXT-X-ENDLIST",
                        ]))
    }
}
