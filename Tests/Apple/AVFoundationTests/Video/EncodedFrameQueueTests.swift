import Dispatch
import Foundation
import Playback
import Synchronization
import Testing
import TuttiSystemIO
import TuttiTestMedia
import TuttiTestSupport

@testable import AVFoundation

@Suite("Encoded video frames on a virtual clock", .timeLimit(.minutes(5)))
struct EncodedFrameQueueTests {
    let folder: TestFolder
    let time = VirtualFrameClock()
    let decoding = DispatchQueue(label: "decoding")
    let feeder = DispatchQueue(label: "feeder")
    let timebase: CMTimebase
    let queue: VideoFrameQueue
    let sink = NotingSink()

    init() throws {
        folder = try TestFolder()
        timebase = CMTimebase(sourceClock: time.clock)
        queue = VideoFrameQueue(wakeUp: time, clock: time.clock, decodingOn: decoding)
        queue.sink = sink
        #expect(queue.setControlTimebase(timebase))
    }

    /// Two seconds of encoded frames in the order of decoding; the decoder holds two of them back.
    private func frames() async throws -> [CMSampleBuffer] {
        try await FilmFile.h264(isOpen: false).storedFrames(at: folder.file("film.mp4"))
    }

    /// Waits until earlier work of the decoder has run.
    private func decoded() async {
        await withCheckedContinuation { continuation in decoding.async { continuation.resume() } }
    }

    /// Enqueues frames, which are decoded in one run, and waits for that.
    private func enqueue(_ frames: some Sequence<CMSampleBuffer>) async {
        decoding.suspend()
        for frame in frames { queue.enqueue(frame) }
        decoding.resume()
        await decoded()
    }

    /// Moves the time, and carries out what the decoder does meanwhile.
    private func advance(seconds: Double) async {
        time.advance(seconds: seconds)
        await decoded()
        time.advance(seconds: 0)
    }

    /// The sink's notes of frames that are shown in the order of their times.
    private func shown(_ frames: some Sequence<CMSampleBuffer>) -> [String] {
        frames.map(\.presentationTimeStamp).sorted().map { "show \(($0.seconds * 1000).rounded() / 1000)" }
    }

    @Test("the frames that the decoder holds back at the end are shown at their times")
    func lastFrames() async throws {
        let frames = try await frames().prefix(12)
        await enqueue(frames)
        try timebase.setRate(1)
        // Each step ends a millisecond after a frame's time.
        await advance(seconds: 0.001)
        for step in 1...12 {
            #expect(sink.notes.list == Array(shown(frames).prefix(step)))
            await advance(seconds: 0.04)
        }
        #expect(time.secondsToNextCall == nil)
    }

    @Test("a lone frame is shown at its time")
    func loneFrame() async throws {
        let frames = try await frames().prefix(1)
        try timebase.setTime(CMTime(value: -1, timescale: 2))
        try timebase.setRate(1)
        time.advance(seconds: 0)
        await enqueue(frames)
        await advance(seconds: 0.45)
        #expect(sink.notes.list == [])
        await advance(seconds: 0.06)
        #expect(sink.notes.list == shown(frames))
    }

    @Test("late frames are let out of the decoder when no other has followed for a tenth of a second")
    func lateFrames() async throws {
        let frames = try await frames().prefix(2)
        try timebase.setTime(CMTime(value: 10, timescale: 1))
        time.advance(seconds: 0)
        for frame in frames {
            await enqueue([frame])
            await advance(seconds: 0.09)
            #expect(sink.notes.list == [])
        }
        await advance(seconds: 0.02)
        #expect(sink.notes.list.last == shown(frames).last)
    }

    @Test("a removal from a timeline drops the frames that wait to be decoded, and requests others")
    func detach() async throws {
        let frames = try await frames()
        let timeline = PlaybackTimeline(machine: SystemMachine())
        let (queue, requests) = (queue, Notes())
        #expect(queue.attach(to: timeline))
        decoding.suspend()
        for frame in frames { queue.enqueue(frame) }
        #expect(!queue.isReadyForMoreData)
        queue.request(on: feeder) {
            queue.stopRequesting()
            requests.note("request")
        }
        #expect(queue.detach(from: timeline))
        let isReady = queue.isReadyForMoreData
        decoding.resume()
        try #require(isReady)
        time.advance(seconds: 0)
        await requests.reached(1)
        try timebase.setTime(CMTime(value: 60, timescale: 1))
        await advance(seconds: 1)
        #expect(sink.notes.list == [])
    }

