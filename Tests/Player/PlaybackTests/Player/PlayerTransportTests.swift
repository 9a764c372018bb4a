import CoreMedia
import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import Playback

@Suite("Rates, seeks and starts of a player")
struct PlayerTransportTests {
    let stage = PlayerStage()

    private var core: PlayerDriver { stage.core }

    @Test("a change of rate does not show as a lack of sound", arguments: [true, false])
    func rateInTheMiddle(waits: Bool) {
        core.setAutomaticallyWaits(waits)
        let (a, _) = stage.play("a", seconds: 60)
        stage.pass(3)
        stage.notes.update { $0 = [] }
        core.setRate(1.5)
        stage.settle()
        stage.pass(2)
        #expect(core.machine.rate == 1.5 && core.machine.control == .playing && !a.state.levels.isEmpty)
        #expect(abs(stage.time - 6) < 0.2)
        #expect(stage.notes.value == ["rate"])
    }

    @Test("a source that cannot seek resumes at the same position after a change of rate")
    func onward() {
        let (_, feed) = stage.play("a", seconds: 60, isSeekable: false)
        stage.pass(5)
        core.setRate(2)
        stage.settle()
        stage.pass(1)
        #expect(abs(stage.time - 7) < 0.2 && feed.seekCount == 1)
    }

    @Test("sound beyond an estimated duration is played, and extends the duration")
    func guessedLength() {
        let (item, feed) = stage.item("a", seconds: 100)
        core.insert(item, after: nil)
        feed.open(guess: 20)
        feed.arrive(until: 100)
        core.setRate(1)
        stage.settle()
        #expect(item.state.duration.seconds == 20)
        stage.pass(25)
        #expect(abs(stage.time - 25) < 0.2 && item.state.duration.seconds > 25)
        core.seek(to: CMTime(value: 80, timescale: 1)) { _ in }
        stage.settle()
        stage.pass(5)
        #expect(abs(stage.time - 85) < 0.2 && item.state.duration.seconds > 85)
        stage.pass(16)
        #expect(item.state.duration.seconds == 100 && stage.notes.value.filter { $0 == "a end" }.count == 1)
    }

    @Test("a live stream plays at rate 1, whatever rate was set")
    func live() {
        let feed = ScriptedFeed(seconds: .infinity, isSeekable: false)
        core.setRate(2)
        core.insert(PlayerItem(machine: SystemMachine()) { feed }, after: nil)
        feed.open()
        feed.arrive(until: 60)
        stage.settle()
        #expect(core.machine.rate == 1)
        core.setRate(0.5)
        #expect(core.machine.rate == 1)
        core.playImmediately(3)
        #expect(core.machine.rate == 1)
        core.removeAllItems()
        core.setRate(2)
        #expect(core.machine.rate == 2)
    }

    @Test("a live stream behind an item at another rate is opened once")
    func liveBehind() {
        _ = stage.play("a", seconds: 10)
        core.setRate(1.5)
        stage.settle()
        let opened = Recorder(0)
        let feed = ScriptedFeed(seconds: .infinity, isSeekable: false)
        let live = PlayerItem(machine: SystemMachine()) {
            opened.update { $0 += 1 }
            return feed
        }
        core.insert(live, after: nil)
        feed.open()
        feed.arrive(until: 60)
        stage.settle()
        stage.pass(9)
        #expect(core.currentItem === live && core.machine.rate == 1 && core.machine.control == .playing)
        #expect(opened.value == 1 && feed.seekCount == 0 && stage.time > 1)
    }

    @Test("only the last seek of a burst is heard")
    func burst() {
        _ = stage.play("a", seconds: 600)
        stage.pass(2)
        for second in stride(from: 100, to: 300, by: 10) {
            core.seek(to: CMTime(value: CMTimeValue(second), timescale: 1)) { _ in }
            stage.settle()
            #expect(stage.time == Double(second))
            stage.clock.advance(by: .milliseconds(2))
            // The first seek may begin; the later ones are not heard during the burst.
            #expect(!core.timeline.isRunning || second == 100)
        }
        stage.pass(1)
        #expect(stage.time >= 290.8 && stage.time < 291.1)
    }

