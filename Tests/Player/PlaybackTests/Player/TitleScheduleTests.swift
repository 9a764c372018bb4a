import CoreMedia
import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import Playback

@Suite("Titles at the time they are heard")
struct TitleScheduleTests {
    private let clock = ManualClock()
    private let notes = Recorder<[String]>([])

    private func schedule() -> TitleSchedule {
        let notes = notes
        return TitleSchedule(machine: SystemMachine()) { event in
            switch event {
            case .flushed: notes.update { $0.append("flushed") }
            case .due(let titles):
                notes.update { $0.append(titles.map(\.title.title).joined(separator: " ")) }
            }
        }
    }

    private func titles(_ places: [(Double, String)]) -> [ScheduledTitle] {
        places.map { place, title in
            ScheduledTitle(time: time(place), title: TimedTitle(frame: 0, title: title))
        }
    }

    private func time(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: 1000) }

    private func line(at seconds: Double, rate: Double = 1, in lead: Double = 0) -> PresentationLine {
        PresentationLine(time: time(seconds), host: clock.now.advanced(by: .seconds(lead)), rate: rate)
    }

    private func pass(_ seconds: Double, _ schedule: TitleSchedule) {
        clock.advance(by: .seconds(seconds))
        schedule.look(now: clock.now)
    }

    @Test("a title is delivered when it becomes audible, however long before it was read")
    func audible() {
        let schedule = schedule()
        schedule.titlesBecame(titles([(0, "a"), (60, "b"), (200, "c")]), now: clock.now)
        // The speaker starts in two seconds.
        schedule.lineDidChange(line(at: 0, in: 2), now: clock.now)
        pass(1.9, schedule)
        #expect(notes.value.isEmpty)
        pass(0.2, schedule)
        #expect(notes.value == ["a"])
        pass(59.8, schedule)
        #expect(notes.value == ["a"])
        pass(0.2, schedule)
        #expect(notes.value == ["a", "b"])
    }

    @Test("a pause delivers no title, and the resume repeats none")
    func pause() {
        let schedule = schedule()
        schedule.titlesBecame(titles([(0, "a"), (5, "b")]), now: clock.now)
        schedule.lineDidChange(line(at: 0), now: clock.now)
        pass(1, schedule)
        schedule.lineDidChange(line(at: 1, rate: 0), now: clock.now)
        pass(100, schedule)
        #expect(notes.value == ["a"])
        schedule.lineDidChange(line(at: 1), now: clock.now)
        pass(4.1, schedule)
        #expect(notes.value == ["a", "b"])
    }

    @Test("a lead time delivers titles early; an unlimited one delivers them at once")
    func lead() {
        let schedule = schedule()
        schedule.setLead(.seconds(3), now: clock.now)
        schedule.titlesBecame(titles([(0, "a"), (10, "b"), (5000, "c")]), now: clock.now)
        schedule.lineDidChange(line(at: 0), now: clock.now)
        #expect(notes.value == ["a"])
        pass(6.9, schedule)
        #expect(notes.value == ["a"])
        pass(0.2, schedule)
        #expect(notes.value == ["a", "b"])
        schedule.setLead(.seconds(1_000_000), now: clock.now)
        #expect(notes.value == ["a", "b", "c"])
    }

    @Test("a seek voids earlier deliveries and delivers the title in force at the target")
    func seek() {
        let schedule = schedule()
        schedule.titlesBecame(titles([(0, "a"), (10, "b"), (20, "c"), (30, "d")]), now: clock.now)
        schedule.lineDidChange(line(at: 0), now: clock.now)
        pass(11, schedule)
        schedule.lineDidChange(line(at: 25), now: clock.now)
        pass(1, schedule)
        #expect(notes.value == ["a b", "flushed", "c"] || notes.value == ["a", "b", "flushed", "c"])
        schedule.lineDidChange(line(at: 5), now: clock.now)
        pass(6, schedule)
        #expect(notes.value.suffix(3) == ["flushed", "a", "b"])
    }

    @Test("a clock correction is not a jump; a new rate moves the delivery times")
    func corrections() {
        let schedule = schedule()
        schedule.titlesBecame(titles([(0, "a"), (10, "b")]), now: clock.now)
        schedule.lineDidChange(line(at: 0), now: clock.now)
        pass(1, schedule)
        schedule.lineDidChange(line(at: 1.02, rate: 2), now: clock.now)
        pass(4.4, schedule)
        #expect(notes.value == ["a"])
        pass(0.2, schedule)
        #expect(notes.value == ["a", "b"])
    }

    @Test("an item's schedules deliver the titles of its feed when the player reaches them")
    func inAPlayer() {
        let stage = PlayerStage()
        let (item, feed) = stage.item("a", seconds: 60)
        let schedule = schedule()
        item.add(schedule)
        feed.setTitles([(time(0), "a"), (time(3), "b")])
        stage.core.insert(item, after: nil)
        feed.open()
        feed.arrive(until: 60)
        stage.settle()
        #expect(notes.value.isEmpty)
        stage.core.setRate(1)
        stage.settle()
        stage.pass(2.5)
        #expect(notes.value == ["a"])
        stage.pass(1)
        #expect(notes.value == ["a", "b"])
        item.remove(schedule)
        stage.core.seek(to: .zero) { _ in }
        stage.settle()
        stage.pass(1)
        #expect(notes.value == ["a", "b"])
    }

    @Test("a paused live stream is read on only if the program wants it", arguments: [true, false])
    func keptLiveStream(isKept: Bool) {
        let stage = PlayerStage()
        let (item, feed) = stage.item("radio", seconds: .infinity)
        item.setWishes { $0.keepsLiveStream = isKept }
        stage.core.insert(item, after: nil)
        feed.open()
        feed.arrive(until: 20)
        stage.core.setRate(1)
        stage.settle()
        stage.pass(2)
        stage.core.setRate(0)
        stage.settle()
        feed.arrive(until: 120)
        stage.pass(1)
        let end = item.state.loaded?.end.seconds ?? 0
        #expect(isKept ? end == 120 : end < 40, "\(end)")
    }
}
