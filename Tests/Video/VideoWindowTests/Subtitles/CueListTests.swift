import Testing

@testable import VideoWindow

@Suite("Lists of subtitles")
struct CueListTests {
    private func cue(_ start: Int64, _ text: String = "x", header: String = "H") -> SubtitleCue {
        SubtitleCue(start: start, duration: 10, text: text, header: header)
    }

    @Test("the same list changes nothing, and a longer one is appended to")
    func appends() {
        var list = CueList()
        #expect(list.update(to: []) == .none)
        #expect(list.update(to: [cue(1)]) == .replace(header: "H", [cue(1)]))
        #expect(list.update(to: [cue(1)]) == .none)
        #expect(list.update(to: [cue(1), cue(2)]) == .append([cue(2)]))
    }

    @Test("fewer cues, other cues and another header replace the script")
    func replaces() {
        var list = CueList()
        _ = list.update(to: [cue(1), cue(2)])
        #expect(list.update(to: [cue(2)]) == .replace(header: "H", [cue(2)]))
        #expect(list.update(to: [cue(3)]) == .replace(header: "H", [cue(3)]))
        #expect(
            list.update(to: [cue(3, header: "I")]) == .replace(header: "I", [cue(3, header: "I")]))
        #expect(list.update(to: []) == .replace(header: "I", []))
    }

    @Test("overlong events, cues without a duration and cues of another header are left out")
    func limits() {
        var list = CueList()
        let long = cue(2, String(repeating: "x", count: CueList.textLimit + 1))
        let fitting = cue(3, String(repeating: "x", count: CueList.textLimit))
        var empty = cue(4)
        empty.duration = 0
        let cues = [cue(1), long, fitting, empty, cue(5, header: "I")]
        #expect(list.update(to: cues) == .replace(header: "H", [cue(1), fitting]))
    }

    @Test("the last cues count if there are too many")
    func count() {
        var list = CueList()
        let cues = (0...Int64(CueList.countLimit)).map { cue($0) }
        #expect(list.update(to: cues) == .replace(header: "H", Array(cues.dropFirst())))
    }
}
