import CoreMedia
import Testing
import TuttiCodecs
import TuttiTestSupport

@testable import Playback

@Suite("Placements of a player's items")
struct PlayerNotificationTests {
    let stage = PlayerStage()
    let places = Recorder<[PlacedItem]>([])

    private var core: PlayerDriver { stage.core }

    private func observe() {
        var events = PlayerDriver.Events()
        events.placed = { [places] now in places.update { $0 = now } }
        core.setEvents(events)
    }

    @Test("a live stream begins with the sound that arrives, regardless of its start time")
    func liveStart() {
        let (a, feed) = stage.item("a", seconds: .infinity, isSeekable: false)
        a.startTime = CMTime(value: 3, timescale: 1)
        stage.play(a)
        feed.openAtStart()
        feed.arrive(until: 60)
        stage.settle()
        stage.pass(1)
        #expect(core.currentItem === a && abs(stage.time - 1) < 0.12)
    }

    @Test("placements are reported in order, and again after each change")
    func told() throws {
        observe()
        let (a, b) = (stage.item("a", whole: 6), stage.item("b", whole: 6))
        core.insert(a, after: nil)
        core.insert(b, after: a)
        core.setRate(1)
        stage.settle()
        // Until the output has taken all of the first item.
        stage.pass(3.5)
        #expect(places.value.map { $0.item === a } == [true, false])
        let starts = places.value.map(\.start)
        try #require(starts.count == 2)
        #expect(starts[1] - starts[0] == CMTime(value: 6, timescale: 1))
        core.advanceToNextItem()
        stage.pass(0.2)
        #expect(places.value == [PlacedItem(item: b, start: starts[1])])
        core.remove(b)
        stage.pass(0.2)
        #expect(places.value.isEmpty)
    }
}
