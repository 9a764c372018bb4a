import CoreMedia
import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiTestSupport

@testable import Playback

@Suite("Items that are changed while they are heard")
struct PlayerEditTests {
    let stage = PlayerStage()

    private var core: PlayerDriver { stage.core }

    private func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 8000) }

    @Test("an item that was heard can be played again from its beginning")
    func again() {
        let a = stage.item("a", whole: 2)
        for round in 1...2 {
            core.insert(a, after: nil)
            core.setRate(1)
            stage.settle()
            #expect(core.machine.control == .playing && core.status == .readyToPlay)
            stage.pass(1)
            #expect(abs(stage.time - 1) < 0.06)
            stage.pass(1.2)
            #expect(core.currentItem == nil)
            #expect(stage.notes.value.filter { $0 == "a end" }.count == round)
        }
    }

    @Test("a removed item that is re-inserted resumes where it left off, also in another player")
    func movedOn() {
        let a = stage.item("a", whole: 60)
        stage.play(a)
        stage.pass(5)
        core.removeAllItems()
        #expect(core.currentTime == .zero && abs(a.startTime.seconds - 5) < 0.06)
        let other = PlayerStage()
        other.core.replaceCurrentItem(with: a)
        #expect(abs(other.time - 5) < 0.06)
        other.core.setRate(1)
        other.settle()
        #expect(other.core.status == .readyToPlay)
        other.pass(1)
        #expect(abs(other.time - 6) < 0.12)
    }

    @Test("an end time that is changed during playback takes effect", arguments: [true, false])
    func movedEnd(isLifted: Bool) async {
        let a = stage.item("a", whole: 6)
        if isLifted { a.setWishes { $0.endTime = CMTime(value: 4, timescale: 1) } }
        stage.play(a)
        stage.pass(1)
        #expect(a.state.duration.seconds == 6)
        a.setWishes { $0.endTime = isLifted ? .invalid : CMTime(value: 4, timescale: 1) }
        await stage.settleEdit()
        stage.pass(2.9)
        #expect(core.currentItem === a && abs(stage.time - 3.9) < 0.06)
        stage.pass(0.3)
        #expect((core.currentItem === a) == isLifted)
        stage.pass(2)
        #expect(core.currentItem == nil && stage.notes.value.filter { $0 == "a end" }.count == 1)
    }

    @Test("an end time set before the playhead ends the item at once")
    func passedEnd() async {
        let a = stage.item("a", whole: 60)
        stage.play(a)
        stage.pass(5)
        a.setWishes { $0.endTime = CMTime(value: 4, timescale: 1) }
        await stage.settleEdit()
        stage.pass(0.2)
        #expect(core.currentItem == nil && stage.notes.value.contains("a end"))
    }

    @Test("a queued item begins at a start time set later, though the outputs already hold its sound")
    func soughtAhead() async {
        let (a, b) = (stage.item("a", whole: 2), stage.item("b", whole: 60))
        stage.play(a, b)
        stage.pass(0.5)
        b.startTime = CMTime(value: 30, timescale: 1)
        await stage.settleEdit()
        stage.pass(2)
        #expect(core.currentItem === b && abs(stage.time - 30.5) < 0.06)
    }

    @Test("advancing to an item with a start time does not return to its beginning")
    func advanceToMiddle() {
        let (a, b) = (stage.item("a", whole: 2), stage.item("b", whole: 60))
        b.startTime = CMTime(value: 30, timescale: 1)
        stage.play(a, b)
        stage.pass(0.5)
        core.advanceToNextItem()
        #expect(core.currentTime.seconds == 30)
        stage.settle()
        stage.pass(1)
        #expect(core.currentItem === b && abs(stage.time - 31) < 0.06)
    }

    @Test("a change of the end action takes effect during playback: pause, then advance")
    func endAction() async {
        let (a, b) = (stage.item("a", whole: 2), stage.item("b", whole: 3))
        stage.play(a, b)
        stage.pass(0.5)
        core.endAction = .pause
        await stage.settleEdit()
        stage.pass(3)
        #expect(core.currentItem === a && core.machine.rate == 0 && stage.time == 2)
        core.endAction = .advance
        core.setRate(1)
        stage.settle()
        stage.pass(1)
        #expect(core.currentItem === b && abs(stage.time - 1) < 0.12)
        #expect(stage.notes.value.filter { $0 == "a end" }.count == 1)
    }

    @Test("the item that an edit makes the last one is packed to its end", arguments: [true, false], [0, 1])
    func newEnd(isRemoved: Bool, arrived: Double) async throws {
        let stage = PlayerStage { HeldBackRoute(clock: $0) }
        let route = try #require(stage.core.renderQueue.route as? HeldBackRoute)
        let (a, (b, feed)) = (stage.item("a", whole: 2), stage.item("b", seconds: 1))
        // Both items are inserted before the first reconciliation.
        stage.core.queue.sync {
            stage.core.insert(a, after: nil)
            stage.core.insert(b, after: nil)
        }
        stage.core.setRate(1)
        feed.open()
        feed.arrive(until: arrived)
        stage.settle()
        #expect(route.isComplete == (arrived == 1))
        if isRemoved { stage.core.remove(b) } else { stage.core.endAction = .pause }
        await stage.settleEdit()
        #expect(route.isComplete)
    }

    @Test("a late edit behind an ended live stream does not restart the stream")
    func lateBehindLive() async {
        let (live, feed) = stage.queue("live", seconds: .infinity, arrived: 3)
        let (b, c) = (stage.item("b", whole: 2), stage.item("c", whole: 2))
        core.insert(b, after: nil)
        core.setRate(1)
        feed.endsEarly(at: 3)
        stage.settle()
        stage.pass(2.9)
        #expect(core.currentItem === live && abs(stage.time - 2.9) < 0.06)
        core.insert(c, after: live)
        await stage.settleEdit()
        #expect(stage.notes.value.contains("late"))
        #expect(core.currentItem === live && abs(stage.time - 2.9) < 0.06 && core.machine.control == .playing)
        stage.pass(0.5)
        #expect(core.currentItem === c && abs(stage.time - 0.4) < 0.12)
        stage.pass(2)
        #expect(core.currentItem === b)
        #expect(stage.notes.value.filter { $0.hasSuffix(" end") } == ["live end", "c end"])
    }

    @Test("a live stream's end time set near or before the playhead takes effect", arguments: [2.9, 3.1])
    func lateEndOfLive(end: Double) async {
        let (live, _) = stage.queue("live", seconds: .infinity, arrived: 20)
        let b = stage.item("b", whole: 2)
        core.insert(b, after: nil)
        core.setRate(1)
        stage.settle()
        stage.pass(3)
        live.setWishes { $0.endTime = seconds(end) }
        await stage.settleEdit()
        stage.pass(0.15)
        #expect(core.currentItem === b && stage.time < 0.3)
        #expect(stage.notes.value.contains("late") && stage.notes.value.contains("live end"))
        stage.pass(1)
        #expect(core.machine.control == .playing && abs(stage.time - 1) < 0.25)
        stage.pass(1.5)
        #expect(core.currentItem == nil)
    }

    @Test("the current time is the new item's directly after a replacement")
    func replaced() {
        let (a, b) = (stage.item("a", whole: 60), stage.item("b", whole: 60))
        stage.play(a)
        stage.pass(9)
        core.replaceCurrentItem(with: b)
        #expect(core.currentTime == .zero)
    }

    @Test("an observer of the current item can re-insert the item that has just ended")
    func putInAgain() {
        let (a, b) = (stage.item("a", whole: 1), stage.item("b", whole: 1))
        core.insert(a, after: nil)
        core.insert(b, after: nil)
        var events = PlayerDriver.Events()
        let core = core
        events.change = { properties, change in
            change()
            if properties.contains(.currentItem), core.currentItem === b { core.insert(a, after: nil) }
        }
        core.setEvents(events)
        core.setRate(1)
        stage.settle()
        stage.pass(1.5)
        #expect(core.items.count == 2 && core.items.first === b && core.items.last === a)
        stage.pass(1)
        #expect(core.currentItem === a)
    }

    @Test("a failed item does not block the items behind it")
    func failed() {
        let (bad, feed) = stage.item("bad", seconds: 2)
        core.insert(bad, after: nil)
        feed.fail(.notFound(name: "bad"))
        stage.settle()
        #expect(bad.state.status == .failed && core.currentItem === bad)
        core.insert(stage.item("good", whole: 2), after: nil)
        core.setRate(1)
        stage.settle()
        stage.pass(1)
        #expect(core.currentItem !== bad && core.machine.control == .playing)
        let time = stage.time
        #expect(time > 0.9 && time < 1.06)
    }

    @Test("seeks in a failed item complete with false")
    func failedSeek() async throws {
        core.endAction = .pause
        let (bad, feed) = stage.item("bad", seconds: 2)
        core.insert(bad, after: nil)
        let answers = Recorder<[Bool]>([])
        core.seek(to: seconds(1)) { isDone in answers.update { $0.append(isDone) } }
        feed.fail(.notFound(name: "bad"))
        stage.settle()
        core.seek(to: seconds(1)) { isDone in answers.update { $0.append(isDone) } }
        #expect(try await answers.wait(for: "both") { $0.count == 2 ? $0 : nil } == [false, false])
    }

    @Test("a preroll completes with false when its item is removed, and without an item")
    func preroll() async throws {
        let (a, feed) = stage.item("a", seconds: 60)
        core.insert(a, after: nil)
        feed.open()
        stage.settle()
        let answers = Recorder<[Bool]>([])
        core.preroll { isDone in answers.update { $0.append(isDone) } }
        core.removeAllItems()
        core.preroll { isDone in answers.update { $0.append(isDone) } }
        #expect(try await answers.wait(for: "both") { $0.count == 2 ? $0 : nil } == [false, false])
    }

    @Test("a preroll polls the outputs while nothing plays and they have too little sound")
    func prerollDeadline() async throws {
        let route = ScriptedRoute()
        let stage = PlayerStage { _ in route }
        let (core, answers) = (stage.core, Recorder<[Bool]>([]))
        let (a, feed) = stage.item("a", seconds: 60)
        core.insert(a, after: nil)
        feed.open()
        stage.settle()
        #expect(stage.due == nil)
        core.preroll { isDone in answers.update { $0.append(isDone) } }
        stage.settle()
        // The source notifies the player, so no wake-up is needed.
        #expect(stage.due == nil)
        feed.arrive(until: 60)
        stage.settle()
        #expect(a.state.levels.isLikelyToKeepUp && stage.due == .milliseconds(20))
        core.cancelPreroll()
        stage.settle()
        #expect(stage.due == nil)
        core.preroll { isDone in answers.update { $0.append(isDone) } }
        route.setSufficient(true)
        stage.settle()
        #expect(stage.due == nil)
        #expect(try await answers.wait(for: "both") { $0.count == 2 ? $0 : nil } == [false, true])
    }

    @Test("a render failure of an item that is gone has no effect")
    func undecodableGone() {
        let a = stage.item("a", whole: 60)
        stage.play(a)
        stage.pass(1)
        core.renderQueue.routeDidFail(RenderError("broken"), at: CMTime(value: 10_000, timescale: 1))
        stage.settle()
        stage.pass(2)
        #expect(a.state.status == .readyToPlay && core.timeline.isRunning && stage.time > 2.7)
        #expect(core.renderQueue.hasSufficientData(at: core.timeline.currentTime))
    }

    @Test("a buffer that cannot be rendered fails only its own item")
    func undecodable() async {
        let (a, b, c) = (stage.item("a", whole: 2), stage.item("b", whole: 2), stage.item("c", whole: 2))
        for one in [a, b, c] { core.insert(one, after: nil) }
        core.setRate(1)
        stage.settle()
        stage.pass(0.5)
        let place = core.queue.sync {
            core.engine.schedule.items[1].start + CMTime(value: 1, timescale: 2)
        }
        core.renderQueue.routeDidFail(RenderError("broken"), at: place)
        stage.settle()
        #expect(b.state.status == .failed && a.state.status == .readyToPlay && core.status == .readyToPlay)
        #expect(core.renderQueue.status != .failed && core.machine.control == .playing)
        stage.pass(2)
        #expect(core.currentItem === c && stage.notes.value.contains("a end"))
    }
}
