import CoreMedia
import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import Playback

/// The buffer levels that a player reports, and the sound that it reads again.
@Suite("Buffered sound of a player")
struct PlayerBufferTests {
    private let stage = PlayerStage()
    private var core: PlayerDriver { stage.core }
    /// The time until the player wakes by itself.
    private var due: Duration? { stage.due }

    @Test("sound that arrived before a start is played at any rate, without rereading")
    func firstRate() {
        let (_, feed) = stage.queue("a", seconds: 60, arrived: 60)
        core.setRate(1)
        stage.settle()
        stage.pass(1)
        core.setRate(0)
        stage.settle()
        // A seek to before the playhead rereads; the sound that arrives then is not bound to a rate.
        core.seek(to: .zero) { _ in }
        stage.settle()
        let count = feed.seekCount
        core.setRate(2)
        stage.settle()
        stage.pass(1)
        #expect(feed.seekCount == count && stage.time > 1.5)
    }

    @Test("an underrun shows in the item's levels before the player waits")
    func underrunOrder() {
        let (item, _) = stage.queue("a", seconds: 60, arrived: 3)
        let notes = stage.notes
        var events = PlayerItem.Events()
        events.change = { properties, change in
            change()
            if properties.contains(.isPlaybackBufferEmpty) { notes.update { $0.append("empty") } }
        }
        events.post = { notice in
            if case .stalled = notice { notes.update { $0.append("stalled") } }
        }
        item.setEvents(events)
        core.setRate(1)
        stage.settle()
        notes.update { $0 = [] }
        stage.pass(4)
        let order = notes.value.filter { ["empty", "timeControlStatus", "stalled"].contains($0) }
        #expect(order == ["empty", "timeControlStatus", "stalled"])
    }

    @Test("a start that still waits for sound packs nothing, so a new rate needs no rereading")
    func waitedFor() {
        let (_, feed) = stage.queue("a", seconds: 60, arrived: 0.25)
        // Before the next reconciliation: the start is issued, and the output waits for enough sound.
        core.queue.sync {
            core.setAutomaticallyWaits(false)
            core.setRate(0.5)
            core.setAutomaticallyWaits(true)
        }
        stage.settle()
        #expect(core.engine.outputs.appliedRate == 0.5 && core.timeline.startedRate == 0)
        core.setRate(1)
        stage.settle()
        feed.arrive(until: 60)
        stage.settle()
        stage.pass(1)
        #expect(feed.seekCount == 0 && core.machine.control == .playing)
    }

    @Test(
        "rebuffering becomes visible after a second, also while paused; then no wake-up is due",
        arguments: [false, true])
    func hiddenFromPaused(fails: Bool) {
        let (a, feed) = stage.play("a", seconds: 60)
        stage.pass(5)
        feed.forget()
        core.setRate(2)
        stage.settle()
        core.setRate(0)
        stage.settle()
        #expect(feed.seekCount == 1 && a.state.levels.isLikelyToKeepUp)
        #expect(due == .seconds(1))
        if fails { feed.fail(.timedOut(name: "a")) }
        stage.clock.advance(by: .seconds(1))
        stage.settle()
        #expect(a.state.levels.isEmpty)
        #expect(due == nil)
    }

    @Test("a seek to the end reports no stall")
    func soughtEnd() {
        core.endAction = .pause
        let (_, feed) = stage.play("a", seconds: 10)
        feed.forget()
        stage.pass(1)
        core.seek(to: CMTime(value: 10, timescale: 1)) { _ in }
        stage.settle()
        stage.pass(0.5)
        #expect(!stage.notes.value.contains("a stalled"))
        #expect(stage.notes.value.last { $0.hasPrefix("a ") } == "a end")
    }

    @Test("a preloaded item that was released waits for sound when it becomes current")
    func staleLevels() {
        _ = stage.play("a", seconds: 20)
        let (b, _) = stage.queue("b", seconds: 60, arrived: 60)
        stage.pass(19)
        #expect(b.state.levels.isLikelyToKeepUp)
        let c = stage.item("c", whole: 30)
        core.replaceCurrentItem(with: c)
        stage.settle()
        #expect(!b.state.levels.isLikelyToKeepUp && b.state.levels.isEmpty)
        // Before the next reconciliation, which reopens the item.
        let control = core.queue.sync {
            core.remove(c)
            return core.machine.control
        }
        #expect(control == .waiting)
    }

    @Test("a player wakes at the end of the enqueued sound and at the end of an item")
    func calm() throws {
        let (_, feed) = stage.queue("a", seconds: 20, arrived: 10)
        core.setRate(1)
        stage.settle()
        // The loaded range has been reported by then; the output holds four seconds.
        stage.pass(0.5)
        #expect(due == .seconds(3.5))
        feed.arrive(until: 20)
        stage.pass(17.5)
        let end = try #require(due)
        #expect(abs(end.inSeconds - 2) < 1e-6)
        stage.pass(1.9)
        let last = try #require(due)
        #expect(last <= .milliseconds(101))
        // The next item has arrived only in part.
        _ = stage.queue("b", seconds: 20, arrived: 1)
        stage.settle()
        #expect(due == last)
        stage.pass(0.2)
        let next = try #require(due)
        #expect(abs(next.inSeconds - 0.9) < 0.01)
    }

    @Test("feeding does not postpone the player's wake-up; an earlier deadline advances it")
    func starved() {
        let alarm = NotedAlarm()
        let clock = ManualClock()
        let core = PlayerDriver(
            renderQueue: RenderQueue(route: SilentRoute(machine: SystemMachine(clock: clock))), alarm: alarm,
            machine: SystemMachine(clock: clock))
        let feed = ScriptedFeed(seconds: 60)
        core.insert(PlayerItem(machine: SystemMachine()) { feed }, after: nil)
        feed.open()
        feed.arrive(until: 60)
        core.setRate(1)
        for _ in 0..<4 { core.settle() }
        let (first, count) = (core.engine.deadline, alarm.count.value)
        clock.advance(by: .milliseconds(90))
        core.renderQueue.routeMayTakeMore()
        for _ in 0..<4 { core.settle() }
        #expect(first != nil && core.engine.deadline == first && alarm.count.value == count)
        for _ in 0..<2 { core.seek(to: CMTime(value: 1, timescale: 1)) { _ in } }
        core.settle()
        #expect(alarm.count.value == count + 1)
        #expect(core.engine.deadline.map { $0.since(clock.now) == .milliseconds(40) } == true)
    }

    @Test("a duration measured after a seek becomes the item's duration")
    func measured() {
        let (a, feed) = stage.play("a", seconds: 100)
        stage.pass(0.5)
        #expect(a.state.duration.seconds == 100)
        feed.endsEarly(at: 60)
        core.seek(to: CMTime(value: 55, timescale: 1)) { _ in }
        stage.settle()
        stage.pass(1)
        #expect(a.state.duration.seconds == 60)
        core.seek(to: CMTime(value: 90, timescale: 1)) { _ in }
        stage.settle()
        #expect(stage.time <= 60)
    }
}

/// A wake-up that counts how often it is set.
private struct NotedAlarm: WakeUp {
    let count = Recorder(0)

    func set(after pause: Duration, _ body: @escaping @Sendable () -> Void) { count.update { $0 += 1 } }
    func cancel() {}
}
