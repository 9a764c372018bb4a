import CoreMedia
import Testing
import TuttiPCM
import TuttiTestSupport

@testable import Playback

@Suite("Late work of the codec queue")
struct LateWorkTests {
    let clock = ManualClock()
    let output = ScriptedPacketOutput()
    let sound = Sound.noise(44_100)

    private func route(_ depth: RouteDepth) -> PacketRoute {
        PacketRoute(output: output, policy: WireFormatPolicy(), depth: depth, clock: clock)
    }

    /// Enqueues a second of noise for each element of `seconds`.
    private func enqueue(_ seconds: Range<Int>, at route: PacketRoute) throws {
        for second in seconds {
            route.enqueue(try Buffers.pcm(sound, at: Buffers.time(Int64(second) * 44_100)))
        }
    }

    /// Runs `calls` while the codec queue is suspended, so that they come after a pending piece of work.
    private func behindWork(of route: PacketRoute, _ calls: () throws -> Void) async rethrows {
        route.codec.dispatchQueue?.suspend()
        route.codec.async { route.work() }
        do {
            defer { route.codec.dispatchQueue?.resume() }
            try calls()
        }
        await route.settle()
    }

    @Test("a flush empties a full route, even if a count of the old sound is still pending")
    func flushOfFullRoute() async throws {
        let route = route(.buffered)
        // More than the packet store takes, and six seconds beyond.
        try enqueue(0..<40, at: route)
        await route.settle()
        #expect(!route.isReadyForMoreData)
        await behindWork(of: route) { route.flush() }
        #expect(route.isReadyForMoreData)
        #expect(!route.hasSufficientData(at: .zero))
        #expect(route.playableEnd == nil)
    }

    @Test("an end of data signalled before a flush does not end the sound after the flush")
    func endBeforeFlush() async throws {
        let route = route(.local)
        try enqueue(0..<2, at: route)
        await route.settle()
        await behindWork(of: route) {
            route.endOfData()
            route.flush()
        }
        #expect(!route.hasSufficientData(at: .zero))
    }

    @Test("an end of data is revoked when more sound follows")
    func endBeforeMore() async throws {
        let route = route(.local)
        try await behindWork(of: route) {
            route.enqueue(try Buffers.pcm(sound[0..<8820], at: .zero))
            route.endOfData()
            route.enqueue(try Buffers.pcm(sound[8820..<17_640], at: Buffers.time(8820)))
        }
        // 0.4 s are not enough for a start if more sound may follow.
        #expect(!route.hasSufficientData(at: .zero))
        route.endOfData()
        await route.settle()
        #expect(route.hasSufficientData(at: .zero))
        let isWhole = output.sound == Sound.float(sound[0..<17_640])
        #expect(isWhole)
    }

    @Test("a signalled end waits for the buffers that were enqueued before it")
    func endBehindBuffers() async throws {
        let route = route(.local)
        try await behindWork(of: route) {
            try enqueue(0..<2, at: route)
            route.endOfData()
        }
        #expect(output.store.endFrame == 88_200)
        #expect(output.sound.map { $0.frameCount } == 88_200)
    }

    @Test("buffers on their way to the codec queue count while it reports an older state")
    func buffersOnTheirWay() async throws {
        let route = route(.buffered)
        let seen = Recorder<[Bool]>([])
        let client = ReadinessClient { [unowned route] in seen.update { $0.append(route.isReadyForMoreData) }
        }
        route.attach(client)
        try await behindWork(of: route) { try enqueue(0..<7, at: route) }
        // The first notification comes from the work before the buffers.
        #expect(seen.value.first == false)
        withExtendedLifetime(client) {}
    }

    @Test("a late answer to a stopped start sets no line")
    func lateAnswer() async throws {
        let route = route(.local)
        let answers = Recorder(0)
        try enqueue(0..<4, at: route)
        route.start(at: .zero, rate: 1, hostTime: nil) { _ in answers.update { $0 += 1 } }
        route.stop(at: .zero)
        await route.settle()
        output.answerStart(at: clock.now)
        clock.advance(by: .seconds(3))
        // Nothing is heard, so the four seconds are still ahead.
        #expect(!route.isReadyForMoreData)
        #expect(answers.value == 0)
    }

    @Test("a buffer that fails after a flush does not fail the queue")
    func failureOfFlushedSound() async throws {
        let route = route(.local)
        let failures = Recorder<[Bool]>([])
        let client = ReadinessClient(onFailure: { isCurrent in failures.update { $0.append(isCurrent()) } })
        route.attach(client)
        await withCheckedContinuation { continuation in
            route.codec.async {
                route.fail(RenderError("broken"))
                route.flush()
                route.fail(RenderError("broken"))
                continuation.resume()
            }
        }
        #expect(failures.value == [true, false])
        withExtendedLifetime(client) {}
    }

    @Test("a detached route takes no sound from the next one, however late its work runs")
    func nextRoute() async throws {
        let older = route(.buffered)
        try enqueue(0..<4, at: older)
        await older.settle()
        older.codec.dispatchQueue?.suspend()
        _ = older.detach(at: CMTime(value: 3, timescale: 1))
        let newer = route(.buffered)
        try enqueue(0..<1, at: newer)
        newer.endOfData()
        if newer.codec !== older.codec { await newer.settle() }
        older.codec.dispatchQueue?.resume()
        await newer.settle()
        let isWhole = output.sound == Sound.float(sound)
        #expect(isWhole)
    }

    @Test("a flush during a cut leaves the output ready for new sound")
    func flushDuringCut() async throws {
        let route = route(.local)
        try enqueue(0..<4, at: route)
        await route.settle()
        let done = Recorder<[Bool]>([])
        await behindWork(of: route) {
            route.flush(from: CMTime(value: 2, timescale: 1)) { isDone in done.update { $0.append(isDone) } }
            route.flush()
        }
        try enqueue(0..<1, at: route)
        route.endOfData()
        await route.settle()
        #expect(done.value == [false])
        // No cut follows the clear, because it would remove new sound.
        #expect(output.calls == [.clear])
        let isWhole = output.sound == Sound.float(sound)
        #expect(isWhole)
    }
}

/// A client that forwards readiness and failure notifications.
private final class ReadinessClient: OutputRouteClient {
    private let onReady: @Sendable () -> Void
    private let onFailure: @Sendable (_ isCurrent: () -> Bool) -> Void

    init(
        _ onReady: @escaping @Sendable () -> Void = {},
        onFailure: @escaping @Sendable (_ isCurrent: () -> Bool) -> Void = { _ in }
    ) { (self.onReady, self.onFailure) = (onReady, onFailure) }

    func routeMayTakeMore() { onReady() }
    func routeGainedData() {}
    func routeDidFlush(from time: CMTime) {}

    func routeDidFail(_ error: any Error, at time: CMTime?, isCurrent: @escaping @Sendable () -> Bool) {
        onFailure(isCurrent)
    }
}
