import CoreMedia
import Synchronization
import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import Playback

@Suite("Playback whose speakers another sender took")
struct PlayerTakeoverTests {
    @Test("a player pauses where it was last heard, and plays on from there")
    func player() {
        let stage = PlayerStage()
        let (_, feed) = stage.play("a", seconds: 60)
        let core = stage.core
        stage.pass(8)
        let reasons = Recorder<[PlayerEngine.RateReason]>([])
        var events = PlayerDriver.Events()
        events.rateDidChange = { reason in reasons.update { $0.append(reason) } }
        core.setEvents(events)
        let place = stage.time - 2
        #expect(place > 5)
        core.renderQueue.halt(silentSince: stage.clock.now.advanced(by: .seconds(-2)))
        #expect(core.machine.rate == 0 && core.machine.control == .paused)
        #expect(abs(stage.time - place) < 1e-6)
        stage.settle()
        stage.pass(1)
        #expect(abs(stage.time - place) < 1e-6 && reasons.value == [.interrupted])
        #expect(feed.seekCount == 1)
        core.setRate(1)
        stage.settle()
        stage.pass(2)
        #expect(core.timeline.isRunning && stage.time > place + 1.5 && stage.time < place + 2.1)
    }

    @Test("a program that enqueues sound itself is told from where it is missing")
    func renderer() throws {
        let clock = ManualClock()
        let queue = RenderQueue(route: SilentRoute(machine: SystemMachine(clock: clock)))
        let timeline = PlaybackTimeline(machine: SystemMachine(clock: clock))
        _ = timeline.add(queue)
        let missing = Mutex<[CMTime]>([])
        var events = RenderQueue.Events()
        events.automaticallyFlushed = { time, done in
            missing.withLock { $0.append(time) }
            done()
        }
        queue.setEvents(events)
        for second in 0..<10 {
            let time = CMTime(value: CMTimeValue(second), timescale: 1)
            queue.enqueue(try Buffers.pcm(Sound.noise(44_100), at: time))
        }
        timeline.setRate(1, time: .zero, hostTime: nil)
        clock.advance(by: .seconds(5))
        let line = timeline.line
        #expect(line.rate == 1)
        let host = clock.now.advanced(by: .seconds(-2))
        queue.halt(silentSince: host)
        #expect(timeline.rate == 0 && timeline.currentTime == line.time(at: host))
        #expect(missing.withLock { $0 } == [line.time(at: host)])
    }

    @Test("a player that has not begun stays where it is")
    func standing() {
        let stage = PlayerStage()
        _ = stage.queue("a", seconds: 60, arrived: 0.25)
        stage.core.setRate(1)
        stage.settle()
        stage.core.renderQueue.halt(silentSince: stage.clock.now)
        stage.settle()
        #expect(stage.core.machine.control == .paused && stage.time == 0)
    }
}
