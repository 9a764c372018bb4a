import Testing

@testable import TuttiCodecs

@Suite("A variant list reduced to the examined variants")
struct VariantListTests {
    private static func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }

    private static func variant(_ bandwidth: Int, _ name: String, more: String = "") -> [String] {
        ["#EXT-X-STREAM-INF:CODECS=\"mp4a.40.2,avc1\",BANDWIDTH=\(bandwidth)\(more)", name]
    }

    @Test("a short list is unchanged; a segment list is not a variant list")
    func short() {
        let text = Self.text(["#EXTM3U"] + (0..<8).flatMap { Self.variant($0, "\($0)") })
        #expect(VariantList(text)?.text == text)
        #expect(VariantList(Self.text(["#EXTM3U", "#EXTINF:1,", "a.aac"])) == nil)
        #expect(VariantList("") == nil)
    }

    @Test("audio-only variants come first, then the highest bit rates, in list order")
    func best() {
        let pictures = (1...20).flatMap {
            Self.variant($0 * 1000, "picture\($0)", more: ",RESOLUTION=1x1,AUDIO=\"a,b\"")
        }
        let sounds = (1...3).flatMap { Self.variant($0, "sound\($0)") }
        let text = Self.text(["#EXTM3U", "#EXT-X-VERSION:4"] + pictures + sounds)
        let lines = VariantList(text)?.text.split(separator: "\n").map(String.init) ?? []
        #expect(lines.prefix(2) == ["#EXTM3U", "#EXT-X-VERSION:4"])
        let names = lines.filter { !$0.hasPrefix("#") }
        #expect(names == (16...20).map { "picture\($0)" } + (1...3).map { "sound\($0)" })
        #expect(lines.count == 2 + 16)
    }

    @Test("32 renditions are kept, audio ones first")
    func renditions() {
        let texts = (0..<100).map { "#EXT-X-MEDIA:TYPE=SUBTITLES,URI=\"\($0)\"" }
        let sounds = (0..<20).map { "#EXT-X-MEDIA:NAME=\"TYPE=VIDEO\",TYPE=AUDIO,URI=\"\($0)\"" }
        let text = Self.text(["#EXTM3U"] + texts + sounds + Self.variant(1, "a"))
        let lines = VariantList(text)?.text.split(separator: "\n").map(String.init) ?? []
        #expect(lines.filter { $0.contains("TYPE=AUDIO") } == sounds)
        #expect(lines.filter { $0.contains("SUBTITLES") } == Array(texts.prefix(12)))
    }

    @Test("a list with an unterminated tag does not trap")
    func broken() {
        let tag = "#EXT-X-STREAM-INF:"
        for text in [
            tag, tag + "BANDWIDTH", tag + "=", tag + "A=\"", tag + ",,,=,\n\n", "a\n" + tag + "B=\"x\n" + tag,
        ] {
            #expect(VariantList(text) != nil)
            #expect(VariantList(String(repeating: text + "\nx\n", count: 20)) != nil)
        }
    }
}
