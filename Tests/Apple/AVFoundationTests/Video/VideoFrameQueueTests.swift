import Dispatch
import Foundation
import Playback
import Testing
import TuttiSystemIO

@testable import AVFoundation

@Suite("Video frames on a virtual clock")
struct VideoFrameQueueTests {
    let time = VirtualFrameClock()
    let timebase: CMTimebase
    let queue: VideoFrameQueue
    let sink: NotingSink

    init() throws {
        timebase = CMTimebase(sourceClock: time.clock)
        queue = VideoFrameQueue(wakeUp: time, clock: time.clock)
        sink = NotingSink(timebase: timebase)
        queue.sink = sink
        #expect(queue.setControlTimebase(timebase))
    }

    @Test("a setting that is changed while the sink gets others reaches it, too")
    func settingMeanwhile() {
        let sink = AnsweringSink { [queue] in queue.changeSinkSettings { $0.gravity = .resize } }
        queue.sink = sink
        time.advance(seconds: 0)
        #expect(sink.gravities.list == ["resize"])
    }

    @Test("frames are delivered when the timebase reaches their time")
    func onTime() throws {
        for tenth in 0..<5 { queue.enqueue(try EmptyFrame.at(Double(tenth) / 10)) }
        time.advance(seconds: 10)
        #expect(sink.notes.list == ["show 0.0 at 0.0"])
        try timebase.setRate(1)
        time.advance(seconds: 0.25)
        #expect(sink.notes.list.dropFirst() == ["show 0.1 at 0.1", "show 0.2 at 0.2"])
        #expect(abs((time.secondsToNextCall ?? 0) - 0.05) < 1e-6)
        time.advance(seconds: 10)
        #expect(sink.notes.list.suffix(2) == ["show 0.3 at 0.3", "show 0.4 at 0.4"])
        #expect(time.secondsToNextCall == nil)
    }

    @Test("frames follow the rate", arguments: [0.5, 2])
    func rate(_ rate: Double) throws {
        try timebase.setRate(rate)
        queue.enqueue(try EmptyFrame.at(0.6))
        time.advance(seconds: 0)
        #expect(abs((time.secondsToNextCall ?? 0) - min(1, 0.6 / rate)) < 1e-6)
        time.advance(seconds: 0.59 / rate)
        #expect(sink.notes.list == [])
        time.advance(seconds: 0.02 / rate)
        #expect(sink.notes.list == ["show 0.6 at 0.6"])
    }

    @Test("frames wait for a future start, and stop with the timebase")
    func startsAndStops() throws {
        queue.enqueue(try EmptyFrame.at(0))
        queue.enqueue(try EmptyFrame.at(0.1))
        queue.enqueue(try EmptyFrame.at(0.2))
        try timebase.setRateAndAnchorTime(
            rate: 1, anchorTime: .zero, referenceTime: CMTime(seconds: 5, preferredTimescale: 1000))
        time.advance(seconds: 4.99)
        #expect(sink.notes.list == [])
        time.advance(seconds: 0.16)
        try timebase.setRate(0)
        time.advance(seconds: 100)
        #expect(sink.notes.list == ["show 0.0 at 0.0", "show 0.1 at 0.1"])
    }

    @Test("frames that a seek passes are skipped, except the last")
    func jump() throws {
        for tenth in 1...4 { queue.enqueue(try EmptyFrame.at(Double(tenth) / 10)) }
        try timebase.setTime(CMTime(seconds: 0.35, preferredTimescale: 1000))
        time.advance(seconds: 0)
        #expect(sink.notes.list == ["skip 0.1 at 0.35", "skip 0.2 at 0.35", "show 0.3 at 0.35"])
        try timebase.setTime(.zero)
        time.advance(seconds: 0)
        #expect(sink.notes.list.count == 3)
    }

    @Test("frames are delivered in time order, whatever their enqueue order")
    func decodeOrder() throws {
        for seconds in [0.1, 0.4, 0.2, 0.3] { queue.enqueue(try EmptyFrame.at(seconds)) }
        try timebase.setRate(1)
        time.advance(seconds: 1)
        #expect(sink.notes.list.map { $0.prefix(8) } == ["show 0.1", "show 0.2", "show 0.3", "show 0.4"])
    }

