import CoreMedia
import Testing
import TuttiMediaTime

@testable import Playback

@Suite("The life of a scheduled item")
struct ScheduledItemTests {
    private static func time(_ seconds: Double) -> CMTime {
        CMTime(seconds: seconds, preferredTimescale: 1000)
    }

    private static func item(at start: Double = 10) -> ScheduledItem {
        let queued = QueuedItem(id: ItemID(value: 1))
        var one = ScheduledItem(item: queued, feed: FeedID(value: 1))
        one.schedule(at: time(start), queued)
        return one
    }

    typealias Change = @Sendable (inout ScheduledItem) -> Void

    /// Changes, the phase after them, and the timeline time after the last sample.
    static let lives: [(String, [Change], ScheduledItem.Phase, Double)] = [
        ("new", [], .opening, 10),
        ("open", [{ $0.sourceOpened() }], .ready, 10),
        ("given", [{ $0.sourceOpened() }, { $0.gave(until: time(12)) }], .feeding(dryEnd: nil), 12),
        (
            "open again",
            [{ $0.gave(until: time(12)) }, { $0.sourceOpened() }, { $0.gave(until: time(11)) }],
            .feeding(dryEnd: nil), 12
        ),
        ("dry", [{ $0.gave(until: time(12)) }, { $0.ranDry() }], .feeding(dryEnd: time(12)), 12),
        ("dry without any sound", [{ $0.sourceOpened() }, { $0.ranDry() }], .ready, 10),
        (
            "given after dry", [{ $0.gave(until: time(12)) }, { $0.ranDry() }, { $0.gave(until: time(13)) }],
            .feeding(dryEnd: time(12)), 13
        ),
        ("drained", [{ $0.gave(until: time(12)) }, { $0.drained(at: time(12)) }], .drained, 12),
        (
            "shortened", [{ $0.drained(at: time(14)) }, { $0.shorten(to: time(12)) }], .feeding(dryEnd: nil),
            12
        ),
        ("shortened to nothing", [{ $0.drained(at: time(14)) }, { $0.shorten(to: time(10)) }], .ready, 10),
        ("heard, then shortened", [{ $0.wasHeard() }, { $0.shorten(to: time(9)) }], .heard, 9),
        ("failed, then shortened", [{ $0.sourceFailed() }, { $0.shorten(to: time(9)) }], .failed, 9),
        (
            "prolonged", [{ $0.drained(at: time(14)) }, { $0.reopen(at: time(14)) }], .feeding(dryEnd: nil),
            14
        ),
        (
            "read anew", [{ $0.drained(at: time(14)) }, { $0.readAnew(from: time(3), nil) }], .ready, 13
        ),
        ("read anew before it was open", [{ $0.readAnew(from: time(3), nil) }], .opening, 13),
        (
            "read anew after a failure", [{ $0.sourceFailed() }, { $0.readAnew(from: .zero, nil) }], .ready,
            10
        ),
    ]

    @Test("has one phase at a time", arguments: lives.indices)
    func phases(index: Int) {
        let (name, changes, phase, end) = Self.lives[index]
        var one = Self.item()
        for change in changes { change(&one) }
        #expect(one.phase == phase, "\(name)")
        #expect(one.end == Self.time(end), "\(name)")
        #expect(one.isComplete == (phase == .drained || phase == .heard), "\(name)")
        #expect(one.isOpen == (!one.isComplete && phase != .failed), "\(name)")
    }

    @Test("a state of an older seek is not the item's")
    func generations() {
        var (one, feed) = (Self.item(), ItemFeedState())
        #expect(one.isCurrent(feed))
        one.seeks()
        #expect(!one.isCurrent(feed))
        feed.seekCount = 1
        #expect(one.isCurrent(feed))
        var queued = QueuedItem(id: ItemID(value: 2))
        queued.startTime = Self.time(3)
        let late = ScheduledItem(item: queued, feed: FeedID(value: 2))
        #expect(late.isCurrent(feed) && late.place == Self.time(3))
    }

