import CoreMedia
import Foundation
import MediaTime
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import Playback

/// Who hears of a line never hears of an older one after it, whichever thread tells.
@Suite("The order in which lines are told")
struct LineOrderTests {
    /// A manual clock that does something once, the next time that it is read.
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

    @Test("a stop that comes while a start is being told is told last")
    func timebase() {
        let clock = TripClock()
        let route = ScriptedRoute()
        let queue = RenderQueue(route: route)
        let timeline = PlaybackTimeline(clock: clock)
        _ = timeline.add(queue)
        timeline.delaysRateChangeUntilHasSufficientMediaData = false
        timeline.setRate(1, time: .invalid, hostTime: nil)
        let now = clock.now
        // The start's line has been read then, and not told.
        clock.atNextReading { timeline.setRate(0, time: .invalid, hostTime: nil) }
        route.answerStart(0, at: now)
        #expect(timeline.rate == 0 && timeline.line.rate == 0)
        #expect(CMTimebaseGetRate(timeline.timebase) == 0)
    }

    @Test("a player's observers stand when it was stopped from within what tells of its start")
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

    @Test("an observer that was told of a line while it was added keeps that")
    func added() async throws {
        let times = Recorder<[Double]>([])
        let queue = DispatchQueue(label: "observer")
        let clock = ManualClock()
        let observer = TimeObserver(
            kind: .periodic(interval: CMTime(value: 1, timescale: 1)) { time in
                times.update { $0.append(time.seconds) }
            }, queue: queue, now: { clock.now })
        let old = PlaybackTimeline.Line(time: .zero, host: clock.now, rate: 1)
        let new = PlaybackTimeline.Line(
            time: CMTime(value: 7, timescale: 1), host: clock.now, rate: 0)
        observer.lineDidChange(new, now: clock.now, isJump: true)
        observer.begin(with: old, now: clock.now)
        queue.sync {}
        observer.lineDidChange(new, now: clock.now, isJump: false)
        queue.sync {}
        // A line that stands again is nothing new.
        #expect(times.value == [7])
    }
}