    @Test("an earlier frame that is enqueued later is still on time")
    func earlierFrame() throws {
        try timebase.setRate(1)
        queue.enqueue(try EmptyFrame.at(0.5))
        time.advance(seconds: 0.1)
        queue.enqueue(try EmptyFrame.at(0.2))
        time.advance(seconds: 1)
        #expect(sink.notes.list == ["show 0.2 at 0.2", "show 0.5 at 0.5"])
    }

    @Test("a frame that comes after a later one was shown is skipped, unless the time goes back")
    func tooLate() throws {
        try timebase.setRate(1)
        queue.enqueue(try EmptyFrame.at(0.3))
        time.advance(seconds: 0.4)
        queue.enqueue(try EmptyFrame.at(0.2))
        time.advance(seconds: 0)
        #expect(sink.notes.list == ["show 0.3 at 0.3", "skip 0.2 at 0.4"])
        try timebase.setTime(CMTime(seconds: 0.25, preferredTimescale: 1000))
        queue.enqueue(try EmptyFrame.at(0.2))
        time.advance(seconds: 0)
        #expect(sink.notes.list.last == "show 0.2 at 0.25")
    }

    @Test("frames marked for immediate display are shown at once or never; frames without a time are dropped")
    func attachments() throws {
        queue.enqueue(try EmptyFrame.at(50, attachments: [.displayImmediately]))
        queue.enqueue(try EmptyFrame.at(0, attachments: [.doNotDisplay]))
        queue.enqueue(try EmptyFrame.at(.nan))
        time.advance(seconds: 0)
        #expect(sink.notes.list == ["skip 0.0 at 0.0", "show 50.0 at 0.0"])
    }

    @Test("the queue is full at one second of frames, and requests more below three quarters of it")
    func marks() throws {
        for tenth in 0..<9 { queue.enqueue(try EmptyFrame.at(1 + Double(tenth) / 10)) }
        #expect(queue.isReadyForMoreData)
        queue.enqueue(try EmptyFrame.at(1.9))
        #expect(!queue.isReadyForMoreData)
        try timebase.setRate(1)
        time.advance(seconds: 1.15)
        #expect(!queue.isReadyForMoreData)
        time.advance(seconds: 0.1)
        #expect(queue.isReadyForMoreData)
    }

    @Test("large frames and frames without a duration are limited, too")
    func limits() throws {
        for frame in 0..<VideoFrames.fullCount {
            #expect(queue.isReadyForMoreData)
            queue.enqueue(try EmptyFrame.at(1 + Double(frame) / 1000, lasting: 0))
        }
        #expect(!queue.isReadyForMoreData)
        queue.flush()
        #expect(queue.isReadyForMoreData)
        // Memory that is never written is not allocated.
        queue.enqueue(try EmptyFrame.at(1, byteCount: VideoFrames.fullByteCount))
        #expect(!queue.isReadyForMoreData)
    }

    @Test("a quarter of a second suffices to start, or less at the end of data")
    func sufficient() throws {
        queue.enqueue(try EmptyFrame.at(0, lasting: 0.2))
        #expect(!queue.hasSufficientData)
        queue.enqueue(try EmptyFrame.at(0.2, lasting: 0.1))
        #expect(queue.hasSufficientData)
        queue.flush()
        #expect(!queue.hasSufficientData)
        queue.request(on: DispatchQueue(label: "feeder")) {}
        queue.stopRequesting()
        #expect(queue.hasSufficientData)
    }

    @Test("a flush drops frames, a full flush the picture as well, after all that was shown")
    func flushes() async throws {
        queue.enqueue(try EmptyFrame.at(0))
        queue.enqueue(try EmptyFrame.at(0.1))
        time.advance(seconds: 0)
        queue.flush()
        try timebase.setRate(1)
        time.advance(seconds: 1)
        #expect(sink.notes.list == ["show 0.0 at 0.0"])
        queue.flushAndRemoveImage(completionHandler: { [sink] in sink.notes.note("done") })
        queue.enqueue(try EmptyFrame.at(1))
        time.advance(seconds: 0)
        #expect(sink.notes.list.dropFirst() == ["remove", "done", "show 1.0 at 1.0"])
    }

