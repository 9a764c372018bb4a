import CoreMedia
import Synchronization
import Testing
import TuttiMediaTime
import TuttiSystemIO

@testable import Playback

@Suite("Changes of rate and output")
struct RateAndMoveTests {
    let clock = ManualClock()
    let route = ScriptedRoute()
    let queue: RenderQueue
    let timeline: PlaybackTimeline

    init() {
        queue = RenderQueue(route: route)
        timeline = PlaybackTimeline(machine: SystemMachine(clock: clock))
        _ = timeline.add(queue)
    }

    private func seconds(_ value: Double) -> CMTime {
        CMTime(seconds: value, preferredTimescale: 1_000_000_000)
    }

    private func enqueue() throws {
        queue.enqueue(try Buffers.pcm(Sound.noise(441_000), at: .zero))
    }

    @Test(
        "a new rate flushes the queued sound, directly or via 0; the same rate does not",
        arguments: [
            ([1, 2] as [Float], 1), ([1, 0, 2], 1), ([1, 0, 1], 0), ([2], 0), ([0.5, 0, 0.5, 0, 1], 1),
        ])
    func otherRate(rates: [Float], flushes: Int) throws {
        let times = Mutex<[CMTime]>([])
        var events = RenderQueue.Events()
        events.automaticallyFlushed = { time, done in
            times.withLock { $0.append(time) }
            done()
        }
        queue.setEvents(events)
        try enqueue()
        route.setSufficient(true)
        for (index, rate) in rates.enumerated() {
            timeline.setRate(rate, time: .invalid, hostTime: nil)
            let starts = rates[...index].count { $0 != 0 }
            if rate != 0 { route.answerStart(starts - 1, at: clock.now) }
            clock.advance(by: .seconds(2))
        }
        #expect(times.withLock { $0.count } == flushes)
        #expect(route.calls.count { $0 == .flush } == flushes)
        if rates == [1, 2] { #expect(times.withLock { $0 } == [seconds(2)]) }
    }

    @Test("a start that another thread's pause overtakes leaves the output silent")
    func pauseOvertakesStart() throws {
        try enqueue()
        route.setSufficient(true)
        route.beforeNextStart { [timeline] in timeline.setRate(0, time: .invalid, hostTime: nil) }
        timeline.setRate(1, time: .zero, hostTime: nil)
        #expect(route.calls.last == .stop(.zero))
        #expect(timeline.rate == 0 && !timeline.isRunning)
    }

    @Test("the newer of two starts is heard, even if it overtakes the older one")
    func startOvertakesStart() throws {
        try enqueue()
        route.setSufficient(true)
        let place = seconds(5)
        route.beforeNextStart { [timeline] in timeline.setRate(1, time: place, hostTime: nil) }
        timeline.setRate(1, time: .zero, hostTime: nil)
        #expect(route.calls.last == .start(place, nil))
        // The last start's answer is the one that counts.
        route.answerStart(2, at: clock.now)
        clock.advance(by: .seconds(1))
        #expect(timeline.currentTime == seconds(6))
    }

    @Test("sound that was heard to its end is not flushed")
    func nothingToFlush() throws {
        queue.enqueue(try Buffers.pcm(Sound.noise(44_100), at: .zero))
        let flushes = Happening()
        var events = RenderQueue.Events()
        events.automaticallyFlushed = { _, done in
            flushes.happen()
            done()
        }
        queue.setEvents(events)
        route.setSufficient(true)
        timeline.setRate(1, time: .zero, hostTime: nil)
        route.answerStart(0, at: clock.now)
        clock.advance(by: .seconds(2))
        timeline.setRate(2, time: .invalid, hostTime: nil)
        #expect(flushes.count == 0)
        queue.move(to: ScriptedRoute())
        #expect(flushes.count == 0)
    }

    @Test("time runs on through a change of rate; the output rejoins where time will be by then")
    func otherRateGoesOn() throws {
        try enqueue()
        route.setSufficient(true)
        timeline.setRate(1, time: .zero, hostTime: nil)
        route.answerStart(0, at: clock.now)
        route.setSufficient(false)
        clock.advance(by: .seconds(3))
        timeline.setRate(2, time: .invalid, hostTime: nil)
        #expect(route.calls.last == .startAt(rate: 2, seconds(3.4)))
        #expect(timeline.isRunning && CMTimebaseGetRate(timeline.timebase) == 2)
        clock.advance(by: .seconds(2))
        #expect(timeline.currentTime == seconds(7))
    }

    @Test("playback moved to another output resumes where it was, with the queued sound")
    func move() throws {
        try enqueue()
        route.setSufficient(true)
        timeline.setRate(1, time: .zero, hostTime: nil)
        route.answerStart(0, at: clock.now)
        clock.advance(by: .seconds(3))
        let kept = try Buffers.pcm(Sound.noise(4410), at: seconds(3))
        route.keep([kept])
        let flushes = Happening()
        var events = RenderQueue.Events()
        events.automaticallyFlushed = { _, done in
            flushes.happen()
            done()
        }
        queue.setEvents(events)
        let next = ScriptedRoute()
        queue.move(to: next)
        #expect(route.calls.last == .detach(seconds(3)))
        #expect(next.calls.contains(.enqueue(seconds(3))))
        // Time stands until the new output can be heard.
        clock.advance(by: .seconds(5))
        #expect(timeline.currentTime == seconds(3) && timeline.rate == 1)
        next.setSufficient(true)
        #expect(next.calls.last == .start(seconds(3), nil))
        next.answerStart(0, at: clock.now)
        clock.advance(by: .seconds(1))
        #expect(timeline.currentTime == seconds(4))
        #expect(flushes.count == 0)
    }

    @Test("a move that loses queued sound reports the time from which it is lost, and does not wait")
    func losingMove() throws {
        try enqueue()
        route.setSufficient(true)
        timeline.setRate(1, time: .zero, hostTime: nil)
        route.answerStart(0, at: clock.now)
        clock.advance(by: .seconds(3))
        let times = Mutex<[CMTime]>([])
        var events = RenderQueue.Events()
        events.automaticallyFlushed = { time, done in
            times.withLock { $0.append(time) }
            done()
        }
        queue.setEvents(events)
        let next = ScriptedRoute()
        queue.move(to: next)
        #expect(times.withLock { $0 } == [seconds(3)])
        #expect(next.calls.last == .start(seconds(3), nil))
    }

    @Test("a stopped queue is moved without a start")
    func movePaused() {
        let next = ScriptedRoute()
        queue.volume = 0.5
        queue.move(to: next)
        #expect(next.calls == [.gain(0.5), .pitch(.kept)])
        route.setReady(true)
        #expect(!queue.isReadyForMoreData)
    }
}
