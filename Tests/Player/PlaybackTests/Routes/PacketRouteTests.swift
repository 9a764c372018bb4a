import CoreMedia
import Testing
import TuttiMediaTime
import TuttiPCM
import TuttiTestSupport

@testable import Playback

@Suite("A route to this machine's device")
struct PacketRouteTests {
    let clock = ManualClock()
    let output = ScriptedPacketOutput()
    let route: PacketRoute
    /// Ten seconds.
    let sound = Sound.noise(441_000)

    init() { route = PacketRoute(output: output, policy: WireFormatPolicy(), depth: .local, clock: clock) }

    private func enqueue(seconds: Range<Int>) throws {
        for second in seconds {
            let part = sound[second * 44_100..<(second + 1) * 44_100]
            route.enqueue(try Buffers.pcm(part, at: Buffers.time(Int64(second) * 44_100)))
        }
    }

    private func start(at seconds: Int64, rate: Double = 1) async {
        route.start(at: CMTime(value: seconds, timescale: 1), rate: rate, hostTime: nil) { _ in }
        await route.settle()
        output.answerStart(at: clock.now)
    }

    @Test("samples are output unchanged")
    func exact() async throws {
        try enqueue(seconds: 0..<3)
        route.endOfData()
        await route.settle()
        #expect(output.sound == Sound.float(sound[0..<132_300]))
    }

    @Test("readiness ends at 4 s ahead and returns at 3 s")
    func marks() async throws {
        try enqueue(seconds: 0..<3)
        #expect(route.isReadyForMoreData)
        try enqueue(seconds: 3..<4)
        #expect(!route.isReadyForMoreData)
        await start(at: 0)
        clock.advance(by: .milliseconds(900))
        #expect(!route.isReadyForMoreData)
        clock.advance(by: .milliseconds(200))
        #expect(route.isReadyForMoreData)
        // Sound enqueued beyond the mark is kept.
        try enqueue(seconds: 4..<10)
        #expect(!route.isReadyForMoreData)
    }

    @Test("the marks count from the first sound if it lies ahead of the playhead")
    func distantStart() throws {
        for second in 100..<103 {
            route.enqueue(try Buffers.pcm(sound[0..<44_100], at: Buffers.time(Int64(second) * 44_100)))
        }
        #expect(route.isReadyForMoreData)
    }

    @Test("a start needs half a second of sound, or all there is")
    func sufficient() async throws {
        route.enqueue(try Buffers.pcm(sound[0..<17_640], at: .zero))
        await route.settle()
        #expect(!route.hasSufficientData(at: .zero))
        route.endOfData()
        await route.settle()
        #expect(route.hasSufficientData(at: .zero))
        // After the end of data no start waits, not even when all sound has been heard.
        #expect(route.hasSufficientData(at: CMTime(value: 1, timescale: 1)))
    }

    @Test("a flush from a time behind or near the playhead is refused and changes nothing")
    func cutMargin() async throws {
        try enqueue(seconds: 0..<4)
        await start(at: 0)
        clock.advance(by: .seconds(2))
        for milliseconds: Int64 in [0, 1999, 2240] {
            #expect(await route.flush(from: CMTime(value: milliseconds, timescale: 1000)) == false)
        }
        #expect(output.sound == Sound.float(sound[0..<output.store.endFrame.map(Int.init)!]))
        #expect(await route.flush(from: CMTime(value: 2260, timescale: 1000)))
        let cut = 44_100 * 226 / 100
        #expect(!output.calls.filter { if case .cut = $0 { true } else { false } }.isEmpty)
        route.enqueue(try Buffers.pcm(sound[300_000..<344_100], at: Buffers.time(Int64(cut))))
        route.endOfData()
        await route.settle()
        let heard = try #require(output.sound)
        let begin = Int(output.store.startFrame ?? 0)
        #expect(heard[0..<cut - begin] == Sound.float(sound[begin..<cut]))
        #expect(heard[cut - begin..<heard.frameCount] == Sound.float(sound[300_000..<344_100]))
    }

    @Test("the second of two concurrent flushes waits for the first")
    func twoCuts() async throws {
        try enqueue(seconds: 0..<4)
        await start(at: 0)
        async let first = route.flush(from: CMTime(value: 3, timescale: 1))
        async let second = route.flush(from: CMTime(value: 2, timescale: 1))
        let (one, other) = await (first, second)
        #expect(one && other)
        await route.settle()
        #expect(output.store.endFrame.map { $0 <= 88_200 } == true)
    }

    @Test("a flush before all queued sound makes room for earlier sound")
    func cutBeforeFirst() async throws {
        try enqueue(seconds: 10..<14)
        await start(at: 0)
        #expect(await route.flush(from: CMTime(value: 5, timescale: 1)))
        route.enqueue(try Buffers.pcm(sound[220_500..<264_600], at: Buffers.time(220_500)))
        route.endOfData()
        await route.settle()
        #expect(output.store.startFrame == 220_500)
        #expect(output.sound == Sound.float(sound[220_500..<264_600]))
    }

