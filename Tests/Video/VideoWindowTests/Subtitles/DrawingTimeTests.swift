import Testing

@testable import VideoWindow

@Suite("The moment at which subtitles are drawn")
struct DrawingTimeTests {
    private func time(_ cues: [(start: Int64, duration: Int64)]) -> Int64 {
        SubtitleCue.drawingTime(
            of: cues.map { SubtitleCue(start: $0.start, duration: $0.duration, text: "") })
    }

    @Test("subtitles are drawn in the middle of the time that they share")
    func middle() {
        #expect(time([(1000, 2000)]) == 2000)
        #expect(time([(1000, 2000), (2500, 4000)]) == 2750)
        #expect(time([(2500, 4000), (1000, 2000)]) == 2750)
    }

    @Test("a subtitle without an end is drawn half a minute after its start")
    func endless() {
        #expect(time([(0, .max)]) == 30_000)
        #expect(time([(5000, .max)]) == 35_000)
        #expect(time([(-10_000, .max)]) == 20_000)
    }

    @Test("subtitles that share no time are drawn at the latest start, and none at 0")
    func apart() {
        #expect(time([(0, 100), (200, 100)]) == 200)
        #expect(time([(700, 0)]) == 700)
        #expect(time([]) == 0)
    }
}
