import CoreMedia
import Foundation
import Synchronization
import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import Playback

/// Observers never receive an older line after a newer one, whichever thread notifies them.
@Suite("The order of line notifications")
struct LineOrderTests {
    /// A manual clock that runs a block once, at its next reading.
    private final class TripClock: HostClock {
        private let clock = ManualClock()
        private let trip = Mutex<(@Sendable () -> Void)?>(nil)

        func atNextReading(_ body: @escaping @Sendable () -> Void) { trip.withLock { $0 = body } }

        var now: HostTime {
            let body = trip.withLock { trip in
                defer { trip = nil }
                return trip
            }
            body?()
            return clock.now
        }
    }

    @Test("a stop during the notification of a start is reported last")
    func timebase() {
        let clock = TripClock()
        let route = ScriptedRoute()
        let queue = RenderQueue(route: route)
        let timeline = PlaybackTimeline(machine: SystemMachine(clock: clock))
        _ = timeline.add(queue)
        timeline.delaysRateChangeUntilHasSufficientMediaData = false
        timeline.setRate(1, time: .invalid, hostTime: nil)
        let now = clock.now
        // At that moment the start's line has been read but not reported.
        clock.atNextReading { timeline.setRate(0, time: .invalid, hostTime: nil) }
        route.answerStart(0, at: now)
        #expect(timeline.rate == 0 && timeline.line.rate == 0)
        #expect(CMTimebaseGetRate(timeline.timebase) == 0)
    }

    @Test("a player's observers stand still after a stop from within the notification of its start")
    func observers() {
        let stage = PlayerStage()
        let (item, _) = stage.play("a", seconds: 60)
        stage.core.setRate(0)
        stage.settle()
        let (timeline, stops) = (stage.core.timeline, Recorder(0))
        let token = NotificationCenter.default.addObserver(
            forName: CMTimebase.effectiveRateChanged, object: item.timebase, queue: nil
        ) { _ in
            stops.update { $0 += 1 }
            if stops.value == 1 { timeline.setRate(0, time: .invalid, hostTime: nil) }
        }
        stage.core.setRate(1)
        stage.core.queue.sync { stage.core.reconcile() }
        #expect(stops.value >= 1 && timeline.line.rate == 0)
        #expect(stage.core.observers.line?.rate == 0 && CMTimebaseGetRate(item.timebase) == 0)
        NotificationCenter.default.removeObserver(token)
    }

    @Test("an observer that receives a line during its registration keeps that line")
    func added() async throws {
        let times = Recorder<[Double]>([])
        let queue = SerialQueue(label: "observer")
        let clock = ManualClock()
        let observer = TimeObserver(
            kind: .periodic(interval: CMTime(value: 1, timescale: 1)) { time in
                times.update { $0.append(time.seconds) }
            }, queue: queue, now: { clock.now })
        let old = PresentationLine(time: .zero, host: clock.now, rate: 1)
        let new = PresentationLine(
            time: CMTime(value: 7, timescale: 1), host: clock.now, rate: 0)
        observer.lineDidChange(new, now: clock.now, isJump: true)
        observer.begin(with: old, now: clock.now)
        queue.sync {}
        observer.lineDidChange(new, now: clock.now, isJump: false)
        queue.sync {}
        // A second line that stands still reports no new time.
        #expect(times.value == [7])
    }
}
