import CoreMedia
import Synchronization
import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import Playback

@Suite("A player of items")
struct PlayerDriverTests {
    let stage = PlayerStage()

    private var core: PlayerDriver { stage.core }
    private var clock: ManualClock { stage.clock }
    private var notes: Recorder<[String]> { stage.notes }
    private var time: Double { stage.time }

    private func item(
        _ name: String, seconds: Double, isSeekable: Bool = true
    ) -> (item: PlayerItem, feed: ScriptedFeed) {
        stage.item(name, seconds: seconds, isSeekable: isSeekable)
    }

    private func pass(_ seconds: Double) { stage.pass(seconds) }

    private func settle() { stage.settle() }

    @Test("a player waits for the source, evaluates its rate, and starts when there is enough sound")
    func start() {
        let (item, feed) = item("a", seconds: 60)
        core.setRate(1)
        #expect(core.machine.reason == .noItemToPlay)
        core.insert(item, after: nil)
        settle()
        #expect(core.machine.control == .waiting && core.machine.reason == .evaluatingBufferingRate)
        #expect(core.currentTime == .zero && item.state.duration == .indefinite)
        feed.open()
        feed.arrive(until: 1)
        settle()
        #expect(item.state.duration.seconds == 60 && item.state.status == .readyToPlay)
        #expect(core.status == .readyToPlay)
        pass(1)
        #expect(core.machine.reason == .toMinimizeStalls && !item.state.levels.isEmpty)
        feed.arrive(until: 3)
        settle()
        #expect(core.machine.control == .playing)
        pass(1)
        #expect(abs(time - 1) < 0.06)
        #expect(item.state.loaded.map(\.end.seconds) == 3)
    }

    @Test("the player is ready to play when its item reports that it is ready")
    func readyInOrder() {
        let (item, feed) = stage.item("a", seconds: 60)
        let seen = Recorder<[PlayerEngine.Status]>([])
        var events = PlayerItem.Events()
        events.change = { [core] properties, change in
            change()
            if properties.contains(.status) { seen.update { $0.append(core.status) } }
        }
        item.setEvents(events)
        core.insert(item, after: nil)
        feed.open()
        feed.arrive(until: 60)
        stage.settle()
        #expect(seen.value == [.readyToPlay])
    }

    @Test("playback stalls at the last sample of a slow source, and resumes by itself")
    func stall() {
        let (item, feed) = item("a", seconds: 60)
        core.insert(item, after: nil)
        feed.open()
        feed.arrive(until: 3)
        settle()
        core.setRate(1)
        settle()
        pass(4)
        #expect(time == 3)
        #expect(core.machine.control == .waiting && core.machine.reason == .toMinimizeStalls)
        #expect(core.machine.rate == 1 && item.state.levels.isEmpty)
        #expect(notes.value.filter { $0 == "a stalled" }.count == 1)
        feed.arrive(until: 4)
        settle()
        #expect(core.machine.control == .waiting && !item.state.levels.isEmpty)
        feed.arrive(until: 5.5)
        settle()
        #expect(core.machine.control == .playing)
        pass(1)
        #expect(abs(time - 4) < 0.06)
    }

    @Test("sound that the output holds back is not playable: the buffer is empty until more arrives")
    func stallBeforeTheLastPacket() {
        let stage = PlayerStage { HeldBackRoute(clock: $0) }
        let (item, feed) = stage.queue("a", seconds: 60, arrived: 3)
        stage.settle()
        stage.core.setAutomaticallyWaits(false)
        stage.core.setRate(1)
        stage.settle()
        stage.pass(4)
        #expect(stage.time == 2.99 && stage.core.machine.control == .paused)
        #expect(item.state.levels.isEmpty)
        stage.core.setRate(1)
        stage.pass(1)
        #expect(stage.time == 2.99 && stage.core.machine.control == .waiting)
        #expect(stage.notes.value.filter { $0 == "a stalled" }.count == 1)
        feed.arrive(until: 6)
        stage.settle()
        #expect(!item.state.levels.isEmpty && stage.core.machine.control == .playing)
        stage.pass(1)
        #expect(abs(stage.time - 3.99) < 0.06)
    }

