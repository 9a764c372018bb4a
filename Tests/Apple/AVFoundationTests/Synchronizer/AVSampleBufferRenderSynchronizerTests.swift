import Dispatch
import Foundation
import Playback
import Testing

@testable import AVFoundation

@Suite("The synchronizer on the silent route")
struct AVSampleBufferRenderSynchronizerTests {
    let renderer = AVSampleBufferAudioRenderer(queue: RenderQueue(route: SilentRoute()))
    let synchronizer = AVSampleBufferRenderSynchronizer()
    let queue = DispatchQueue(label: "observers")

    private func second(_ value: Int64) -> CMTime { CMTime(value: value, timescale: 1) }
    private func drained() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    @Test("a new synchronizer has time 0, rate 0, and waits for data")
    func begins() {
        #expect(synchronizer.rate == 0)
        #expect(synchronizer.currentTime() == .zero)
        #expect(synchronizer.delaysRateChangeUntilHasSufficientMediaData)
        #expect(synchronizer.renderers.isEmpty)
    }

    @Test("the rate reads back at once; the timebase runs from the actual start")
    func rate() async throws {
        synchronizer.addRenderer(renderer)
        let notes = Notes()
        let observer = NotificationCenter.default.addObserver(
            forName: AVSampleBufferRenderSynchronizer.rateDidChangeNotification, object: synchronizer,
            queue: nil
        ) { note in
            notes.note("\((note.object as? AVSampleBufferRenderSynchronizer)?.rate ?? -1)")
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        synchronizer.rate = 1
        #expect(synchronizer.rate == 1)
        await notes.reached(1)
        #expect(CMTimebaseGetRate(synchronizer.timebase) == 0)
        #expect(synchronizer.currentTime() == .zero)
        renderer.enqueue(try SilentSound.buffer(second: 0))
        #expect(CMTimebaseGetRate(synchronizer.timebase) == 1)
        synchronizer.setRate(0, time: second(7))
        #expect(synchronizer.currentTime() == second(7))
        synchronizer.setRate(0, time: second(8))
        await notes.reached(2)
        #expect(notes.list == ["1.0", "0.0"])
    }

    @Test("a host time in the past starts as if the timeline had run since then")
    func hostTime() {
        synchronizer.addRenderer(renderer)
        let host = CMClockGetTime(CMClockGetHostTimeClock())
        synchronizer.setRate(1, time: second(100), atHostTime: host - second(10))
        #expect(synchronizer.currentTime() >= second(110))
        synchronizer.setRate(1, time: second(100), atHostTime: host + second(3600))
        #expect(synchronizer.currentTime() == second(100))
    }

    @Test("a renderer is added only once")
    func adding() {
        synchronizer.addRenderer(renderer)
        synchronizer.addRenderer(renderer)
        #expect(synchronizer.renderers.count == 1)
        #expect(synchronizer.renderers.first === renderer)
    }

    @Test("removal is immediate for a past or invalid time, and false for an unknown renderer")
    func removing() async {
        for time in [CMTime.invalid, .zero, CMTime(value: -5, timescale: 1)] {
            synchronizer.addRenderer(renderer)
            #expect(await synchronizer.removeRenderer(renderer, at: time))
            #expect(synchronizer.renderers.isEmpty)
            #expect(await synchronizer.removeRenderer(renderer, at: time) == false)
        }
        // The renderer is free for another synchronizer.
        let other = AVSampleBufferRenderSynchronizer()
        other.addRenderer(renderer)
        #expect(other.renderers.count == 1)
    }

    @Test("removal at a future time waits for it; a later call replaces it")
    func removingLater() async {
        let notes = Notes()
        synchronizer.addRenderer(renderer)
        synchronizer.removeRenderer(renderer, at: second(3600)) { notes.note("first \($0)") }
        synchronizer.removeRenderer(renderer, at: second(50)) { notes.note("second \($0)") }
        await notes.reached(1)
        #expect(notes.list == ["first false"])
        #expect(synchronizer.renderers.count == 1)
        // The time passed ten seconds ago.
        let host = CMClockGetTime(CMClockGetHostTimeClock())
        synchronizer.setRate(1, time: second(49), atHostTime: host)
        synchronizer.setRate(1, time: second(49), atHostTime: host - second(10))
        await notes.reached(2)
        #expect(notes.list == ["first false", "second true"])
        #expect(synchronizer.renderers.isEmpty)
    }

    @Test("a seek past the time of a removal removes the renderer")
    func removedByJump() async {
        let notes = Notes()
        synchronizer.addRenderer(renderer)
        synchronizer.removeRenderer(renderer, at: second(50)) { notes.note("removed \($0)") }
        synchronizer.setRate(0, time: second(60))
        await notes.reached(1)
        #expect(notes.list == ["removed true"])
        #expect(synchronizer.renderers.isEmpty)
    }

    @Test("boundary observers fire once each, and not after their removal")
    func boundaries() async {
        let notes = Notes()
        let times = [2, 1, 3].map { NSValue(time: second($0)) }
        let token = synchronizer.addBoundaryTimeObserver(forTimes: times, queue: queue) {
            notes.note("crossed")
        }
        let host = CMClockGetTime(CMClockGetHostTimeClock())
        synchronizer.delaysRateChangeUntilHasSufficientMediaData = false
        synchronizer.setRate(1, time: .zero, atHostTime: host - second(10))
        _ = token
        // All three times have passed, which fires nothing; playback from before them does.
        await drained()
        let before = notes.list.count
        synchronizer.removeTimeObserver(token)
        synchronizer.setRate(1, time: .zero, atHostTime: host - second(10))
        await drained()
        #expect(notes.list.count == before)
        synchronizer.removeTimeObserver("no token")
    }

    @Test("a periodic observer fires with the time of a seek")
    func periodic() async {
        let notes = Notes()
        let token = synchronizer.addPeriodicTimeObserver(forInterval: second(3600), queue: queue) { time in
            notes.note("\(time.seconds)")
        }
        synchronizer.setRate(0, time: second(5))
        await notes.reached(1)
        #expect(notes.list == ["5.0"])
        synchronizer.removeTimeObserver(token)
    }
}
