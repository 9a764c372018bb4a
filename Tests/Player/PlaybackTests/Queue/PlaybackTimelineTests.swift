import CoreMedia
import Testing
import TuttiMediaTime
import TuttiSystemIO

@testable import Playback

@Suite("A playback timeline")
struct PlaybackTimelineTests {
    let clock = ManualClock()
    let route = ScriptedRoute()
    let queue: RenderQueue
    let timeline: PlaybackTimeline
    let changes = Happening()

    init() {
        queue = RenderQueue(route: route)
        timeline = PlaybackTimeline(machine: SystemMachine(clock: clock))
        var events = PlaybackTimeline.Events()
        events.rateDidChange = { [changes] in changes.happen() }
        timeline.setEvents(events)
        _ = timeline.add(queue)
    }

    private func seconds(_ value: Double) -> CMTime {
        CMTime(seconds: value, preferredTimescale: 1_000_000_000)
    }
    private func later(_ seconds: Double) -> HostTime { clock.now.advanced(by: .seconds(seconds)) }

    @Test("a new timeline stands still at zero")
    func begins() {
        #expect(timeline.rate == 0)
        clock.advance(by: .seconds(5))
        #expect(timeline.currentTime == .zero)
        #expect(!timeline.isRunning)
    }

    @Test("a start waits for data, then for the instant that the route reports")
    func start() {
        timeline.setRate(1, time: seconds(10), hostTime: nil)
        #expect(timeline.rate == 1)
        #expect(changes.count == 1)
        #expect(route.calls == [])
        #expect(timeline.currentTime == seconds(10))
        route.setSufficient(true)
        #expect(route.calls == [.start(seconds(10), nil)])
        clock.advance(by: .seconds(3))
        #expect(timeline.currentTime == seconds(10))
        #expect(CMTimebaseGetRate(timeline.timebase) == 0)
        route.answerStart(0, at: later(0.5))
        // Before that instant, time and the timebase stand still.
        #expect(!timeline.isRunning && timeline.start == nil)
        let instant = later(0.5)
        #expect(timeline.currentTime == seconds(10))
        #expect(CMTimebaseGetRate(timeline.timebase) == 0)
        #expect(CMTimebaseGetTime(timeline.timebase) == seconds(10))
        clock.advance(by: .seconds(2))
        #expect(timeline.isRunning)
        // The start's instant does not depend on the time of reading it.
        #expect(timeline.start?.time == seconds(10) && timeline.start?.host == instant)
        timeline.driveTimebase()
        #expect(CMTimebaseGetRate(timeline.timebase) == 1)
        #expect(timeline.currentTime == seconds(11.5))
    }

    @Test("a start that need not wait for data happens at once")
    func withoutDelay() {
        timeline.delaysRateChangeUntilHasSufficientMediaData = false
        timeline.setRate(1, time: .invalid, hostTime: nil)
        #expect(route.calls == [.start(.zero, nil)])
    }

    @Test("a start at a host time does not wait, and is not moved")
    func hostTime() {
        let host = later(2)
        timeline.setRate(1, time: seconds(4), hostTime: host)
        #expect(route.calls == [.start(seconds(4), host)])
        route.answerStart(0, at: host)
        clock.advance(by: .seconds(3))
        #expect(timeline.currentTime == seconds(5))
    }

    @Test("a start at a past host time counts as running since then")
    func pastHostTime() {
        let host = clock.now
        clock.advance(by: .seconds(3))
        timeline.setRate(2, time: seconds(4), hostTime: host)
        route.answerStart(0, at: host)
        #expect(timeline.currentTime == seconds(10))
    }

    @Test("a repeated answer moves the instant of the start")
    func moved() {
        timeline.setRate(1, time: .zero, hostTime: later(0))
        route.answerStart(0, at: later(1))
        route.answerStart(0, at: later(2))
        clock.advance(by: .seconds(5))
        #expect(timeline.currentTime == seconds(3))
    }

