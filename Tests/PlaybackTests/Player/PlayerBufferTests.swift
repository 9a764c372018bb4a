import CoreMedia
import MediaTime
import SystemIO
import TestSupport
import Testing

@testable import Playback

/// What a player says of sound that is not there, and what it reads again.
@Suite("What is at hand")
struct PlayerBufferTests {
    private let stage = PlayerStage()
    private var core: PlayerDriver { stage.core }
    /// The time until the player wakes by itself.
    private var due: Duration? { stage.due }

    @Test("what came before any start is played at whatever rate, and not read again")
    func firstRate() {
        let (_, feed) = stage.queue("a", seconds: 60, arrived: 60)
        core.setRate(1)
        stage.settle()
        stage.pass(1)
        core.setRate(0)
        stage.settle()
        // A place behind the playhead is read anew; what comes then belongs to no rate.
        core.seek(to: .zero) { _ in }
        stage.settle()
        let count = feed.seekCount
        core.setRate(2)
        stage.settle()
        stage.pass(1)
        #expect(feed.seekCount == count && stage.time > 1.5)
    }

    @Test("a start that only waited for sound has packed nothing")
    func waitedFor() {
        let (_, feed) = stage.queue("a", seconds: 60, arrived: 0.25)
        // Before the player's next turn: the start is made, and its output waits for enough.
        core.queue.sync {
            core.setAutomaticallyWaits(false)
            core.setRate(0.5)
            core.setAutomaticallyWaits(true)
        }
        stage.settle()
        #expect(core.engine.plan.outputs.appliedRate == 0.5 && core.timeline.startedRate == 0)
        core.setRate(1)
        stage.settle()
        feed.arrive(until: 60)
        stage.settle()
        stage.pass(1)
        #expect(feed.seekCount == 0 && core.machine.control == .playing)
    }

    @Test(
        "what is read again shows after a second also while paused, and then nothing is due",
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

    @Test("whoever goes to the end is not told of a stall")
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

    @Test("an item that was ready and let go waits when its turn comes")
    func staleLevels() {
        _ = stage.play("a", seconds: 20)
        let (b, _) = stage.queue("b", seconds: 60, arrived: 60)
        stage.pass(19)
        #expect(b.state.levels.isLikelyToKeepUp)
        let c = stage.item("c", whole: 30)
        core.replaceCurrentItem(with: c)
        stage.settle()
        #expect(!b.state.levels.isLikelyToKeepUp && b.state.levels.isEmpty)
        // Before the player's next turn, which opens it anew.
        let control = core.queue.sync {
            core.remove(c)
            return core.machine.control
        }
        #expect(control == .waiting)
    }

    @Test("a player wakes where the sound it has given ends, and where an item ends")
    func calm() throws {
        let (_, feed) = stage.queue("a", seconds: 20, arrived: 10)
        core.setRate(1)
        stage.settle()
        // What was read is told soon after; the output holds four seconds.
        stage.pass(0.5)
        #expect(due == .seconds(3.5))
        feed.arrive(until: 20)
        stage.pass(17.5)
        let end = try #require(due)
        #expect(abs(end.inSeconds - 2) < 1e-6)
        stage.pass(1.9)
        let last = try #require(due)
        #expect(last <= .milliseconds(101))
        // Not all of the next one has come.
        _ = stage.queue("b", seconds: 20, arrived: 1)
        stage.settle()
        #expect(due == last)
        stage.pass(0.2)
        let next = try #require(due)
        #expect(abs(next.inSeconds - 0.9) < 0.01)
    }

    @Test("a player's own feeding does not put off its next look; what comes sooner is looked at sooner")
    func starved() {
        let alarm = NotedAlarm()
        let clock = ManualClock()
        let core = PlayerDriver(
            renderQueue: RenderQueue(route: SilentRoute(clock: clock)), clock: clock, alarm: alarm)
        let feed = ScriptedFeed(seconds: 60)
        core.insert(PlayerItem { feed }, after: nil)
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

    @Test("a length that turns out after a jump is the item's")
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

/// Counts how often it was set.
private struct NotedAlarm: WakeUp {
    let count = Recorder(0)

    func set(after pause: Duration, _ body: @escaping @Sendable () -> Void) { count.update { $0 += 1 } }
    func cancel() {}
}