    @Test("is read twelve seconds beyond what the outputs have, or as far as the program wants")
    func readAhead() {
        var (one, item, feed) = (Self.item(), QueuedItem(id: ItemID(value: 1)), ItemFeedState())
        func read(_ playhead: Double) -> Double? {
            one.readAhead.next(one.reading(item, feed, playhead: Self.time(playhead)))?.seconds
        }
        let (first, again) = (read(0), read(5))
        #expect(first == 12 && again == nil)
        one.gave(until: Self.time(11))
        let more = read(5)
        #expect(more == 13)
        item.wishes.forwardBufferDuration = 20
        let (wished, soon) = (read(1), read(1.25))
        // It is still reading.
        #expect(wished == 21 && soon == nil)
        feed.loadedEnd = Self.time(21.5)
        let (enough, later) = (read(1.5), read(1.75))
        #expect(enough == nil && later == 21.75)
        one.seeks()
        let sought = read(0)
        #expect(sought == 20)
        (item.wishes.keepsLiveStream, item.wishes.forwardBufferDuration) = (true, 0)
        feed.facts = ItemFacts(duration: .indefinite, isSeekable: false, isRemote: true)
        let kept = read(0)
        #expect(kept == 613)
    }

    @Test("a range is told four times a second, and a void one only if it stays void")
    func loadedRange() {
        var report = ItemReport()
        let range = CMTimeRange(start: .zero, end: Self.time(9))
        func host(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }
        #expect(report.rangeTime(range) == nil)
        report.loadedAt = host(100)
        report.compare(range, told: nil, at: host(200))
        #expect(report.rangeTime(range) == host(350))
        // A seek.
        report.compare(nil, told: range, at: host(1000))
        report.compare(nil, told: range, at: host(1100))
        #expect(report.rangeTime(nil) == host(1250))
        report.compare(range, told: range, at: host(1200))
        #expect(report.rangeTime(nil) == nil)
    }

    @Test("a guessed length limits no seek")
    func reachable() {
        var (duration, feed) = (DurationEstimate(), ItemFeedState())
        let facts = ItemFacts(duration: Self.time(60), isSeekable: true, isRemote: true)
        feed.facts = facts
        #expect(duration.reachable(Self.time(70), feed) == Self.time(60))
        #expect(duration.reachable(.positiveInfinity, feed) == Self.time(60))
        feed.facts?.isDurationGuessed = true
        #expect(duration.reachable(Self.time(70), feed) == Self.time(70))
        #expect(duration.reachable(.positiveInfinity, feed) == Self.time(60))
        duration = DurationEstimate(measured: Self.time(65))
        #expect(duration.reachable(Self.time(70), feed) == Self.time(65))
    }
}

@Suite("Rebuffering that is hidden")
struct HiddenRefillTests {
    private let start = HostTime(nanoseconds: 0)
    private let enough = BufferLevels(isEmpty: false, isFull: false, isLikelyToKeepUp: true)

    @Test("is over when there is enough, and shows after a second")
    func outcomes() {
        var refill = HiddenRefill()
        let none = refill.look(BufferLevels(), at: start)
        #expect(none == .over)
        refill.begin(at: start)
        #expect(refill.end == start.advanced(by: .seconds(1)))
        let early = refill.look(BufferLevels(), at: start.advanced(by: .milliseconds(999)))
        let late = refill.look(BufferLevels(), at: start.advanced(by: .seconds(1)))
        let after = refill.look(BufferLevels(), at: start.advanced(by: .seconds(1)))
        #expect(early == .hidden && late == .exposed && after == .over && refill.end == nil)
        refill.begin(at: start)
        let filled = refill.look(enough, at: start.advanced(by: .milliseconds(5)))
        #expect(filled == .over && refill.end == nil)
    }
}