    @Test("a stop before the route's answer voids the answer")
    func stopFirst() {
        timeline.setRate(1, time: seconds(1), hostTime: later(0))
        timeline.setRate(0, time: .invalid, hostTime: nil)
        #expect(route.calls.last == .stop(seconds(1)))
        route.answerStart(0, at: later(0))
        clock.advance(by: .seconds(5))
        #expect(timeline.rate == 0)
        #expect(timeline.currentTime == seconds(1))
        #expect(changes.count == 2)
    }

    @Test("a stop keeps the time being heard; the next start resumes there")
    func pause() {
        route.setSufficient(true)
        timeline.setRate(1, time: .zero, hostTime: nil)
        route.answerStart(0, at: later(0))
        clock.advance(by: .seconds(7))
        timeline.setRate(0, time: .invalid, hostTime: nil)
        clock.advance(by: .seconds(7))
        #expect(timeline.currentTime == seconds(7))
        #expect(route.calls.last == .stop(seconds(7)))
        timeline.setRate(1, time: .invalid, hostTime: nil)
        #expect(route.calls.last == .start(seconds(7), nil))
    }

    @Test("a stop at zero, a flush and a start elsewhere make a seek")
    func seek() {
        route.setSufficient(true)
        timeline.setRate(1, time: .zero, hostTime: nil)
        route.answerStart(0, at: later(0))
        clock.advance(by: .seconds(7))
        timeline.setRate(0, time: .zero, hostTime: nil)
        #expect(timeline.currentTime == .zero)
        route.setSufficient(false)
        queue.flush()
        timeline.setRate(1, time: seconds(100), hostTime: nil)
        #expect(timeline.currentTime == seconds(100))
        #expect(route.calls.suffix(2) == [.stop(.zero), .flush])
        route.setSufficient(true)
        #expect(route.calls.last == .start(seconds(100), nil))
        route.answerStart(1, at: later(1))
        // An answer to the earlier start is dropped.
        route.answerStart(0, at: later(0))
        clock.advance(by: .seconds(3))
        #expect(timeline.currentTime == seconds(102))
    }

    @Test("setting the same rate again changes nothing")
    func sameRate() {
        route.setSufficient(true)
        timeline.setRate(1, time: .zero, hostTime: nil)
        route.answerStart(0, at: later(0))
        clock.advance(by: .seconds(2))
        timeline.setRate(1, time: .invalid, hostTime: nil)
        clock.advance(by: .seconds(2))
        #expect(timeline.currentTime == seconds(4))
        #expect(changes.count == 1)
        #expect(route.calls == [.start(.zero, nil)])
    }

    @Test("a timeline without a queue runs at once")
    func alone() {
        let alone = PlaybackTimeline(machine: SystemMachine(clock: clock))
        alone.setRate(0.5, time: seconds(1), hostTime: nil)
        clock.advance(by: .seconds(4))
        #expect(alone.currentTime == seconds(3))
    }

    @Test("a second queue follows the first one's instant, and a start needs data in every queue")
    func twoQueues() {
        let second = ScriptedRoute()
        let other = RenderQueue(route: second)
        #expect(timeline.add(other))
        #expect(timeline.add(other))
        #expect(timeline.queues.count == 3 - 1)
        timeline.setRate(1, time: .zero, hostTime: nil)
        route.setSufficient(true)
        #expect(route.calls == [])
        second.setSufficient(true)
        let host = later(1)
        route.answerStart(0, at: host)
        #expect(second.calls == [.start(.zero, host)])
    }

    @Test("a queue belongs to one timeline")
    func owner() {
        let other = PlaybackTimeline(machine: SystemMachine(clock: clock))
        #expect(!other.add(queue))
        #expect(!other.remove(queue))
        #expect(timeline.remove(queue))
        #expect(route.calls == [.stop(.zero), .flush])
        #expect(other.add(queue))
        #expect(queue.currentTimebase === other.timebase)
    }

