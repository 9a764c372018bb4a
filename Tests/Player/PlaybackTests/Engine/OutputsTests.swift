import CoreMedia
import Testing
import TuttiMediaTime

@testable import Playback

@Suite("Outputs as the engine uses them")
struct OutputsTests {
    private let now = HostTime(nanoseconds: 5)
    private func time(_ seconds: Int64) -> CMTime { CMTime(value: seconds, timescale: 1) }

    private func names(_ outputs: inout Outputs) -> [String] {
        defer { outputs.actions = [] }
        return outputs.actions.map { String("\($0)".prefix { $0 != "(" }) }
    }

    @Test("an edit stops giving until it is answered; an answer for an older edit changes nothing")
    func generations() {
        var outputs = Outputs()
        outputs.request()
        outputs.splice(from: time(3))
        #expect(names(&outputs) == ["request", "pauseRequests", "splice"])
        #expect(outputs.isSplicing && !outputs.isRequesting)
        outputs.splice(from: time(2))
        let (old, wrong) = (outputs.spliced(true, generation: 1), outputs.spliced(true, generation: 3))
        #expect(!old && !wrong && outputs.isSplicing && outputs.tail == .open)
        let isCurrent = outputs.spliced(true, generation: 2)
        #expect(isCurrent && !outputs.isSplicing && outputs.tail == .untold)
        let again = outputs.spliced(true, generation: 2)
        #expect(!again)
    }

    @Test("a flush makes an edit void, and forgets the rate")
    func flush() {
        var (outputs, state) = (Outputs(), OutputSample())
        state.startedRate = 2
        outputs.look(state)
        outputs.gave()
        outputs.tail = .stale
        outputs.splice(from: time(3))
        outputs.flush()
        #expect(names(&outputs) == ["splice", "flush", "forgetRate"])
        #expect(outputs.supply == .empty && outputs.tail == .open && outputs.seen.startedRate == 0)
        let isCurrent = outputs.spliced(false, generation: 1)
        #expect(!isCurrent)
    }

    @Test("outputs that play out what they have open again when time stands", arguments: [true, false])
    func closing(hasGiven: Bool) {
        var outputs = Outputs()
        if hasGiven { outputs.gave() }
        outputs.request()
        outputs.close()
        #expect(outputs.isClosing && !outputs.isRequesting && outputs.hasGiven == hasGiven)
        outputs.hold(at: time(4), now)
        #expect(!outputs.isClosing && outputs.hasGiven == hasGiven)
        #expect(outputs.time(at: now) == time(4) && names(&outputs).last == "hold")
    }

    @Test("the end of data is told once; a removed successor makes it due again, unless its sound is stale")
    func tail() {
        var outputs = Outputs()
        outputs.lostSuccessor()
        #expect(outputs.tail == .untold)
        outputs.endOfData()
        #expect(outputs.tail == .open)
        outputs.tail = .stale
        outputs.lostSuccessor()
        outputs.endOfData()
        #expect(outputs.tail == .stale)
    }

    @Test("a stop by somebody else is noticed once")
    func stop() {
        var (outputs, state) = (Outputs(), OutputSample())
        outputs.start(EngineStart(rate: 1))
        #expect(names(&outputs) == ["forgetRate", "start"])
        (state.requestedRate, state.startedRate) = (1, 1)
        outputs.look(state)
        let early = outputs.noticeStop()
        state.requestedRate = 0
        outputs.look(state)
        let (first, second) = (outputs.noticeStop(), outputs.noticeStop())
        #expect(!early && first && !second && outputs.appliedRate == 0)
    }

    @Test("more sound is due before the packed sound ends, by the lead and the rate")
    func latestUse() {
        var (outputs, state) = (Outputs(), OutputSample())
        var item = ScheduledItem(item: QueuedItem(id: ItemID(value: 1)), feed: FeedID(value: 1))
        item.end = time(10)
        #expect(outputs.playableEnd(of: item) == time(10) && outputs.latestUse(of: item) == time(10))
        (state.leastLead, state.playableEnd) = (0.5, time(9))
        outputs.look(state)
        outputs.start(EngineStart(rate: 2))
        #expect(outputs.playableEnd(of: item) == time(9) && outputs.latestUse(of: item) == time(8))
        // The packed sound belongs to the item before.
        item.start = time(9)
        (item.place, item.end) = (time(2), time(12))
        #expect(outputs.playableEnd(of: item) == time(11))
    }
}
