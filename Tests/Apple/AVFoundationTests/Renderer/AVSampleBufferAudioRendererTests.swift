import Dispatch
import Foundation
import Playback
import Testing

@testable import AVFoundation

@Suite("The audio renderer on the silent route")
struct AVSampleBufferAudioRendererTests {
    let renderer = AVSampleBufferAudioRenderer(queue: RenderQueue(route: SilentRoute()))
    let synchronizer = AVSampleBufferRenderSynchronizer()

    init() { synchronizer.addRenderer(renderer) }

    @Test("a new renderer has unknown status, is ready and at full volume")
    func begins() {
        #expect(renderer.status == .unknown)
        #expect(renderer.error == nil)
        #expect(renderer.isReadyForMoreMediaData)
        #expect(!renderer.hasSufficientMediaDataForReliablePlaybackStart)
        #expect(renderer.volume == 1)
        #expect(!renderer.isMuted)
    }

    @Test("status changes are observable: rendering, failed, and unknown after a flush")
    func status() throws {
        let notes = Notes()
        let observation = renderer.observe(\.status, options: [.initial, .new]) { renderer, change in
            notes.note("\(renderer.status) \(renderer.error == nil ? "" : "error")")
        }
        renderer.enqueue(try SilentSound.buffer(second: 0))
        renderer.enqueue(try SilentSound.buffer(second: 1))
        renderer.queue.routeDidFail(CocoaError(.coderInvalidValue))
        #expect(!renderer.isReadyForMoreMediaData)
        renderer.enqueue(try SilentSound.buffer(second: 2))
        renderer.flush()
        observation.invalidate()
        renderer.enqueue(try SilentSound.buffer(second: 0))
        #expect(notes.list == ["unknown ", "rendering ", "failed error", "unknown "])
    }

    @Test("an automatic flush posts its time")
    func automaticFlush() async {
        let notes = Notes()
        let observer = NotificationCenter.default.addObserver(
            forName: .AVSampleBufferAudioRendererWasFlushedAutomatically, object: renderer, queue: nil
        ) { notification in
            let time = (notification.userInfo?[AVSampleBufferAudioRendererFlushTimeKey] as? NSValue)?
                .timeValue
            notes.note("\(time?.seconds ?? -1)")
        }
        renderer.queue.routeDidFlush(from: CMTime(value: 5, timescale: 2))
        await notes.reached(1)
        NotificationCenter.default.removeObserver(observer)
        renderer.queue.routeDidFlush(from: .zero)
        #expect(notes.list == ["2.5"])
    }

    @Test("a flush from a time works with a handler and async")
    func flushFrom() async throws {
        for second in 0..<4 { renderer.enqueue(try SilentSound.buffer(second: Int64(second))) }
        #expect(!renderer.isReadyForMoreMediaData)
        let (renderer, two) = (renderer, CMTime(value: 2, timescale: 1))
        let isDone = await withCheckedContinuation { continuation in
            renderer.flush(fromSourceTime: two) { continuation.resume(returning: $0) }
        }
        #expect(isDone)
        #expect(renderer.isReadyForMoreMediaData)
        #expect(await renderer.flush(fromSourceTime: .zero) == false)
        #expect(await renderer.flush(fromSourceTime: .invalid) == false)
        #expect(
            await AVSampleBufferAudioRenderer(queue: RenderQueue(route: SilentRoute())).flush(
                fromSourceTime: two) == false)
    }

    @Test("the timebase is the synchronizer's, or runs standalone")
    func timebase() async {
        #expect(renderer.timebase === synchronizer.timebase)
        // Both results may be discarded.
        await renderer.flush(fromSourceTime: .zero)
        await synchronizer.removeRenderer(renderer, at: .invalid)
        #expect(synchronizer.renderers.isEmpty)
        #expect(renderer.timebase !== synchronizer.timebase)
        #expect(CMTimebaseGetRate(renderer.timebase) == 0)
    }

    @Test("a loop on isReadyForMoreMediaData alone ends after the stop")
    func loop() async throws {
        let notes = Notes()
        let renderer = renderer
        let buffer = try SilentSound.buffer(second: 0, frames: 100)
        renderer.requestMediaDataWhenReady(on: DispatchQueue(label: "feeder")) {
            var left = 2
            while renderer.isReadyForMoreMediaData {
                left -= 1
                if left < 0 { renderer.stopRequestingMediaData() } else { renderer.enqueue(buffer) }
            }
            notes.note("done")
        }
        await notes.reached(1)
        #expect(renderer.hasSufficientMediaDataForReliablePlaybackStart)
    }
}
