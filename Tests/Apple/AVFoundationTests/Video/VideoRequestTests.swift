import Dispatch
import Foundation
import Synchronization
import Testing

@testable import AVFoundation

@Suite("Requests of a video renderer")
struct VideoRequestTests {
    let time = VirtualFrameClock()
    let queue: VideoFrameQueue
    let feeder = DispatchQueue(label: "feeder")
    let timebase: CMTimebase

    init() {
        timebase = CMTimebase(sourceClock: time.clock)
        queue = VideoFrameQueue(wakeUp: time, clock: time.clock)
        _ = queue.setControlTimebase(timebase)
    }

    /// Waits until earlier work on the feeding queue has run.
    private func fed() async {
        await withCheckedContinuation { continuation in feeder.async { continuation.resume() } }
    }

    @Test("requests fill the queue, and continue as time passes")
    func feeding() async throws {
        let count = Atomic(0)
        try await confirmation(expectedCount: 2) { ran in
            let queue = queue
            queue.request(on: feeder) {
                ran()
                while queue.isReadyForMoreData {
                    let frame = count.add(1, ordering: .relaxed).oldValue
                    guard let buffer = try? EmptyFrame.at(1 + Double(frame) / 10) else { return }
                    queue.enqueue(buffer)
                }
            }
            await fed()
            #expect(count.load(ordering: .relaxed) == 10)
            try timebase.setRate(1)
            time.advance(seconds: 1.25)
            await fed()
            #expect(count.load(ordering: .relaxed) == 13)
            queue.stopRequesting()
            time.advance(seconds: 10)
            await fed()
        }
    }

    @Test("a loop on isReadyForMoreMediaData alone ends after the stop inside it")
    func stopInside() async throws {
        let queue = queue
        let notes = Notes()
        queue.request(on: feeder) {
            while queue.isReadyForMoreData { queue.stopRequesting() }
            notes.note("returned")
        }
        await notes.reached(1)
        await fed()
        #expect(queue.isReadyForMoreData)
        #expect(notes.list == ["returned"])
    }

    @Test("a replaced block no longer runs")
    func replaced() async throws {
        let notes = Notes()
        let queue = queue
        feeder.suspend()
        queue.request(on: feeder) { notes.note("first") }
        queue.request(on: feeder) {
            notes.note("second")
            queue.stopRequesting()
        }
        feeder.resume()
        await notes.reached(1)
        await fed()
        #expect(notes.list == ["second"])
    }

    @Test("a frame whose data cannot be made ready fails the renderer until a flush")
    func failure() async throws {
        let renderer = AVSampleBufferVideoRenderer(frames: queue)
        let notes = Notes()
        let status = renderer.observe(\.status, options: [.initial]) { renderer, _ in
            notes.note("\(renderer.status) \(renderer.error == nil ? "" : "error")")
        }
        let failed = NotificationCenter.default.addObserver(
            forName: AVSampleBufferVideoRenderer.didFailToDecodeNotification, object: renderer, queue: nil
        ) { note in
            let error = note.userInfo?[AVSampleBufferVideoRenderer.didFailToDecodeNotificationErrorKey]
            notes.note("\((error as? AVError)?.code == .decodeFailed)")
        }
        defer { NotificationCenter.default.removeObserver(failed) }
        renderer.enqueue(try EmptyFrame.at(0))
        let broken = try CMSampleBuffer(
            dataBuffer: nil, dataReady: false, formatDescription: nil, numSamples: 0, sampleTimings: [],
            sampleSizes: []
        ) { _ in throw CocoaError(.fileReadCorruptFile) }
        renderer.enqueue(broken)
        #expect(!renderer.isReadyForMoreMediaData)
        renderer.enqueue(try EmptyFrame.at(1))
        renderer.flush()
        #expect(renderer.isReadyForMoreMediaData)
        status.invalidate()
        #expect(notes.list == ["unknown ", "rendering ", "failed error", "true", "unknown "])
    }
}
