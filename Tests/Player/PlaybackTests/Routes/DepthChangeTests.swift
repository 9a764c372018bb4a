import CoreMedia
import Testing
import TuttiPCM
import TuttiSystemIO
import TuttiTestSupport

@testable import Playback

@Suite("Queue depth of different routes")
struct DepthChangeTests {
    /// Seconds of sound that the program has.
    static let supply = 180

    let clock = ManualClock()
    let worker = SerialQueue(label: "feeder")
    let enqueued = Recorder(0)

    private func route(_ depth: RouteDepth, _ output: ScriptedPacketOutput) -> PacketRoute {
        PacketRoute(output: output, policy: WireFormatPolicy(), depth: depth, clock: clock)
    }

    /// Enqueues a second at a time while the queue is ready, and signals the end of the supply.
    private func feed(_ queue: RenderQueue) throws {
        let second = Sound.silence(44_100, like: Sound.noise(1))
        let buffers = try (0..<Self.supply).map {
            try Buffers.pcm(second, at: Buffers.time(Int64($0) * 44_100))
        }
        queue.request(on: worker) { [weak queue, enqueued] in
            while let queue, queue.isReadyForMoreData {
                queue.enqueue(buffers[enqueued.value])
                if enqueued.update({
                    $0 += 1; return $0
                }) == Self.supply {
                    queue.stopRequesting()
                }
            }
        }
    }

    private func drained() async {
        await withCheckedContinuation { continuation in worker.async { continuation.resume() } }
    }

    @Test("a local route takes seconds, speakers take minutes at once, and a move back keeps the surplus")
    func marks() async throws {
        let queue = RenderQueue(route: route(.local, ScriptedPacketOutput()))
        try feed(queue)
        _ = try await enqueued.wait(for: "four seconds") { $0 == 4 ? true : nil }
        await drained()
        #expect(enqueued.value == 4 && !queue.isReadyForMoreData)

        worker.dispatchQueue?.suspend()
        queue.move(to: route(.buffered, ScriptedPacketOutput(deviceRate: nil)))
        #expect(queue.isReadyForMoreData)
        worker.dispatchQueue?.resume()
        // No time passes, and nothing is heard.
        _ = try await enqueued.wait(for: "minutes") { $0 == Self.supply ? true : nil }

        let near = route(.local, ScriptedPacketOutput())
        queue.move(to: near)
        #expect(!queue.isReadyForMoreData && enqueued.value == Self.supply)
        #expect(near.detach(at: .zero)?.count == Self.supply)
    }

    @Test("a shallow route to speakers requests seconds of sound")
    func shallow() async throws {
        let queue = RenderQueue(route: route(.shallow, ScriptedPacketOutput(deviceRate: nil)))
        try feed(queue)
        _ = try await enqueued.wait(for: "four seconds") { $0 == 4 ? true : nil }
        await drained()
        await (queue.route as? PacketRoute)?.settle()
        #expect(enqueued.value == 4 && !queue.isReadyForMoreData)
    }
}
