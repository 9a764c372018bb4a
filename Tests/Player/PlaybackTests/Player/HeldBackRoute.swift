import CoreMedia
import Synchronization
import TuttiMediaTime
import TuttiSystemIO

@testable import Playback

/// A silent output that holds back the last 10 ms until more sound follows, as packet outputs do.
final class HeldBackRoute: OutputRoute {
    private let route: SilentRoute
    private let end = Mutex<CMTime?>(nil)
    private let isWhole = Mutex(false)

    init(clock: any HostClock) { route = SilentRoute(machine: SystemMachine(clock: clock)) }

    var playableEnd: CMTime? { end.withLock { $0 } }

    /// Whether all enqueued sound is packed, because the end of data was signalled.
    var isComplete: Bool { isWhole.withLock { $0 } }

    func enqueue(_ buffer: CMSampleBuffer) -> Bool {
        let packed =
            buffer.outputPresentationTimeStamp + buffer.outputDuration - CMTime(value: 1, timescale: 100)
        end.withLock { $0 = packed }
        isWhole.withLock { $0 = false }
        return route.enqueue(buffer)
    }

    func flush() -> Bool {
        end.withLock { $0 = nil }
        return route.flush()
    }

    func flush(from time: CMTime, done: @escaping @Sendable (Bool) -> Void) -> Bool {
        isWhole.withLock { $0 = false }
        return route.flush(from: time, done: done)
    }

    func start(
        at time: CMTime, rate: Double, hostTime: HostTime?, started: @escaping @Sendable (HostTime) -> Void
    ) { route.start(at: time, rate: rate, hostTime: hostTime, started: started) }

    func attach(_ client: any OutputRouteClient) { route.attach(client) }
    var isReadyForMoreData: Bool { route.isReadyForMoreData }
    func hasSufficientData(at time: CMTime) -> Bool { route.hasSufficientData(at: time) }
    func endOfData() -> Bool {
        isWhole.withLock { $0 = true }
        return route.endOfData()
    }
    func stop(at time: CMTime) { route.stop(at: time) }
    func stand(at time: CMTime) { route.stand(at: time) }
    func setGain(_ gain: Float) { route.setGain(gain) }
    func setPitch(_ pitch: PitchTreatment) { route.setPitch(pitch) }
    func detach(at time: CMTime) -> [CMSampleBuffer]? { route.detach(at: time) }
}