    @Test("a long drag of a slider is heard at several places along the way")
    func slider() {
        _ = stage.play("a", seconds: 600)
        let jumps = { self.stage.notes.value.filter { $0 == "a jumped" }.count }
        for step in 0..<100 {
            core.seek(to: CMTime(value: CMTimeValue(100 + step), timescale: 1)) { _ in }
            stage.settle()
            stage.clock.advance(by: .milliseconds(10))
            stage.settle()
        }
        #expect(jumps() >= 8 && jumps() <= 30)
    }

    @Test("a start at a host time waits for that time, and a pause cancels it")
    func appointment() {
        _ = stage.play("a", seconds: 60)
        core.setAutomaticallyWaits(false)
        let host = stage.clock.now.advanced(by: .seconds(2))
        core.setRate(1, time: CMTime(value: 30, timescale: 1), host: host)
        stage.settle()
        stage.pass(1)
        #expect(stage.time == 30)
        stage.pass(2)
        #expect(abs(stage.time - 31) < 0.06)
        let later = stage.clock.now.advanced(by: .seconds(5))
        core.setRate(1, time: CMTime(value: 10, timescale: 1), host: later)
        core.setRate(0)
        stage.settle()
        stage.pass(20)
        #expect(stage.time == 10)
        core.setRate(1)
        stage.settle()
        stage.pass(1)
        #expect(abs(stage.time - 11) < 0.12)
    }

    @Test(
        "an end is reported after its action is taken", arguments: [PlayerEngine.EndAction.advance, .pause])
    func endOrder(action: PlayerEngine.EndAction) throws {
        core.endAction = action
        core.insert(stage.item("a", whole: 2), after: nil)
        core.insert(stage.item("b", whole: 2), after: nil)
        core.setRate(1)
        stage.settle()
        stage.pass(1)
        stage.notes.update { $0 = [] }
        stage.pass(1.2)
        let told = stage.notes.value
        #expect(told.last == "a end")
        #expect(told.dropLast() == (action == .advance ? ["currentItem"] : ["rate", "timeControlStatus"]))
    }

    @Test("a replay from within an end notification is not undone")
    func again() {
        core.endAction = .pause
        let a = stage.item("a", whole: 2)
        stage.play(a)
        let (core, ends) = (core, Recorder(0))
        var events = PlayerItem.Events()
        events.post = { notice in
            guard case .playedToEnd = notice else { return }
            ends.update { $0 += 1 }
            core.seek(to: .zero) { _ in }
            core.setRate(1)
        }
        a.setEvents(events)
        stage.pass(5)
        #expect(ends.value == 2 && core.machine.control == .playing && abs(stage.time - 1) < 0.2)
    }

    @Test("time observers stand still when the last item was heard or removed", arguments: [true, false])
    func observersStand(isHeard: Bool) {
        _ = stage.play("a", seconds: 2)
        stage.pass(1)
        #expect(core.observers.line?.rate == 1)
        if isHeard { stage.pass(2) } else { core.removeAllItems() }
        stage.settle()
        #expect(core.currentItem == nil && core.observers.line?.rate == 0)
    }

    @Test("sound that is too late for the output waits until the output runs dry, and is heard whole")
    func lead() {
        let stage = PlayerStage(route: { clock in
            SilentRoute(
                clock: clock, alarm: QueueWakeUp(on: SerialQueue(label: "lead")), leastLead: 0.2)
        })
        let (_, feed) = stage.queue("a", seconds: 60, arrived: 3)
        stage.core.setRate(1)
        stage.settle()
        stage.pass(2.85)
        #expect(stage.core.machine.control == .playing)
        // If it were enqueued now, the first part of this sound would be lost.
        feed.arrive(until: 3.1)
        stage.settle()
        #expect(feed.state.waitingCount == 1)
        stage.pass(0.15)
        #expect(stage.core.machine.control == .waiting && stage.time == 3)
        #expect(stage.notes.value.contains("a stalled"))
        feed.arrive(until: 8)
        stage.settle()
        stage.pass(1)
        #expect(abs(stage.time - 4) < 0.12)
    }

