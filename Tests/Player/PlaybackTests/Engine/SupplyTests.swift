import CoreMedia
import Testing
import TuttiMediaTime

@testable import Playback

@Suite("An edit of sound that plays")
struct ResendsTests {
    private func time(_ seconds: Int64) -> CMTime { CMTime(value: seconds, timescale: 1) }

    private func item(_ feed: Int) -> ScheduledItem {
        ScheduledItem(item: QueuedItem(id: ItemID(value: 1)), feed: FeedID(value: feed))
    }

    private func edit(margin: Double) -> Resends.Resending {
        Resends.Resending(feed: FeedID(value: 1), place: time(3), end: time(9), margin: margin)
    }

    @Test("is tried again once, farther from the playhead")
    func retry() throws {
        var resends = Resends()
        let none = resends.retry(head: item(1))
        #expect(none == nil)
        resends.begin(edit(margin: Resends.shortMargin))
        let found = resends.retry(head: item(1))
        let second = try #require(found)
        #expect(second.margin == Resends.longMargin && second.place == time(3) && second.end == time(9))
        resends.begin(second)
        let third = resends.retry(head: item(1))
        #expect(third == nil)
    }

    @Test("is not tried again for another item, nor after it is done")
    func forgotten() {
        var resends = Resends()
        resends.begin(edit(margin: Resends.shortMargin))
        let other = resends.retry(head: item(2))
        resends.begin(edit(margin: Resends.shortMargin))
        resends.forget()
        let done = resends.retry(head: item(1))
        #expect(other == nil && done == nil)
    }
}

@Suite("The supply of sound")
struct BufferingTests {
    private let start = HostTime(nanoseconds: 0)

    @Test("an evaluation of the buffering rate ends after half a second, and begins anew after a pause")
    func evaluation() {
        var buffering = Buffering()
        func ends(_ reason: TransportMachine.WaitingReason?, _ milliseconds: Int64) -> Bool {
            buffering.evaluate(reason, at: start.advanced(by: .milliseconds(milliseconds)))
        }
        let (first, early) = (ends(.evaluatingBufferingRate, 0), ends(.evaluatingBufferingRate, 499))
        let late = ends(.evaluatingBufferingRate, 500)
        let none = ends(nil, 501)
        let again = ends(.evaluatingBufferingRate, 600)
        #expect(!first && !early && late && !none && !again)
    }

    @Test("an underrun is reported once, and ends hidden rebuffering")
    func underrun() {
        var buffering = Buffering()
        buffering.refill.begin(at: start)
        buffering.ranDry(ItemID(value: 3))
        let (first, second) = (buffering.takeUnderrun(), buffering.takeUnderrun())
        #expect(first == ItemID(value: 3) && second == nil && buffering.refill.end == nil)
    }
}
