import CoreMedia
import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiTestSupport

@testable import Playback

@Suite("A playhead that stands still")
struct PlayheadWatchTests {
    private let stage = PlayerStage()
    private var core: PlayerDriver { stage.core }

    /// Makes a one-minute item stall after ten seconds, with a second item queued behind it.
    private func stalled(isRemote: Bool) -> (item: PlayerItem, feed: ScriptedFeed) {
        let one = stage.item("a", seconds: 60)
        core.insert(one.item, after: nil)
        one.feed.open(isRemote: isRemote)
        one.feed.arrive(until: 10)
        core.insert(stage.item("b", whole: 20), after: nil)
        core.setRate(1)
        stage.settle()
        stage.pass(11)
        return one
    }

    @Test(
        "a source that delivers nothing and does not end fails after a while, and the queue advances",
        arguments: [(true, 90.0), (false, 30.0)])
    func nothing(isRemote: Bool, limit: Double) {
        let (item, _) = stalled(isRemote: isRemote)
        #expect(core.machine.control == .waiting && abs(stage.time - 10) < 0.2)
        stage.pass(limit - 2)
        #expect(item.state.status == .readyToPlay && abs(stage.time - 10) < 0.2)
        stage.pass(2)
        #expect(item.state.status == .failed && core.currentItem !== item)
        stage.pass(1)
        #expect(core.machine.control == .playing && stage.time > 0.5)
        #expect(stage.notes.value.contains("a failed"))
        let words = item.state.error?.description ?? ""
        #expect(
            words.contains(isRemote ? "arrives too slowly" : "neither delivered sound nor ended for 30 s"))
    }

    @Test("a starved last item of a queue fails, and the player pauses")
    func last() {
        let stage = PlayerStage()
        let (item, _) = stage.queue("a", seconds: 60, arrived: 10)
        stage.core.setRate(1)
        stage.settle()
        stage.pass(110)
        #expect(item.state.status == .failed && stage.core.machine.rate == 0)
        #expect(abs(stage.time - 10) < 0.2)
    }

    @Test("the player waits for servers at 0.9 and at 0.1 of real time", arguments: [0.9, 0.1])
    func slow(rate: Double) {
        let (item, feed) = stage.queue("a", seconds: 600, arrived: 4)
        core.setRate(1)
        stage.settle()
        for step in 1...1800 {
            feed.arrive(until: 4 + rate * Double(step) / 10)
            stage.pass(0.1)
        }
        #expect(item.state.status == .readyToPlay && core.currentItem === item)
        #expect(stage.notes.value.contains("a stalled"))
        #expect(stage.time > 180 * rate)
    }

    @Test("a paused player fails no item")
    func paused() {
        let (item, _) = stage.queue("a", seconds: 60, arrived: 10)
        core.setRate(1)
        stage.settle()
        stage.pass(11)
        core.setRate(0)
        stage.settle()
        stage.pass(300)
        #expect(item.state.status == .readyToPlay)
    }

    @Test("a source slower than a twentieth of real time counts as delivering nothing")
    func rate() {
        var watch = PlayheadWatch()
        let start = HostTime(nanoseconds: 7)
        func look(_ second: Double, _ loaded: Double, isRemote: Bool = true) -> PlayheadWatch.Standstill? {
            watch.look(
                at: start.advanced(by: .seconds(second)), isWaiting: true,
                loaded: CMTime(seconds: loaded, preferredTimescale: 1000), isRemote: isRemote)
        }
        #expect(look(0, 5) == nil && look(89, 5) == nil)
        #expect(look(90, 9.6) == nil && look(179, 9.6) == nil)
        #expect(look(180, 14) == PlayheadWatch.Standstill(sound: 4.4, time: 90))
        // A seek back restarts the watch.
        #expect(look(269, 1) == nil && look(358, 1) == nil)
        #expect(look(360, 1) != nil)
    }
}