    @Test("a queue advances when the next item is heard, and pauses at its end")
    func queue() {
        let (a, feedA) = item("a", seconds: 2)
        let (b, feedB) = item("b", seconds: 3)
        core.insert(a, after: nil)
        core.insert(b, after: nil)
        feedA.open()
        feedA.arrive(until: 2)
        settle()
        core.setRate(1)
        settle()
        feedB.open()
        feedB.arrive(until: 3)
        settle()
        #expect(core.currentItem === a)
        pass(1.9)
        #expect(core.currentItem === a)
        pass(0.2)
        #expect(core.currentItem === b && core.machine.control == .playing)
        #expect(abs(time - 0.1) < 0.06)
        pass(3)
        #expect(core.currentItem == nil && core.machine.control == .paused)
        #expect(notes.value.filter { $0.hasSuffix("end") } == ["a end", "b end"])
        #expect(!notes.value.contains("a stalled") && !notes.value.contains("b stalled"))
        #expect(feedA.isClosed && feedB.isClosed)
    }

    @Test("a plain player stays at the end of its item, paused or at its rate", arguments: [true, false])
    func end(stays: Bool) {
        core.endAction = stays ? .none : .pause
        let a = stage.play("a", seconds: 2).item
        pass(3)
        #expect(core.currentItem === a && time == 2)
        #expect(core.machine.rate == (stays ? 1 : 0))
        #expect(notes.value.filter { $0 == "a end" }.count == 1)
        core.setRate(1)
        pass(0.2)
        #expect(time == 2 && core.machine.rate == (stays ? 1 : 0))
        #expect(notes.value.filter { $0 == "a end" }.count == 1)
    }

    @Test("only the last of many seeks is played; the others complete with false")
    func seeks() async {
        _ = stage.play("a", seconds: 600)
        let answers = Recorder<[Bool]>([])
        // All seeks are requested before the first one begins.
        core.queue.dispatchQueue?.suspend()
        for second in 1...100 {
            core.seek(to: CMTime(value: CMTimeValue(second * 5), timescale: 1)) { isDone in
                answers.update { $0.append(isDone) }
            }
        }
        #expect(time == 500)
        core.queue.dispatchQueue?.resume()
        settle()
        pass(0.5)
        #expect(time >= 500 && time < 501)
        #expect(core.machine.control == .playing)
        let all = try? await answers.wait(for: "every answer") { $0.count == 100 ? $0 : nil }
        #expect(all?.filter { $0 }.count == 1 && all?.last == true)
        #expect(notes.value.filter { $0 == "a jumped" }.count <= 2)
    }

    @Test("a seek beyond the buffered sound waits; replacing the item completes it with false")
    func seekWaits() async {
        let (a, feed) = item("a", seconds: 600)
        core.insert(a, after: nil)
        feed.open()
        feed.arrive(until: 10)
        core.setRate(1)
        settle()
        let answers = Recorder<[Bool]>([])
        core.seek(to: CMTime(value: 300, timescale: 1)) { isDone in answers.update { $0.append(isDone) } }
        settle()
        #expect(core.machine.control == .waiting && time == 300 && a.state.levels.isEmpty)
        core.replaceCurrentItem(with: nil)
        _ = try? await answers.wait(for: "the answer") { $0.isEmpty ? nil : $0 }
        #expect(answers.value == [false])
        #expect(core.machine.reason == .noItemToPlay && core.currentTime == .zero)
    }

    @Test("removing the next item plays the one after it, without a gap")
    func edit() async throws {
        let (a, feedA) = item("a", seconds: 3)
        let (b, feedB) = item("b", seconds: 5)
        let (c, feedC) = item("c", seconds: 4)
        for one in [a, b, c] { core.insert(one, after: nil) }
        for feed in [feedA, feedB, feedC] {
            feed.open()
            feed.arrive(until: 60)
        }
        core.setRate(1)
        settle()
        pass(1)
        core.remove(b)
        await stage.settleEdit()
        #expect(core.items.map(ObjectIdentifier.init) == [a, c].map(ObjectIdentifier.init))
        #expect(feedB.isClosed)
        pass(2.1)
        #expect(core.currentItem === c && core.machine.control == .playing)
        #expect(abs(time - 0.1) < 0.06)
    }

