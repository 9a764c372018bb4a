import CoreMedia
import Testing
import TuttiMediaTime

@testable import Playback

/// The engine alone: what goes in, and what comes out.
@Suite("A player engine")
struct PlayerEngineTests {
    private let start = HostTime(nanoseconds: 1_000_000_000)
    private var moment: EngineMoment {
        var moment = EngineMoment()
        moment.now = start
        return moment
    }

    private func time(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: 1000) }

    /// Steps until there is nothing more to do; the timeline does as it is told, but no sound starts.
    private func settle(
        _ engine: inout PlayerEngine, _ moment: inout EngineMoment
    ) -> [EngineAction] {
        var all: [EngineAction] = []
        for _ in 0..<100 {
            let actions = engine.step(moment)
            all += actions
            for action in actions {
                switch action {
                case .start(let start): moment.outputs.requestedRate = start.rate
                case .hold(let time):
                    let line = moment.outputs.line
                    moment.outputs.line = PresentationLine(
                        time: time.isNumeric ? time : line.time(at: moment.now), host: moment.now, rate: 0)
                    moment.outputs.requestedRate = 0
                case .forgetRate: moment.outputs.startedRate = 0
                default: break
                }
            }
            if engine.isSettled { return all }
        }
        Issue.record("no end of steps")
        return all
    }

    private func names(_ actions: [EngineAction]) -> [String] {
        actions.map { String("\($0)".prefix { $0 != "(" }) }
    }

    private func feed(loaded: Double, waiting: Int) -> ItemFeedState {
        var feed = ItemFeedState()
        feed.facts = ItemFacts(duration: time(60), isSeekable: true, isRemote: true)
        (feed.loadedEnd, feed.waitingCount) = (time(loaded), waiting)
        return feed
    }

    private let first = FeedID(value: 1)

    /// An engine that plays an item of a minute, of which five seconds have come and four were given.
    private func playing() -> (PlayerEngine, EngineMoment) {
        var (engine, moment) = (PlayerEngine(endAction: .advance), moment)
        engine.wish { state in
            state.insert(QueuedItem(id: ItemID(value: 7)), after: nil)
            state.setRate(1, at: nil)
        }
        _ = settle(&engine, &moment)
        moment.feeds[first] = feed(loaded: 5, waiting: 5)
        _ = settle(&engine, &moment)
        for second in 0..<4 {
            let (delivery, _) = engine.deliver(moment)
            guard case .take(first) = delivery else {
                Issue.record("\(delivery)")
                break
            }
            _ = engine.place(time(Double(second)), time(1))
            moment.feeds[first]?.waitingCount -= 1
        }
        moment.outputs.line = PresentationLine(time: time(1), host: start, rate: 1)
        (moment.outputs.requestedRate, moment.outputs.startedRate) = (1, 1)
        moment.outputs.isReady = false
        return (engine, moment)
    }

    @Test("does nothing without items")
    func nothing() {
        var (engine, moment) = (PlayerEngine(endAction: .advance), moment)
        let actions = settle(&engine, &moment)
        #expect(actions.isEmpty && engine.deadline == nil)
    }

    @Test("opens an item, reads it, and starts when there is enough")
    func begins() {
        var (engine, moment) = (PlayerEngine(endAction: .advance), moment)
        engine.wish { $0.insert(QueuedItem(id: ItemID(value: 7)), after: nil) }
        let opening = names(settle(&engine, &moment))
        #expect(opening == ["publish", "open", "hold", "read", "place"])
        engine.wish { $0.setRate(1, at: nil) }
        moment.feeds[first] = feed(loaded: 1, waiting: 1)
        let ready = names(settle(&engine, &moment))
        #expect(ready.contains("request") && ready.contains("setPlaying") && !ready.contains("start"))
        #expect(engine.state.status == .readyToPlay && engine.state.machine.control == .waiting)
        // It looks at the fill rate for half a second.
        #expect(engine.deadline == start.advanced(by: .milliseconds(500)))
        moment.feeds[first] = feed(loaded: 2, waiting: 2)
        let started = names(settle(&engine, &moment))
        #expect(started.contains("start") && engine.state.machine.control == .playing)
    }

    @Test("an item removed while an edit is pending does not end its successor", arguments: [true, false])
    func endDuringEdit(hasSuccessor: Bool) {
        var (engine, moment) = playing()
        let second = FeedID(value: 2)
        engine.wish { $0.insert(QueuedItem(id: ItemID(value: 8)), after: nil) }
        moment.feeds[first] = feed(loaded: 4, waiting: 0)
        moment.feeds[first]?.isAtEnd = true
        _ = settle(&engine, &moment)
        _ = engine.deliver(moment)
        moment.feeds[second] = feed(loaded: 5, waiting: 5)
        _ = settle(&engine, &moment)
        _ = engine.deliver(moment)
        _ = engine.place(.zero, time(1))
        engine.wish { $0.remove(ItemID(value: 8), .zero) }
        #expect(names(settle(&engine, &moment)).contains("splice"))
        engine.wish { state in
            state.removeAll(.zero)
            if hasSuccessor { state.insert(QueuedItem(id: ItemID(value: 9)), after: nil) }
        }
        moment.now = start.advanced(by: .seconds(5))
        _ = settle(&engine, &moment)
        #expect(engine.state.items.map(\.id.value) == (hasSuccessor ? [9] : []))
    }

    @Test("the sound heard since the last step counts as played before a seek")
    func playedBeforeSeek() throws {
        var (engine, moment) = playing()
        _ = settle(&engine, &moment)
        moment.now = start.advanced(by: .seconds(2))
        engine.wish { $0.seek(to: time(30), of: nil, RequestID(value: 1), at: moment.now) }
        _ = settle(&engine, &moment)
        let played = try #require(engine.state.items.first).state.secondsPlayed
        #expect(abs(played - 3) < 1e-6)
    }

    @Test("two new ends at once are both applied")
    func twoEnds() {
        var (engine, moment) = playing()
        engine.wish { state in
            state.insert(QueuedItem(id: ItemID(value: 8)), after: nil)
            // Behind the sound at hand: nothing has to be edited.
            state.withItem(ItemID(value: 7)) { $0.wishes.endTime = time(50) }
        }
        _ = settle(&engine, &moment)
        moment.feeds[first] = feed(loaded: 4, waiting: 0)
        moment.feeds[first]?.isAtEnd = true
        _ = settle(&engine, &moment)
        _ = engine.deliver(moment)
        engine.wish { state in
            state.withItem(ItemID(value: 7)) { $0.wishes.endTime = time(40) }
            state.withItem(ItemID(value: 8)) { $0.wishes.endTime = time(5) }
        }
        _ = settle(&engine, &moment)
        let limits = engine.schedule.items.map { $0.limit.map { limit in limit.seconds } }
        #expect(limits == [40, 9])
    }

    @Test("delivered buffers lie end to end, and are cut at the end that the program set")
    func gives() {
        var (engine, moment) = playing()
        engine.wish { state in
            state.withItem(ItemID(value: 7)) { $0.wishes.endTime = time(4.5) }
        }
        _ = settle(&engine, &moment)
        moment.feeds[first]?.waitingCount = 1
        let placement = engine.place(time(4), time(1))
        #expect(placement.time == time(4) && placement.trim == time(0.5) && !placement.isDropped)
        let (delivery, actions) = engine.deliver(moment)
        #expect("\(delivery)" == "stop" && names(actions) == ["endOfData"])
    }

    @Test("wakes when its outputs need more, whatever was asked before")
    func deadline() {
        var (engine, moment) = playing()
        _ = settle(&engine, &moment)
        // The line is at 1 s, and 4 s were given; more is due by the outputs' lead.
        #expect(engine.deadline == start.advanced(by: .seconds(3)))
        moment.outputs.leastLead = 0.5
        _ = settle(&engine, &moment)
        #expect(engine.deadline == start.advanced(by: .seconds(2.5)))
    }

    @Test("plays out what its outputs have when more would be late, then stalls there")
    func stalls() {
        var (engine, moment) = playing()
        moment.outputs.leastLead = 0.5
        _ = settle(&engine, &moment)
        moment.now = start.advanced(by: .seconds(2.5))
        let late = names(settle(&engine, &moment))
        #expect(late.contains("pauseRequests"))
        #expect(engine.outputs.isClosing && engine.deadline == start.advanced(by: .seconds(3)))
        moment.now = start.advanced(by: .seconds(3))
        let dry = names(settle(&engine, &moment))
        #expect(dry.contains("hold") && dry.contains("post"))
        #expect(engine.state.machine.reason == .toMinimizeStalls)
    }

    @Test("a stop by somebody else pauses it, and the cause is told")
    func interrupted() {
        var (engine, moment) = playing()
        _ = settle(&engine, &moment)
        moment.outputs.requestedRate = 0
        moment.outputs.line.rate = 0
        let actions = engine.step(moment)
        #expect(actions.first.map { "\($0)".hasSuffix("interrupted)") } == true)
        #expect(engine.state.machine.control == .paused)
    }

    @Test("an item that is removed is released where it was heard, and its seek ends")
    func released() {
        var (engine, moment) = playing()
        _ = settle(&engine, &moment)
        engine.wish { state in
            state.seek(to: time(50), of: nil, RequestID(value: 3), at: start)
            state.remove(ItemID(value: 7), time(2.5))
        }
        let actions = engine.takeActions()
        #expect(names(actions) == ["complete", "release"] || names(actions) == ["release", "complete"])
        for case .release(let id, let place) in actions { #expect(id.value == 7 && place == time(2.5)) }
        for case .complete(let request, let isDone) in actions { #expect(request.value == 3 && !isDone) }
        #expect(engine.state.machine.reason == .noItemToPlay && engine.knows(ItemID(value: 7)))
        let after = names(settle(&engine, &moment))
        #expect(after.contains("close") && after.contains("flush") && !engine.knows(ItemID(value: 7)))
    }
}