    @Test("a timeline takes over the time, and a removal drops the frames meant for it")
    func timelines() throws {
        let timeline = PlaybackTimeline(machine: SystemMachine())
        let other = PlaybackTimeline(machine: SystemMachine())
        #expect(queue.attach(to: timeline))
        #expect(queue.attach(to: timeline))
        #expect(!queue.attach(to: other))
        #expect(queue.timebase === timeline.timebase)
        #expect(!queue.setControlTimebase(nil))
        queue.enqueue(try EmptyFrame.at(20))
        time.advance(seconds: 0)
        timeline.setRate(0, time: CMTime(value: 10, timescale: 1), hostTime: nil)
        time.advance(seconds: 0)
        #expect(sink.notes.list == [])
        timeline.setRate(0, time: CMTime(value: 20, timescale: 1), hostTime: nil)
        time.advance(seconds: 0)
        #expect(sink.notes.list == ["show 20.0 at 0.0"])
        queue.enqueue(try EmptyFrame.at(30))
        #expect(!queue.detach(from: other))
        #expect(queue.detach(from: timeline))
        #expect(!queue.detach(from: timeline))
        #expect(queue.timebase === timebase)
        try timebase.setTime(CMTime(value: 40, timescale: 1))
        time.advance(seconds: 0)
        #expect(sink.notes.list.count == 1)
        #expect(queue.attach(to: other))
    }

    @Test("frames follow a timebase whose source starts or jumps")
    func sourceStarts() throws {
        let source = CMTimebase(sourceClock: time.clock)
        let follower = CMTimebase(sourceTimebase: CMTimebase(sourceTimebase: source))
        try follower.setRate(1)
        try #require(follower.sourceTimebase).setRate(1)
        let sink = NotingSink(timebase: follower)
        queue.sink = sink
        #expect(queue.setControlTimebase(follower))
        time.advance(seconds: 0)
        #expect(time.secondsToNextCall == nil)
        queue.enqueue(try EmptyFrame.at(0.5))
        queue.enqueue(try EmptyFrame.at(20))
        time.advance(seconds: 10)
        #expect(sink.notes.list == [])
        try source.setRate(1)
        time.advance(seconds: 0.5)
        #expect(sink.notes.list == ["show 0.5 at 0.5"])
        try source.setTime(CMTime(value: 20, timescale: 1))
        time.advance(seconds: 0)
        #expect(sink.notes.list.last == "show 20.0 at 20.0")
    }

    @Test("frames follow a standing timebase whose source is replaced, after a second at most")
    func sourceReplaced() throws {
        let (standing, moving) = (CMTimebase(sourceClock: time.clock), CMTimebase(sourceClock: time.clock))
        let follower = CMTimebase(sourceTimebase: standing)
        try follower.setRate(1)
        try moving.setRate(1)
        #expect(queue.setControlTimebase(follower))
        queue.enqueue(try EmptyFrame.at(0.5))
        time.advance(seconds: 3.2)
        #expect(sink.notes.list == [])
        follower.source = moving
        time.advance(seconds: 1.5)
        #expect(sink.notes.list.map { $0.prefix(8) } == ["show 0.5"])
    }

    @Test("without a timebase host time counts")
    func hostTime() throws {
        #expect(queue.setControlTimebase(nil))
        time.advance(seconds: 7)
        #expect(queue.timebase.time == CMTime(value: 7, timescale: 1))
        queue.enqueue(try EmptyFrame.at(8))
        time.advance(seconds: 0.99)
        #expect(sink.notes.list == [])
        time.advance(seconds: 0.01)
        #expect(sink.notes.list == ["show 8.0 at 0.0"])
    }

    @Test("a deallocated queue gets no more callbacks")
    func lifetime() throws {
        weak var gone: VideoFrameQueue?
        do {
            let queue = VideoFrameQueue(wakeUp: time, clock: time.clock)
            gone = queue
            #expect(queue.setControlTimebase(timebase))
            queue.enqueue(try EmptyFrame.at(1))
        }
        #expect(gone == nil)
        try timebase.setRate(1)
        time.advance(seconds: 5)
    }
}

/// A sink that does something when it gets its first setting.
private final class AnsweringSink: TuttiVideoFrameSink {
    let gravities = Notes()
    private let answer: @Sendable () -> Void

    init(answer: @escaping @Sendable () -> Void) { self.answer = answer }

    func show(_ frame: CMSampleBuffer) {}
    func removeImage() {}
    func setKeepsDisplayAwake(_ keepsAwake: Bool) { answer() }
    func setVideoGravity(_ gravity: AVLayerVideoGravity) {
        gravities.note(gravity == .resize ? "resize" : "another")
    }
}
