import Testing
import TuttiCodecs

@testable import Playback

@Suite("Texts that are read along with pictures")
struct EmbeddedTextsTests {
    private func text(_ start: Int64, _ words: String, order: Int = 0) -> SubtitleCue {
        SubtitleCue(start: start, end: start + 1000, event: "\(order),0,Default,,0,0,0,,\(words)")
    }

    @Test("a place that is read twice gives its texts once, in the order of their starts")
    func twice() {
        var texts = EmbeddedTexts()
        texts.keep([text(5000, "c", order: 1), text(5500, "d", order: 2)])
        texts.keep([text(0, "a", order: 3), text(5000, "c", order: 4), text(1000, "b", order: 5)])
        #expect(texts.table.cues.map(\.start) == [0, 1000, 5000, 5500])
        #expect(texts.table.shown(at: 5600).map(\.text) == ["c", "d"])
        #expect(texts.table.shown(at: 6000).map(\.text) == ["d"])
        #expect(texts.table.shown(at: 3000).isEmpty && texts.table.shown(at: -1).isEmpty)
        texts.removeAll()
        #expect(texts.table.cues.isEmpty)
    }

    @Test("a text that lasts for minutes is found in all of them")
    func long() {
        var texts = EmbeddedTexts()
        let watermark = SubtitleCue(start: 1000, end: 7_200_000, event: "1,0,Default,,0,0,0,,mark")
        texts.keep([watermark, text(100_000, "a")])
        #expect(texts.table.shown(at: 2000).map(\.text) == ["mark"])
        #expect(texts.table.shown(at: 100_500).map(\.text) == ["mark", "a"])
        #expect(texts.table.shown(at: 7_200_000).isEmpty && texts.table.shown(at: 999).isEmpty)
        #expect(SubtitleTable([watermark]).shown(at: 5_000_000) == [watermark])
        #expect(texts.table.shown(at: .min).isEmpty)
    }

    @Test("neither many nor long texts grow without limit")
    func limits() {
        var texts = EmbeddedTexts()
        texts.keep((0..<30_000).map { text(Int64($0), "x") })
        #expect(texts.table.cues.count == EmbeddedTexts.countLimit)
        texts.removeAll()
        let long = String(repeating: "x", count: 60_000)
        for second in 0..<700 { texts.keep([text(Int64(second) * 1000, long)]) }
        let bytes = texts.table.cues.reduce(0) { $0 + $1.event.utf8.count }
        #expect(bytes <= EmbeddedTexts.byteLimit && bytes > EmbeddedTexts.byteLimit / 2)
    }
}
