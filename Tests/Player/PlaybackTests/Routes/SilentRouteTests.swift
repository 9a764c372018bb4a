import CoreMedia
import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import Playback

@Suite("A silent route")
struct SilentRouteTests {
    let clock = ManualClock()
    let queue: RenderQueue
    let timeline: PlaybackTimeline

    init() {
        queue = RenderQueue(route: SilentRoute(machine: SystemMachine(clock: clock)))
        timeline = PlaybackTimeline(machine: SystemMachine(clock: clock))
        _ = timeline.add(queue)
    }

    private func fill(from second: Int64, count: Int64) throws {
        for index in 0..<count {
            queue.enqueue(
                try Buffers.pcm(
                    Sound.silence(44_100, like: Sound.noise(1)),
                    at: CMTime(value: second + index, timescale: 1)))
        }
    }

    @Test("a silent route requests four seconds of sound, and more when three are left")
    func marks() throws {
        #expect(queue.isReadyForMoreData)
        try fill(from: 0, count: 3)
        #expect(queue.isReadyForMoreData)
        try fill(from: 3, count: 1)
        #expect(!queue.isReadyForMoreData)
        timeline.setRate(1, time: .zero, hostTime: nil)
        clock.advance(by: .milliseconds(900))
        #expect(!queue.isReadyForMoreData)
        clock.advance(by: .milliseconds(200))
        #expect(queue.isReadyForMoreData)
        try fill(from: 4, count: 2)
        #expect(!queue.isReadyForMoreData)
    }

    @Test("a jump to a position with little sound left requests more while it waits")
    func jump() throws {
        try fill(from: 0, count: 4)
        timeline.setRate(1, time: .zero, hostTime: nil)
        #expect(timeline.isRunning)
        let (queue, calls) = (SerialQueue(label: "requests"), Recorder(0))
        self.queue.request(on: queue) { [renderQueue = self.queue] in
            calls.update { $0 += 1 }
            renderQueue.pauseRequesting()
        }
        queue.sync {}
        #expect(calls.value == 0)
        timeline.setRate(1, time: CMTime(value: 38, timescale: 10), hostTime: nil)
        queue.sync {}
        #expect(!timeline.isRunning)
        #expect(calls.value == 1)
    }

    @Test("a silent route accepts data even if it is not ready")
    func surplus() throws {
        try fill(from: 0, count: 20)
        timeline.setRate(1, time: .zero, hostTime: nil)
        clock.advance(by: .seconds(16))
        #expect(!queue.isReadyForMoreData)
        clock.advance(by: .seconds(1))
        #expect(queue.isReadyForMoreData)
    }

    @Test("a start needs half a second of sound, or all there is")
    func sufficient() throws {
        #expect(!queue.hasSufficientData(at: .zero))
        queue.enqueue(try Buffers.pcm(Sound.noise(1000), at: .zero))
        #expect(!queue.hasSufficientData(at: .zero))
        queue.request(on: SerialQueue(label: "none")) {}
        queue.stopRequesting()
        #expect(queue.hasSufficientData(at: .zero))
        queue.flush()
        #expect(!queue.hasSufficientData(at: .zero))
        try fill(from: 0, count: 1)
        #expect(queue.hasSufficientData(at: .zero))
        #expect(!queue.hasSufficientData(at: CMTime(value: 6, timescale: 10)))
    }

    @Test("flushed sound does not return after a change of the output")
    func flushedSound() async throws {
        let route = SilentRoute(machine: SystemMachine(clock: clock))
        route.enqueue(try Buffers.pcm(Sound.noise(44_100), at: .zero))
        let half = CMTime(value: 1, timescale: 2)
        let isDone = await withCheckedContinuation { continuation in
            route.flush(from: half) { continuation.resume(returning: $0) }
        }
        #expect(isDone)
        let kept = try #require(route.detach(at: .zero))
        #expect(kept.count == 1)
        #expect(kept.first?.outputDuration == half)
    }

    @Test(
        "a flush from a time needs a margin of a quarter of a second",
        arguments: [(0.9, false), (1.2, false), (1.26, true), (3, true)])
    func flushFrom(second: Double, isDone: Bool) async throws {
        try fill(from: 0, count: 5)
        timeline.setRate(1, time: .zero, hostTime: nil)
        clock.advance(by: .seconds(1))
        let time = CMTime(seconds: second, preferredTimescale: 1000)
        #expect(await queue.flush(from: time) == isDone)
        #expect(queue.isReadyForMoreData == isDone)
    }

    @Test(
        "buffers without a numeric time are dropped",
        arguments: [CMTime.invalid, .positiveInfinity, .indefinite])
    func noTimes(time: CMTime) throws {
        for _ in 0..<10 { queue.enqueue(try Buffers.pcm(Sound.noise(44_100), at: time)) }
        #expect(queue.isReadyForMoreData)
    }
}
