import Testing

@testable import VideoWindow

@Suite("The weight of subtitles")
struct ScriptWeightTests {
    private static func header(_ style: String = "16,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,2,2")
        -> String
    {
        """
        [Script Info]
        PlayResX: 384
        PlayResY: 288
        [V4+ Styles]
        Style: Default,sans-serif,\(style),2,10,10,10,1
        """
    }

    private static func event(_ text: String) -> String { "0,0,Default,,0,0,0,,\(text)" }

    private func weight(_ text: String, header: String = header()) -> Double {
        ScriptWeight(header: header).weight(of: Self.event(text))
    }

    private static let letters = String(repeating: "x", count: 80)

    static let ordinary = [
        letters, "{\\i1}\(letters){\\i0}", "{\\fs40\\bord3\\blur1\\pos(20,30)}A sign of some words",
        "{\\frz12\\fs30}Turned on a wall", "{\\p1}m 0 0 l 300 0 300 200 0 200{\\p0}",
        "{\\clip(0,0,384,288)}{\\t(0,500,\\fscx120\\fscy120)}grows", "{\\fsp2}wide",
        String(repeating: letters, count: 15),
        "{\\frx20\\fry30\\org(192,144)}in space", "",
    ]

    @Test("ordinary events are light", arguments: ordinary)
    func light(text: String) { #expect(weight(text) <= ScriptWeight.limit / 2) }

    static let absurd = [
        "{\\fscx1000000\\fscy1000000}АБ", "{\\fs100000}ab", "{\\fs+5000}abc", "{\\bord5000\\blur2}ab",
        "{\\xshad9000}a",
        "{\\fs300\\fscy700}\(letters)", "{\\t(\\fs9000)\\fs10}ab", "{\\fs9000\\t(\\fs10)}ab",
        "{\\fax5000\\fs100}abc", "{\\fsp900000}\(letters)",
        "{\\frz45\\q2}\(String(repeating: letters, count: 20))",
        "{\\p1}m 0 0 l 100000 0 100000 100000", "{\\clip(m 0 0 l 90000 0 90000 90000)}a",
        "{\\frx80\\org(0,900000)}near", "{\\fs1e300}a", "{\\fs1e999\\fscx0}a",
        String(repeating: letters, count: 200),
        "{\\fs99999", "{\\rOther\\fs99999}ab",
    ]

    @Test(
        "events that would take hundreds of megabytes are heavy",
        arguments: absurd.filter { $0.contains("}") || $0.count > 999 })
    func heavy(text: String) { #expect(!(weight(text) <= ScriptWeight.limit)) }

    @Test("sizes of styles count, by the names of their columns")
    func styles() {
        let wide = Self.header("16,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100000,100,0,0,1,2,2")
        #expect(weight(Self.letters, header: wide) > ScriptWeight.limit)
        let format = """
            PlayResY: 288
            Format: Name, Outline, Fontsize
            Style: Default,2,90000
            """
        #expect(weight("abc", header: format) > ScriptWeight.limit)
        #expect(weight("abc", header: "") < 1)
    }

    @Test("a turned and large style of signs does not weigh on dialogue, unless an event asks for it")
    func ownStyle() {
        let header = """
            PlayResY: 288
            Style: Default,sans-serif,24,&H0,&H0,&H0,&H0,0,0,0,0,100,100,0,0,1,2,2,2,10,10,10,1
            Style: Sign,sans-serif,120,&H0,&H0,&H0,&H0,0,0,0,0,100,100,0,5,1,2,0,8,10,10,10,1
            """
        let long = Self.letters + "\\N" + Self.letters
        #expect(weight(long, header: header) < ScriptWeight.limit / 4)
        #expect(!(weight("{\\rSign}" + long, header: header) <= ScriptWeight.limit))
        let sign = ScriptWeight(header: header).weight(of: "0,0,Sign,,0,0,0,,SHOP")
        #expect(sign > 0.5 && sign <= ScriptWeight.limit)
    }

    @Test("an event without its overrides keeps its fields and words")
    func plain() {
        #expect(ScriptWeight.plainEvent(Self.event("{\\fs9}a, b{\\i1}c{")) == Self.event("a, bc"))
        #expect(ScriptWeight.plainEvent("too,few") == "too,few")
    }

    @Test("a heavy event is shown without its overrides, and left out if that does not help")
    func lightened() {
        let header = Self.header()
        func cue(_ text: String, start: Int64 = 0) -> SubtitleCue {
            SubtitleCue(start: start, duration: 10, text: Self.event(text), header: header)
        }
        var list = CueList()
        let long = String(repeating: Self.letters, count: 200)
        let cues = [cue("{\\fs90000}words"), cue("{\\fs20}fine"), cue("{\\fs90000}\(long)")]
        #expect(list.update(to: cues) == .replace(header: header, [cue("words"), cue("{\\fs20}fine")]))
        // Together in one moment, what is light alone may be too much; later it has room again.
        let many =
            (0..<60).map { _ in cue("{\\fs60}\(Self.letters)") } + [cue("{\\fs60}\(Self.letters)", start: 20)]
        guard case .replace(_, let shown) = list.update(to: many) else {
            Issue.record("no new script")
            return
        }
        #expect(shown.filter { $0.text.contains("fs60") }.count < 20)
        #expect(shown.last == many.last)
    }
}