    @Test("an item that fails before it is heard is skipped; a failure of the last item stops the player")
    func failures() {
        let (a, feedA) = item("a", seconds: 2)
        let (b, feedB) = item("b", seconds: 2)
        let (c, feedC) = item("c", seconds: 2)
        for one in [a, b, c] { core.insert(one, after: nil) }
        feedA.open()
        feedA.arrive(until: 2)
        core.setRate(1)
        settle()
        feedB.fail(.notFound(name: "b"))
        settle()
        #expect(b.state.status == .failed && core.items.count == 2)
        feedC.open()
        feedC.arrive(until: 1)
        settle()
        pass(2.1)
        #expect(core.currentItem === c)
        feedC.fail(.timedOut(name: "c"))
        pass(2)
        #expect(c.state.status == .failed && core.machine.rate == 0)
        #expect(notes.value.contains("c failed") && !notes.value.contains("b failed"))
    }

    @Test("several items that fail at once are all skipped")
    func failuresAtOnce() {
        let all = (0..<4).map { item("\($0)", seconds: 1) }
        for one in all { core.insert(one.item, after: nil) }
        all[0].feed.open()
        all[0].feed.arrive(until: 1)
        settle()
        for one in all { one.feed.fail(.notFound(name: "x")) }
        core.setRate(1)
        pass(3)
        #expect(all[1...].allSatisfy { $0.item.state.status == .failed })
        #expect(core.machine.rate == 0)
    }

    @Test("the next item may begin in its middle, without a gap")
    func nextBegins() {
        let (a, feedA) = item("a", seconds: 2)
        let (b, feedB) = item("b", seconds: 60)
        b.startTime = CMTime(value: 30, timescale: 1)
        core.insert(a, after: nil)
        core.insert(b, after: nil)
        for feed in [feedA, feedB] {
            feed.open()
            feed.arrive(until: 60)
        }
        core.setRate(1)
        settle()
        pass(2.5)
        #expect(core.currentItem === b && core.machine.control == .playing)
        #expect(abs(time - 30.5) < 0.06)
    }

    @Test("sound that arrived before a failure is heard; a failed item is not opened again")
    func failureInTheMiddle() {
        let opened = Recorder(0)
        let feed = ScriptedFeed(seconds: 10)
        let item = PlayerItem(machine: SystemMachine()) {
            opened.update { $0 += 1 }
            return feed
        }
        core.endAction = .pause
        core.insert(item, after: nil)
        settle()
        feed.open()
        feed.arrive(until: 1)
        core.setRate(1)
        settle()
        feed.fail(.timedOut(name: "a"))
        settle()
        #expect(core.machine.control == .playing && item.state.status == .readyToPlay)
        pass(0.9)
        #expect(item.state.status == .readyToPlay && time > 0.8)
        pass(0.3)
        #expect(item.state.status == .failed && core.machine.rate == 0 && core.currentItem === item)
        core.setRate(1)
        pass(1)
        #expect(opened.value == 1 && core.machine.rate == 0)
    }

    @Test("a stop of the timeline by another party interrupts the player")
    func interrupted() {
        _ = stage.play("a", seconds: 60)
        pass(1)
        core.timeline.setRate(0, time: .invalid, hostTime: nil)
        settle()
        #expect(core.machine.rate == 0 && core.machine.control == .paused)
        core.setRate(1)
        settle()
        pass(0.5)
        #expect(abs(time - 1.5) < 0.06)
    }

    @Test("an item belongs to only one player, and only once")
    func ownership() {
        let (a, _) = item("a", seconds: 2)
        #expect(core.insert(a, after: nil))
        #expect(!core.insert(a, after: nil))
        let other = PlayerDriver(
            renderQueue: RenderQueue(route: SilentRoute(machine: SystemMachine(clock: clock))),
            alarm: SilentAlarm(), machine: SystemMachine(clock: clock))
        #expect(!other.replaceCurrentItem(with: a))
        core.remove(a)
        #expect(other.replaceCurrentItem(with: a))
    }

    @Test("an item ends at the end time that the program set")
    func forwardEnd() {
        let (a, feed) = item("a", seconds: 60)
        a.setWishes { $0.endTime = CMTime(value: 3, timescale: 2) }
        core.insert(a, after: nil)
        feed.open()
        feed.arrive(until: 60)
        core.setRate(1)
        settle()
        pass(1.4)
        #expect(!notes.value.contains("a end"))
        pass(0.2)
        #expect(notes.value.contains("a end") && core.currentItem == nil)
    }
}
