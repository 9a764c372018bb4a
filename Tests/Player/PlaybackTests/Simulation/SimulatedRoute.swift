import CoreMedia
import Synchronization
import TuttiMediaTime

@testable import Playback

/// An output in virtual time, with a given depth and start delay.
final class SimulatedRoute: OutputRoute {
    struct Depth: Sendable {
        /// Seconds: readiness ends at `high` and returns at `low`.
        var high = 4.0
        var low = 3.0
        /// Seconds of sound that a start waits for.
        var sufficient = 0.5
        /// Seconds from the start request to the sound.
        var startDelay = 0.0
        /// Sound nearer to the moving playhead than these seconds cannot be flushed.
        var margin = 0.25
        /// Seconds before its time by which sound must be enqueued to be heard.
        var lead = 0.0
    }

    private struct State {
        var client: Weak?
        /// Presentation times of the queued buffers, in order.
        var buffers: [(start: CMTime, end: CMTime)] = []
        var isFull = false
        var isComplete = false
        var line: (time: CMTime, host: HostTime, rate: Double)?
        var position = CMTime.zero
        /// Seconds of sound that came too late.
        var lost = 0.0
    }

    private struct Weak { weak var value: (any OutputRouteClient)? }

    let depth: Depth
    private let world: VirtualWorld
    private let slot: Int
    private let state = Mutex(State())

    init(_ world: VirtualWorld, _ depth: Depth) {
        (self.world, self.depth, slot) = (world, depth, world.makeSlot())
    }

    // MARK: Observation

    var bufferCount: Int { state.withLock { $0.buffers.count } }

    var leastLead: Double { depth.lead }
    var lostSeconds: Double { state.withLock { $0.lost } }

    /// Whether time runs and there is no sound for it.
    var isMute: Bool {
        let now = world.now
        return state.withLock { state in
            guard let line = state.line, now >= line.host else { return false }
            let time = playhead(state, at: now)
            return !state.buffers.contains { $0.start <= time && time < $0.end }
        }
    }

    // MARK: OutputRoute

    func attach(_ client: any OutputRouteClient) { state.withLock { $0.client = Weak(value: client) } }

    private var client: (any OutputRouteClient)? { state.withLock { $0.client?.value } }

    func enqueue(_ buffer: CMSampleBuffer) -> Bool {
        let start = buffer.outputPresentationTimeStamp
        let now = world.now
        state.withLock { state in
            state.isComplete = false
            if let line = state.line, now >= line.host {
                let late = (playhead(state, at: now) - start).seconds + depth.lead * line.rate
                state.lost += min(max(0, late), buffer.outputDuration.seconds)
            }
            state.buffers.append((start, start + buffer.outputDuration))
            trim(&state, at: now)
        }
        client?.routeGainedData()
        wakeWhenPlayed()
        return true
    }

    var isReadyForMoreData: Bool {
        let now = world.now
        return state.withLock { state in
            trim(&state, at: now)
            return !state.isFull
        }
    }

    func hasSufficientData(at time: CMTime) -> Bool {
        state.withLock { state in
            if state.isComplete { return true }
            guard let last = state.buffers.last else { return false }
            return (last.end - time).seconds >= depth.sufficient
        }
    }

    func endOfData() -> Bool {
        state.withLock { $0.isComplete = true }
        client?.routeGainedData()
        return true
    }

    func flush() -> Bool {
        state.withLock { ($0.buffers, $0.isFull, $0.isComplete) = ([], false, false) }
        client?.routeMayTakeMore()
        return true
    }

    func flush(from time: CMTime, done: @escaping @Sendable (Bool) -> Void) -> Bool {
        let now = world.now
        let isDone = state.withLock { state in
            let margin = state.line == nil ? 0 : depth.margin
            guard (time - playhead(state, at: now)).seconds >= margin else { return false }
            state.buffers.removeAll { $0.start >= time }
            if let last = state.buffers.indices.last {
                state.buffers[last].end = CMTimeMinimum(state.buffers[last].end, time)
            }
            (state.isComplete, state.isFull) = (false, false)
            return true
        }
        done(isDone)
        if isDone { client?.routeMayTakeMore() }
        return true
    }

    func start(
        at time: CMTime, rate: Double, hostTime: HostTime?, started: @escaping @Sendable (HostTime) -> Void
    ) {
        let host = hostTime ?? world.now.advanced(by: .seconds(depth.startDelay))
        state.withLock { ($0.line, $0.position) = ((time, host, rate), time) }
        started(host)
        // Sound before the new time makes room.
        client?.routeMayTakeMore()
        wakeWhenPlayed()
    }

    func stop(at time: CMTime) {
        state.withLock { ($0.line, $0.position) = (nil, time) }
        world.clear(slot)
        client?.routeMayTakeMore()
    }

    func stand(at time: CMTime) {
        state.withLock { if $0.line == nil { $0.position = time } }
        client?.routeMayTakeMore()
    }

    func setGain(_ gain: Float) {}
    func setPitch(_ pitch: PitchTreatment) {}

    func detach(at time: CMTime) -> [CMSampleBuffer]? {
        state.withLock { ($0.client, $0.line, $0.buffers) = (nil, nil, []) }
        world.clear(slot)
        return nil
    }

    // MARK: Playhead

    private func playhead(_ state: State, at now: HostTime) -> CMTime {
        guard let line = state.line, now > line.host else { return state.position }
        let passed = Double(now.since(line.host).wholeNanoseconds) * line.rate
        return line.time + CMTime(value: Int64(passed), timescale: 1_000_000_000)
    }

    private func ahead(_ state: State, at now: HostTime) -> Double {
        guard let first = state.buffers.first, let last = state.buffers.last else { return 0 }
        return max(0, (last.end - CMTimeMaximum(playhead(state, at: now), first.start)).seconds)
    }

    private func trim(_ state: inout State, at now: HostTime) {
        let time = playhead(state, at: now)
        let heard = state.buffers.prefix { $0.end <= time }.count
        if heard > 0 { state.buffers.removeFirst(heard) }
        let ahead = ahead(state, at: now)
        if ahead >= depth.high { state.isFull = true }
        if ahead <= depth.low { state.isFull = false }
    }

    private func wakeWhenPlayed() {
        let now = world.now
        let pause: Duration? = state.withLock { state in
            trim(&state, at: now)
            guard let line = state.line, state.isFull else { return nil }
            let seconds =
                (ahead(state, at: now) - depth.low) / line.rate + max(0, line.host.since(now).inSeconds)
            return .seconds(max(0.001, seconds))
        }
        guard let pause else { return }
        world.set(slot, after: pause) { [weak self] in
            self?.client?.routeMayTakeMore()
            self?.wakeWhenPlayed()
        }
    }
}
