import CoreMedia
import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiTestSupport

@testable import Playback

@Suite("An item whose source fails while it is heard")
struct PlayerFailureTests {
    let stage = PlayerStage(endAction: .pause)

    private var core: PlayerDriver { stage.core }

    /// A one-minute item of which three seconds have arrived and one second was heard.
    private func threeSeconds() -> (item: PlayerItem, feed: ScriptedFeed) {
        let (item, feed) = stage.queue("a", seconds: 60, arrived: 3)
        core.setRate(1)
        stage.settle()
        stage.pass(1)
        return (item, feed)
    }

    @Test("a failed item reports empty levels with its status, also right after a change of rate")
    func flags() {
        let (item, feed) = threeSeconds()
        let told = Recorder<[BufferLevels]>([])
        var events = PlayerItem.Events()
        events.change = { properties, change in
            change()
            if properties.contains(.status) { told.update { $0.append(item.state.levels) } }
        }
        item.setEvents(events)
        feed.forget()
        core.setRate(2)
        stage.settle()
        #expect(core.machine.control == .playing && item.state.levels.isLikelyToKeepUp)
        feed.fail(.timedOut(name: "a"))
        stage.settle()
        stage.pass(2)
        #expect(item.state.status == .failed && core.machine.rate == 0)
        #expect(told.value == [BufferLevels()] && item.state.levels == BufferLevels())
    }

    @Test("an observer of the failure may replace the item, and playback continues")
    func replaced() {
        let (item, feed) = threeSeconds()
        let next = stage.item("b", whole: 60)
        var events = PlayerItem.Events()
        let core = core
        events.change = { properties, change in
            change()
            guard properties.contains(.status), item.state.status == .failed else { return }
            #expect(core.machine.rate == 1)
            core.replaceCurrentItem(with: next)
        }
        item.setEvents(events)
        feed.fail(.timedOut(name: "a"))
        stage.settle()
        stage.pass(3)
        #expect(core.currentItem === next && core.machine.control == .playing)
    }

    @Test("the sound that arrived is heard to its end, also at another rate")
    func otherRate() {
        let (item, feed) = threeSeconds()
        feed.forget()
        feed.fail(.timedOut(name: "a"))
        stage.settle()
        core.setRate(2)
        stage.settle()
        #expect(core.machine.rate == 2 && core.machine.control == .playing)
        stage.pass(0.9)
        #expect(abs(stage.time - 2.8) < 0.12 && item.state.status == .readyToPlay)
        stage.pass(0.3)
        #expect(stage.time == 3)
        #expect(item.state.status == .failed && feed.seekCount == 0)
        #expect(stage.notes.value.contains("a failed") && !stage.notes.value.contains("a stalled"))
    }

    @Test("sound that the output held back is heard after the failure, even if playback had stalled")
    func restAfterStall() {
        let stage = PlayerStage(endAction: .pause, route: { HeldBackRoute(clock: $0) })
        let (item, feed) = stage.queue("a", seconds: 60, arrived: 3)
        stage.core.setRate(1)
        stage.settle()
        stage.pass(20)
        #expect(stage.core.machine.control == .waiting && stage.time < 3)
        feed.fail(.timedOut(name: "a"))
        stage.settle()
        stage.pass(1)
        #expect(item.state.status == .failed && stage.time == 3)
    }

    @Test("the last sound is heard even after a pause close to its end")
    func pauseNearItsEnd() {
        let (item, feed) = threeSeconds()
        feed.fail(.timedOut(name: "a"))
        stage.pass(1.8)
        core.setRate(0)
        stage.settle()
        core.setRate(1)
        stage.settle()
        stage.pass(0.1)
        #expect(abs(stage.time - 2.9) < 0.06 && item.state.status == .readyToPlay)
        stage.pass(0.2)
        #expect(stage.time == 3)
        #expect(item.state.status == .failed)
    }
}