    @Test("a start at sound that waits behind a full store makes room for it at once")
    func startBehindFullStore() async throws {
        let output = ScriptedPacketOutput(largestBuffer: 1 << 20)
        let route = PacketRoute(output: output, policy: WireFormatPolicy(), depth: .local, clock: clock)
        for second in 0..<10 {
            let part = sound[second * 44_100..<(second + 1) * 44_100]
            route.enqueue(try Buffers.pcm(part, at: Buffers.time(Int64(second) * 44_100)))
            // With the first sound the route asks for the size.
            if second == 0 { await route.settle() }
        }
        route.endOfData()
        await route.settle()
        #expect(output.store.endFrame.map { $0 < 8 * 44_100 } == true)
        route.start(at: CMTime(value: 9, timescale: 1), rate: 1, hostTime: nil) { _ in }
        await route.settle()
        #expect(output.store.endFrame == 441_000)
    }

    @Test("a detached route returns the buffers that were not heard, for another route")
    func detach() async throws {
        try enqueue(seconds: 0..<4)
        await start(at: 0)
        clock.advance(by: .milliseconds(2500))
        let kept = route.detach(at: CMTime(value: 5, timescale: 2))
        #expect(kept?.map(\.presentationTimeStamp.seconds) == [2, 3])
        await route.settle()
        #expect(output.calls.contains(.stop(110_250)))
        #expect(output.store.endFrame == nil)
        #expect(!output.calls.contains(.end))
    }

    @Test("a detached route does not return sound that was cut")
    func detachAfterCut() async throws {
        try enqueue(seconds: 0..<4)
        await start(at: 0)
        #expect(await route.flush(from: CMTime(value: 25, timescale: 10)))
        let kept = try #require(route.detach(at: .zero))
        #expect(kept.last?.outputDuration.seconds == 0.5)
    }

    @Test("sound behind a flush that comes before a start is answered is heard on the start's line")
    func flushUnderStart() async throws {
        try enqueue(seconds: 0..<2)
        route.start(at: .zero, rate: 1, hostTime: nil) { _ in }
        route.flush()
        try enqueue(seconds: 2..<4)
        await route.settle()
        #expect(output.anchors.value == 0)
        output.answerStart(at: clock.now)
        #expect(output.anchors.value == 1)
    }

    @Test("the same sound takes a different time at another rate, from the start on", arguments: [0.5, 2])
    func speed(rate: Double) async throws {
        try enqueue(seconds: 0..<4)
        await route.settle()
        await start(at: 2, rate: rate)
        route.endOfData()
        await route.settle()
        #expect(output.calls.contains(.start(88_200, nil)))
        let end = try #require(output.store.endFrame)
        #expect(abs(Double(end - 88_200) - 2 * 44_100 / rate) <= 2)
        output.answerStart(at: clock.now)
        clock.advance(by: .seconds(1))
        // Two seconds, less the sound played at this rate, are ahead.
        #expect(
            route.detach(at: CMTime(seconds: 2 + rate, preferredTimescale: 600))?.count == (rate == 2 ? 0 : 2)
        )
    }

    @Test("a stopped output is notified of a new start position, so that it can prepare there")
    func movesWhileStopped() async throws {
        try enqueue(seconds: 0..<4)
        // Before the first start there is nothing to report.
        route.stop(at: CMTime(value: 1, timescale: 1))
        await start(at: 0)
        route.stop(at: CMTime(value: 1, timescale: 1))
        route.stop(at: CMTime(value: 1, timescale: 1))
        route.stop(at: CMTime(value: 3, timescale: 1))
        await route.settle()
        #expect(output.calls == [.start(0, nil), .stop(44_100), .stop(132_300)])
    }

    @Test("a deallocated route ends its output")
    func end() async {
        let output = ScriptedPacketOutput()
        do { _ = PacketRoute(output: output, policy: WireFormatPolicy(), depth: .local, clock: clock) }
        #expect(output.calls == [.end])
    }

    @Test("sound that only speakers hold, packed for another rate, is reported as missing")
    func lostAtAnotherRate() async throws {
        let route = PacketRoute(output: output, policy: WireFormatPolicy(), depth: .buffered, clock: clock)
        let client = FlushCounter()
        route.attach(client)
        for (first, rate) in [(0, 1.0), (2, 2.0), (4, 2.0)] {
            for second in first..<first + 2 {
                let part = sound[second * 44_100..<(second + 1) * 44_100]
                route.enqueue(try Buffers.pcm(part, at: Buffers.time(Int64(second) * 44_100)))
            }
            await route.settle()
            let time = CMTime(value: CMTimeValue(first), timescale: 1)
            route.start(at: time, rate: rate, hostTime: nil) { _ in }
            await route.settle()
            output.answerStart(at: clock.now)
            clock.advance(by: .seconds(2))
            route.stop(at: time + CMTime(value: 2, timescale: 1))
            await route.settle()
        }
        #expect(client.times.value.map(\.seconds) == [2])
    }
}

/// Records the times from which sound is missing.
private final class FlushCounter: OutputRouteClient {
    let times = Recorder<[CMTime]>([])

    func routeMayTakeMore() {}
    func routeGainedData() {}
    func routeDidFlush(from time: CMTime) { times.update { $0.append(time) } }
    func routeDidFail(_ error: any Error, at time: CMTime?, isCurrent: @escaping @Sendable () -> Bool) {}
}
