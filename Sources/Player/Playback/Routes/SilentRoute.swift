import CoreMedia
import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// A route without an output: keeps buffers until their time has passed, then drops them. Used before a
/// program chooses a route, and by tests of the layers above. Wakes only to ask for more.
package final class SilentRoute: OutputRoute {
    /// High-water mark in seconds of sound: the route stops asking for more.
    package static let highMark = 4.0
    /// Low-water mark in seconds of sound: the route asks again.
    package static let lowMark = 3.0

    private struct Guarded {
        var state = SilentRouteState()
        weak var client: (any OutputRouteClient)?
    }

    private let guarded = Mutex(Guarded())
    private let clock: any HostClock
    private let alarm: any WakeUp
    package let leastLead: Double

    /// Creates a silent route.
    ///
    /// - Parameter machine: The time that presentation time runs along, and queues.
    package convenience init(machine: any Machine = SystemMachine()) {
        self.init(clock: machine, alarm: QueueWakeUp(on: machine.makeQueue("tutti.silent-route")))
    }

    /// - Parameters:
    ///   - alarm: The timer that fires when sound has passed.
    ///   - leastLead: The lead, in seconds, of the output that this route stands in for.
    package init(clock: any HostClock, alarm: any WakeUp, leastLead: Double = 0) {
        (self.clock, self.alarm, self.leastLead) = (clock, alarm, leastLead)
    }

    package func attach(_ client: any OutputRouteClient) { guarded.withLock { $0.client = client } }

    private var client: (any OutputRouteClient)? { guarded.withLock { $0.client } }

    /// Makes a transition of the state.
    private func change<Result: Sendable>(_ transition: (inout SilentRouteState) -> Result) -> Result {
        guarded.withLock { transition(&$0.state) }
    }

    @discardableResult
    package func enqueue(_ buffer: CMSampleBuffer) -> Bool {
        let now = clock.now
        guard change({ $0.enqueue(buffer, at: now) }) else { return false }
        wakeWhenPlayed()
        client?.routeGainedData()
        return true
    }

    package var isReadyForMoreData: Bool {
        let now = clock.now
        return change { $0.isReady(at: now) }
    }

    package func hasSufficientData(at time: CMTime) -> Bool { change { $0.hasSufficientData(at: time) } }

    @discardableResult
    package func endOfData() -> Bool {
        guard change({ $0.endOfData() }) else { return false }
        client?.routeGainedData()
        return true
    }

    @discardableResult
    package func flush() -> Bool {
        guard change({ $0.flush() }) else { return false }
        client?.routeMayTakeMore()
        return true
    }

    @discardableResult
    package func flush(from time: CMTime, done: @escaping @Sendable (Bool) -> Void) -> Bool {
        let now = clock.now
        guard let isDone = change({ $0.cut(from: time, at: now) }) else { return false }
        done(isDone)
        if isDone { client?.routeMayTakeMore() }
        return true
    }

    package func start(
        at time: CMTime, rate: Double, hostTime: HostTime?, started: @escaping @Sendable (HostTime) -> Void
    ) {
        let host = hostTime ?? clock.now
        let line = PresentationLine(time: time, host: host, rate: rate)
        guard change({ $0.start(line) }) else { return }
        started(host)
        // Sound before the new time makes room.
        client?.routeMayTakeMore()
        wakeWhenPlayed()
    }

    package func stop(at time: CMTime) { if change({ $0.stop(at: time) }) { client?.routeMayTakeMore() } }
    package func stand(at time: CMTime) { if change({ $0.stand(at: time) }) { client?.routeMayTakeMore() } }

    package func setGain(_ gain: Float) {}
    package func setPitch(_ pitch: PitchTreatment) {}

    package func detach(at time: CMTime) -> [CMSampleBuffer]? {
        guarded.withLock { guarded in
            guarded.client = nil
            return guarded.state.detach(at: time)
        }
    }

    private func wakeWhenPlayed() {
        guarded.withLock { guarded in
            guard let deadline = guarded.state.deadline else { return }
            let pause = deadline.since(clock.now).inSeconds
            // Set with the lock held: an older call must not replace a newer alarm.
            alarm.set(after: .seconds(max(0.001, min(pause, 60)))) { [weak self] in self?.wake() }
        }
    }

    private func wake() {
        // The route may have stopped since the alarm was set.
        guard change({ $0.isRunning }) else { return }
        client?.routeMayTakeMore()
        wakeWhenPlayed()
    }
}