    @Test("a flush while a frame is being decoded drops the frame, and none that is enqueued later")
    func flushWhileDecoding() async throws {
        let frames = try await frames().prefix(12)
        let interruption = Mutex<(@Sendable () -> Void)?>(nil)
        let clock = CMClock { [time] in
            let body = interruption.withLock { $0.take() }
            body?()
            return time.now
        }
        let queue = queue
        #expect(queue.setControlTimebase(CMTimebase(sourceClock: clock)))
        time.advance(seconds: 0)
        decoding.suspend()
        for frame in frames { queue.enqueue(frame) }
        // The queue reads the time when it takes the first decoded frame.
        interruption.withLock { $0 = { queue.flush() } }
        decoding.resume()
        await decoded()
        let isInterrupted = interruption.withLock { $0 == nil }
        #expect(isInterrupted)
        await advance(seconds: 0)
        #expect(sink.notes.list == [])
        await enqueue(frames)
        await advance(seconds: 0)
        #expect(sink.notes.list == ["show 0.0"])
    }

    @Test("an error of a frame that a flush drops meanwhile fails nothing", arguments: [false, true])
    func flushWhileFailing(isFlushed: Bool) async throws {
        // Without set-up bytes this decoder does not open.
        let format = try CMFormatDescription(
            videoCodecType: CMFormatDescription.MediaSubType(rawValue: 0), width: 64, height: 64,
            extensions: [
                .init(rawValue: "TuttiCodecName" as NSString): .init(rawValue: "wmv3" as NSString)
            ])
        let block = try CMBlockBuffer(length: 4, flags: .assureMemoryNow)
        let frame = try CMSampleBuffer(
            dataBuffer: block, formatDescription: format, numSamples: 1,
            sampleTimings: [
                CMSampleTimingInfo(
                    duration: CMTime(value: 1, timescale: 25), presentationTimeStamp: .zero,
                    decodeTimeStamp: .invalid)
            ], sampleSizes: [4])
        let (queue, failures) = (queue, Notes())
        var events = VideoFrameQueue.Events()
        events.didFail = [{ _ in failures.note("failed") }]
        events.changeStatus = { change in
            // The first change is that to `rendering`.
            if isFlushed, queue.status == .rendering { queue.flush() }
            change()
        }
        queue.setEvents(events)
        await enqueue([frame])
        #expect(queue.status == (isFlushed ? .rendering : .failed))
        #expect(failures.list == (isFlushed ? [] : ["failed"]))
    }

    @Test("an end that is told while the decoder finishes its work lets the last frames out")
    func lateEnd() async throws {
        let frames = try await frames().prefix(4)
        let notes = Notes()
        let checks = Atomic(0)
        let end = Mutex<(@Sendable () -> Void)?>(nil)
        let decoder = SampleBufferDecoder(
            SampleBufferDecoder.Events(
                decoded: { frame, _ in
                    notes.note("show \((frame.presentationTimeStamp.seconds * 1000).rounded() / 1000)")
                },
                failed: { _, _ in },
                hasRoom: {
                    // The check after the last frame.
                    guard checks.add(1, ordering: .relaxed).newValue == 5 else { return true }
                    notes.note("end")
                    let body = end.withLock { $0.take() }
                    body?()
                    return false
                },
                progressed: {}, ranOut: {}),
            on: decoding)
        end.withLock { $0 = { decoder.complete() } }
        decoding.suspend()
        for frame in frames { decoder.enqueue(frame) }
        decoding.resume()
        // The second run is scheduled by the first.
        await decoded()
        await decoded()
        #expect(notes.list.filter { $0 != "end" } == shown(frames))
        #expect(notes.list.firstIndex(of: "end").map { $0 < frames.count } == true)
    }
}
