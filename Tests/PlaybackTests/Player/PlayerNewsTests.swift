import Codecs
import CoreMedia
import TestSupport
import Testing

@testable import Playback

@Suite("Where a player's items lie")
struct PlayerNewsTests {
    let clock = ManualClock()
    let core: PlayerCore
    let places = Recorder<[PlacedItem]>([])

    init() {
        core = PlayerCore(
            renderQueue: RenderQueue(route: SilentRoute(clock: clock)), endAction: .advance, clock: clock,
            alarm: SilentAlarm())
    }

    private func pass(_ seconds: Double) {
        for _ in 0..<Int(seconds * 20 + 0.5) {
            clock.advance(by: .milliseconds(50))
            core.renderQueue.routeMayTakeMore()
            core.settle()
        }
    }

    /// Two items that were to begin in their third second, of sources that cannot be sought.
    private func play() -> (
        a: PlayerItem, b: PlayerItem, feeds: [ScriptedFeed], news: RouteObservation
    ) {
        let feeds = [6.0, 6.0].map { ScriptedFeed(seconds: $0, isSeekable: false) }
        let items = feeds.map { feed in PlayerItem { feed } }
        for item in items { item.startTime = CMTime(value: 3, timescale: 1) }
        let places = places
        let news = core.observeNews { news in
            if case .placed(let now) = news { places.update { $0 = now } }
        }
        core.insert(items[0], after: nil)
        core.insert(items[1], after: items[0])
        core.setRate(1)
        core.settle()
        for feed in feeds {
            feed.openAtStart()
            feed.arrive(until: 6)
            pass(0.2)
        }
        return (items[0], items[1], feeds, news)
    }

    @Test("what cannot be sought begins at its start, wherever in it it was to begin")
    func unseekableStart() {
        let (a, b, _, news) = play()
        #expect(core.currentItem === a && core.currentTime.seconds < 1)
        pass(1)
        #expect((1..<1.5).contains(core.currentTime.seconds))
        pass(5.6)
        #expect(core.currentItem === b && core.currentTime.seconds < 1.5)
        withExtendedLifetime(news) {}
    }

    @Test("is told, one behind the other, and again when that changes")
    func told() throws {
        let (a, b, feeds, news) = play()
        // Until the output has taken all of the first.
        pass(3.5)
        #expect(places.value.map { $0.item === a } == [true, false])
        let starts = places.value.map(\.start)
        try #require(starts.count == 2)
        #expect(starts[1] - starts[0] == feeds[0].duration)
        core.advanceToNextItem()
        pass(0.2)
        #expect(places.value == [PlacedItem(item: b, start: starts[1])])
        core.remove(b)
        pass(0.2)
        #expect(places.value.isEmpty)
        withExtendedLifetime(news) {}
    }
}