    @Test("an immediate start does not wait for enough sound")
    func immediate() {
        _ = stage.queue("a", seconds: 60, arrived: 0.3)
        stage.settle()
        core.playImmediately(1)
        stage.settle()
        stage.pass(0.2)
        #expect(core.timeline.isRunning && abs(stage.time - 0.2) < 0.06)
    }

    @Test("a waiting player counts as playing; another client that takes the outputs pauses it")
    func halted() {
        let (a, feed) = stage.item("a", seconds: 60)
        core.insert(a, after: nil)
        feed.open()
        core.setRate(1)
        stage.settle()
        #expect(core.machine.control == .waiting && core.renderQueue.isPlaying)
        core.renderQueue.halt()
        #expect(core.machine.rate == 0 && core.machine.control == .paused)
        stage.settle()
        #expect(!core.renderQueue.isPlaying)
    }

    @Test("a halted player is paused once, whatever its own queue does meanwhile")
    func haltedOnce() {
        let (a, feed) = stage.item("a", seconds: 60)
        core.insert(a, after: nil)
        feed.open()
        feed.arrive(until: 60)
        core.setRate(1)
        stage.settle()
        stage.pass(1)
        #expect(core.timeline.isRunning)
        let (told, reasons) = (
            Recorder<[[PlayerEngine.Property]]>([]), Recorder<[PlayerEngine.RateReason]>([])
        )
        var events = PlayerDriver.Events()
        events.change = { [core] properties, change in
            let isFirst = told.update { told in
                told.append(properties)
                return told.count == 1
            }
            // The player's queue runs between the announcement of the pause and the pause.
            if isFirst { core.queue.sync {} }
            change()
        }
        events.rateDidChange = { reason in reasons.update { $0.append(reason) } }
        core.setEvents(events)
        core.renderQueue.halt()
        stage.settle()
        #expect(told.value == [[.rate, .timeControlStatus]])
        #expect(reasons.value == [.interrupted])
        #expect(core.timeline.rate == 0 && abs(stage.time - 1) < 0.06)
    }

    @Test("the buffer stays full while it is consumed and refilled")
    func full() {
        let (a, _) = stage.play("a", seconds: 600)
        stage.pass(1)
        let flags = Recorder<[Bool]>([])
        var events = PlayerItem.Events()
        events.change = { [weak a] properties, change in
            change()
            if properties.contains(.isPlaybackBufferFull), let a {
                flags.update { $0.append(a.state.levels.isFull) }
            }
        }
        a.setEvents(events)
        #expect(a.state.levels.isFull)
        stage.pass(60)
        #expect(flags.value.isEmpty)
    }

    @Test("a refused seek does not end the item again")
    func refusedAtEnd() async throws {
        core.endAction = .pause
        _ = stage.play("a", seconds: 2, isSeekable: false)
        stage.pass(3)
        let answers = Recorder<[Bool]>([])
        core.seek(to: .zero) { isDone in answers.update { $0.append(isDone) } }
        core.setRate(1)
        stage.settle()
        stage.pass(1)
        #expect(stage.notes.value.filter { $0 == "a end" }.count == 1 && core.machine.rate == 0)
        #expect(try await answers.wait(for: "the answer") { $0.isEmpty ? nil : $0 } == [false])
    }

    @Test("a periodic observer gets the time once for each jump, and never one before the item")
    func observedTimes() async throws {
        let times = Recorder<[Double]>([])
        _ = core.addPeriodicObserver(every: CMTime(value: 600, timescale: 1), queue: SystemMachine().main) {
            time in
            times.update { $0.append(time.seconds) }
        }
        _ = stage.play("a", seconds: 60)
        stage.pass(7.3)
        core.replaceCurrentItem(with: stage.item("b", whole: 60))
        stage.settle()
        stage.pass(1)
        let all = try await times.wait(for: "the start of b") { times in
            times.filter { $0 == 0 }.count >= 2 ? times : nil
        }
        #expect(all.allSatisfy { $0 >= 0 && $0 < 7.4 })
    }
}