    @Test("a start does not wait for a queue that is removed")
    func removedWhileWaiting() {
        let second = ScriptedRoute()
        let other = RenderQueue(route: second)
        _ = timeline.add(other)
        timeline.setRate(1, time: .zero, hostTime: nil)
        route.setSufficient(true)
        _ = timeline.remove(other)
        #expect(route.calls == [.start(.zero, nil)])
    }

    static let extremes: [(rate: Float, host: Int64)] = [
        (.greatestFiniteMagnitude, 0), (1, .min), (1, .max), (.greatestFiniteMagnitude, .min), (1e-38, .min),
    ]

    @Test("absurd rates and host times do not trap", arguments: extremes)
    func beyondSense(rate: Float, host: Int64) {
        _ = timeline.addPeriodicObserver(every: seconds(1), queue: SerialQueue(.global())) { _ in }
        timeline.setRate(rate, time: seconds(4), hostTime: HostTime(nanoseconds: host))
        route.answerStart(0, at: HostTime(nanoseconds: host))
        clock.advance(by: .seconds(1_000_000))
        #expect(timeline.currentTime >= seconds(4))
    }
}

@Suite("Time observers")
struct TimeObserverTests {
    let host = HostTime(nanoseconds: 1_000_000_000)

    private func line(_ second: Double, rate: Double) -> PresentationLine {
        PresentationLine(time: CMTime(seconds: second, preferredTimescale: 1000), host: host, rate: rate)
    }

    static let periods: [(after: Double, every: Double, rate: Double, time: Double, delay: Double)] = [
        (0, 1, 1, 1, 1), (0.2, 1, 1, 1, 1), (1, 1, 1, 2, 2), (0.999, 1, 1, 1, 1), (0, 0.25, 1, 0.25, 0.25),
        (0, 1, 2, 1, 0.5), (7.3, 0.5, 1, 7.5, 7.5), (0, 1, 0.5, 1, 2), (-1.5, 1, 1, -1, -1),
    ]

