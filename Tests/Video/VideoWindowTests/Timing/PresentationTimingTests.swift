import Testing

@testable import VideoWindow

@Suite("Timing of presentations")
struct PresentationTimingTests {
    private let millisecond: Int64 = 1_000_000

    @Test("a display without a plausible rate counts as 60 Hz", arguments: [0, -1, 5, 100_000])
    func unknownRate(hertz: Int) { #expect(DisplayPeriod(hertz: hertz).nanoseconds == 16_666_666) }

    @Test("presentations that waited refine a rate of whole hertz, at any number of periods between them")
    func refines() {
        let exact = 1e9 / 59.94
        var period = DisplayPeriod(hertz: 59)
        var refreshes = 0
        for picture in 0..<400 {
            // 24 pictures a second on 60 Hz take two and three refreshes in turn.
            refreshes += picture % 2 == 0 ? 2 : 3
            let end = Int64(Double(refreshes) * exact)
            period.notePresentation(from: end - 5_000_000, to: end)
        }
        #expect(abs(Double(period.nanoseconds) - exact) < 1000)
    }

    @Test("presentations that did not wait, stutter and long pauses do not change the period")
    func ignores() {
        var period = DisplayPeriod(hertz: 60)
        var end: Int64 = 0
        for _ in 0..<100 {
            end += 16_900_000
            period.notePresentation(from: end - 100_000, to: end)
        }
        #expect(period.nanoseconds == 16_666_666)
        for interval in [25, 8, 500, 40] as [Int64] {
            end += interval * millisecond
            period.notePresentation(from: end - 4_000_000, to: end)
        }
        #expect(period.nanoseconds == 16_666_666)
    }

    @Test("the lead time is the upload and half a period when synchronized")
    func synchronizedLead() {
        var timing = PresentationTiming(hertz: 50, isSynchronized: true)
        #expect(timing.leadTime == 10 * millisecond)
        timing.noteUpload(nanoseconds: 3 * millisecond)
        timing.notePresentation(from: 0, to: 15 * millisecond)
        #expect(timing.leadTime == 13 * millisecond)
    }

    @Test("the lead time is the upload and the presentation otherwise")
    func unsynchronizedLead() {
        var timing = PresentationTiming(hertz: 50, isSynchronized: false)
        timing.noteUpload(nanoseconds: 3 * millisecond)
        timing.notePresentation(from: 0, to: 5 * millisecond)
        #expect(timing.leadTime == 8 * millisecond)
    }

    @Test("averages begin with the first value and follow changes")
    func average() {
        var average = RunningAverage()
        average.note(800)
        #expect(average.value == 800)
        average.note(1600)
        #expect(average.value == 900)
        for _ in 0..<100 { average.note(-5) }
        #expect(average.value < 8)
    }

    @Test("a picture is late beyond half a period")
    func lateness() {
        let timing = PresentationTiming(hertz: 50, isSynchronized: true)
        #expect(timing.lateness(due: 0, shownAt: 10 * millisecond) == nil)
        #expect(timing.lateness(due: 0, shownAt: 11 * millisecond) == 11 * millisecond)
        #expect(timing.lateness(due: 20 * millisecond, shownAt: 0) == nil)
        #expect(timing.lateness(due: .min, shownAt: .max) == nil)
    }

    @Test("statistics count late pictures and keep the worst")
    func statistics() {
        let timing = PresentationTiming(hertz: 50, isSynchronized: true)
        var statistics = VideoWindowStatistics()
        for shownAt in [5, 30, 12] as [Int64] {
            statistics.notePicture(shownAt: shownAt * millisecond, due: 0, timing: timing)
        }
        #expect(statistics.shownCount == 3)
        #expect(statistics.lateCount == 2)
        #expect(statistics.worstLateness == 30 * millisecond)
    }
}