    @Test("a period ends at each multiple of its length", arguments: periods)
    func periodic(after: Double, every: Double, rate: Double, time: Double, delay: Double) throws {
        let next = try #require(
            TimeObserver.next(
                after: CMTime(seconds: after, preferredTimescale: 1000),
                kind: .periodic(interval: CMTime(seconds: every, preferredTimescale: 1000), body: { _ in }),
                line: line(0, rate: rate)))
        #expect(abs(next.time.seconds - time) < 1e-9)
        #expect(abs(next.host.since(host).inSeconds - delay) < 1e-8)
    }

    static let intervals: [CMTime] = [
        .zero, .invalid, .positiveInfinity, .indefinite, CMTime(value: -1, timescale: 1),
    ]

    @Test("an invalid interval never ends", arguments: intervals)
    func noInterval(interval: CMTime) {
        #expect(
            TimeObserver.next(
                after: .zero, kind: .periodic(interval: interval, body: { _ in }), line: line(0, rate: 1))
                == nil)
    }

    static let boundaries: [(after: Double, next: Double?)] = [
        (-1, 1), (0, 1), (1, 2), (1.5, 2), (2, 5), (4.999, 5), (5, nil), (9, nil),
    ]

    @Test("a boundary is crossed once", arguments: boundaries)
    func boundary(after: Double, next: Double?) {
        let times = [1, 2, 2, 5].map { CMTime(value: $0, timescale: 1) }
        let found = TimeObserver.next(
            after: CMTime(seconds: after, preferredTimescale: 1000), kind: .boundary(times: times, body: {}),
            line: line(0, rate: 1))
        #expect(found?.time.seconds == next)
    }

    @Test("no boundary is due while time stands still")
    func standing() {
        let times = [CMTime(value: 1, timescale: 1)]
        #expect(
            TimeObserver.next(after: .zero, kind: .boundary(times: times, body: {}), line: line(0, rate: 0))
                == nil)
    }

    @Test("each boundary is reported once, and boundaries that a jump skips are not")
    func called() async {
        // The clock lies far in the past, so that every computed instant has passed already.
        let clock = ManualClock(HostTime(nanoseconds: 1))
        let timeline = PlaybackTimeline(machine: SystemMachine(clock: clock))
        let (calls, last) = (Happening(), Happening())
        let queue = SerialQueue(label: "observers")
        let times = [5, 1, 2, 9].map { CMTime(value: $0, timescale: 1) }
        let token = timeline.addBoundaryObserver(at: times + [.invalid], queue: queue) { calls.happen() }
        _ = timeline.addBoundaryObserver(at: [CMTime(value: 10, timescale: 1)], queue: queue) {
            last.happen()
        }
        timeline.setRate(1, time: CMTime(value: 4, timescale: 1), hostTime: nil)
        // Two observers have no order between them.
        await calls.reached(2)
        await last.reached(1)
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        #expect(calls.count == 2)
        timeline.removeObserver(token)
        timeline.setRate(1, time: .zero, hostTime: nil)
        await last.reached(2)
        #expect(calls.count == 2)
    }

    @Test("a boundary block that jumps back is called again")
    func loop() async {
        // Every computed instant has passed already, here too.
        let timeline = PlaybackTimeline(machine: SystemMachine(clock: ManualClock(HostTime(nanoseconds: 1))))
        let calls = Happening()
        let token = timeline.addBoundaryObserver(
            at: [CMTime(value: 1, timescale: 1)], queue: SerialQueue(label: "observers")
        ) { [weak timeline] in
            calls.happen()
            if calls.count < 3 { timeline?.setRate(1, time: .zero, hostTime: nil) }
        }
        timeline.setRate(1, time: .zero, hostTime: nil)
        await calls.reached(3)
        timeline.removeObserver(token)
    }

    @Test("a periodic observer is called at every jump, start and stop")
    func jumps() async {
        let clock = ManualClock()
        let timeline = PlaybackTimeline(machine: SystemMachine(clock: clock))
        let (calls, order) = (Happening(), Order())
        let queue = SerialQueue(label: "observers")
        let token = timeline.addPeriodicObserver(every: CMTime(value: 1, timescale: 1), queue: queue) {
            time in
            order.note("\(time.seconds)")
            calls.happen()
        }
        timeline.setRate(0, time: CMTime(value: 7, timescale: 1), hostTime: nil)
        await calls.reached(1)
        timeline.setRate(1, time: .invalid, hostTime: nil)
        clock.advance(by: .seconds(2))
        timeline.setRate(0, time: .invalid, hostTime: nil)
        await calls.reached(3)
        timeline.removeObserver(token)
        timeline.setRate(0, time: CMTime(value: 1, timescale: 1), hostTime: nil)
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        // Once each: the jump, the start, the stop.
        #expect(order.notes == ["7.0", "7.0", "9.0"])
    }

    @Test("a boundary crossed just before a stop is reported; a correction repeats none")
    func boundaryAtStop() async {
        let clock = ManualClock()
        let timeline = PlaybackTimeline(machine: SystemMachine(clock: clock))
        let route = ScriptedRoute()
        let renderer = RenderQueue(route: route)
        _ = timeline.add(renderer)
        let calls = Happening()
        let queue = SerialQueue(label: "observers")
        let times = [1, 2, 5].map { CMTime(value: $0, timescale: 1) }
        _ = timeline.addBoundaryObserver(at: times, queue: queue) { calls.happen() }
        timeline.delaysRateChangeUntilHasSufficientMediaData = false
        timeline.setRate(1, time: .invalid, hostTime: nil)
        route.answerStart(0, at: clock.now)
        clock.advance(by: .milliseconds(2001))
        // The speakers turn out to start later: time goes back over a boundary.
        route.answerStart(0, at: clock.now.advanced(by: .milliseconds(-1500)))
        clock.advance(by: .milliseconds(600))
        timeline.setRate(0, time: .invalid, hostTime: nil)
        await calls.reached(2)
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        #expect(calls.count == 2)
    }
}
