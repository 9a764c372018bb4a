import CoreMedia
import Dispatch
import MediaTime
import Synchronization
import SystemIO

/// A route without an output: keeps buffers until their time has passed, then drops them. Used before a
/// program chooses a route, and by tests of the layers above.
public final class SilentRoute: OutputRoute {
    /// High-water mark in seconds of sound: the route stops asking for more.
    public static let highMark = 4.0
    /// Low-water mark in seconds of sound: the route asks again.
    public static let lowMark = 3.0
    static let sufficient = 0.5
    /// A flush that begins less far ahead of the playhead is refused, in seconds.
    private static let flushMargin = 0.25

    private struct State {
        var client: Weak?
        /// Buffers with their start and end, in seconds of presentation time.
        var buffers: [(buffer: CMSampleBuffer, start: Double, end: Double)] = []
        var isFull = false
        var isComplete = false
        var line: (time: Double, host: HostTime, rate: Double)?
        var position = 0.0
        var round = 0
    }

    private struct Weak { weak var value: (any OutputRouteClient)? }

    private let state = Mutex(State())
    private let clock: any HostClock
    private let alarm: any PlayerAlarm
    public let leastLead: Double

    /// Creates a silent route.
    ///
    /// - Parameter clock: the clock that presentation time runs along.
    public convenience init(clock: any HostClock = SystemClock()) {
        self.init(clock: clock, alarm: DispatchAlarm(queue: DispatchQueue(label: "tutti.silent-route")))
    }

    /// - Parameters:
    ///   - alarm: the timer that fires when sound has passed.
    ///   - leastLead: the lead, in seconds, of the output that this route stands in for.
    package init(clock: any HostClock, alarm: any PlayerAlarm, leastLead: Double = 0) {
        (self.clock, self.alarm, self.leastLead) = (clock, alarm, leastLead)
    }

    public func attach(_ client: any OutputRouteClient) { state.withLock { $0.client = Weak(value: client) } }

    private var client: (any OutputRouteClient)? { state.withLock { $0.client?.value } }

    public func enqueue(_ buffer: CMSampleBuffer) {
        let start = buffer.outputPresentationTimeStamp.seconds
        let length = buffer.outputDuration.seconds
        guard start.isFinite, length.isFinite else { return }
        let now = clock.now
        state.withLock { state in
            state.buffers.append((buffer, start, start + length))
            Self.trim(&state, at: now)
        }
        wakeWhenPlayed()
        client?.routeGainedData()
    }

    public var isReadyForMoreData: Bool {
        let now = clock.now
        return state.withLock { state in
            Self.trim(&state, at: now)
            return !state.isFull
        }
    }

    public func hasSufficientData(at time: CMTime) -> Bool {
        let from = time.seconds
        return state.withLock { state in
            state.isComplete || (state.buffers.last?.end ?? -.infinity) - from >= Self.sufficient
        }
    }

    public func endOfData() {
        state.withLock { $0.isComplete = true }
        client?.routeGainedData()
    }

    public func flush() {
        state.withLock { state in
            state.buffers = []
            (state.isFull, state.isComplete) = (false, false)
        }
        client?.routeMayTakeMore()
    }

    public func flush(from time: CMTime, done: @escaping @Sendable (Bool) -> Void) {
        let from = time.seconds
        let now = clock.now
        let isDone = state.withLock { state in
            guard from >= Self.playhead(state, at: now) + Self.flushMargin else { return false }
            state.buffers.removeAll { $0.start >= from }
            if let last = state.buffers.indices.last, state.buffers[last].end > from {
                state.buffers[last].end = from
                // A buffer that cannot be split stays whole.
                if let head = try? BufferBacklog.head(of: state.buffers[last].buffer, before: time) {
                    state.buffers[last].buffer = head
                }
            }
            state.isComplete = false
            Self.trim(&state, at: now)
            return true
        }
        done(isDone)
        if isDone { client?.routeMayTakeMore() }
    }

    public func start(
        at time: CMTime, rate: Double, hostTime: HostTime?, started: @escaping @Sendable (HostTime) -> Void
    ) {
        let host = hostTime ?? clock.now
        state.withLock { state in
            state.line = (time.seconds, host, rate)
            state.position = time.seconds
        }
        started(host)
        // Sound before the new time makes room.
        client?.routeMayTakeMore()
        wakeWhenPlayed()
    }

    public func stop(at time: CMTime) {
        state.withLock { state in
            state.line = nil
            state.position = time.seconds
            state.round += 1
        }
        client?.routeMayTakeMore()
    }

    public func stand(at time: CMTime) {
        state.withLock { if $0.line == nil { $0.position = time.seconds } }
        client?.routeMayTakeMore()
    }

    public func setGain(_ gain: Float) {}
    public func setPitch(_ pitch: PitchTreatment) {}

    public func detach(at time: CMTime) -> [CMSampleBuffer]? {
        state.withLock { state in
            state.client = nil
            state.line = nil
            state.round += 1
            defer { state.buffers = [] }
            return state.buffers.filter { $0.end > time.seconds }.map(\.buffer)
        }
    }

    private static func playhead(_ state: State, at now: HostTime) -> Double {
        guard let line = state.line else { return state.position }
        return line.time + max(0, now.since(line.host).inSeconds) * line.rate
    }

    private static func trim(_ state: inout State, at now: HostTime) {
        let playhead = playhead(state, at: now)
        state.buffers.removeAll { $0.end <= playhead }
        let ahead =
            (state.buffers.last?.end ?? playhead) - max(playhead, state.buffers.first?.start ?? playhead)
        if ahead >= highMark { state.isFull = true }
        if ahead <= lowMark { state.isFull = false }
    }

    private func wakeWhenPlayed() {
        state.withLock { state in
            guard let line = state.line, state.isFull, let end = state.buffers.last?.end else { return }
            state.round += 1
            let round = state.round
            let seconds = (end - Self.lowMark - Self.playhead(state, at: clock.now)) / line.rate
            // Set with the lock held: an older call must not replace a newer alarm.
            alarm.set(after: .seconds(max(0.001, min(seconds, 60)))) { [weak self] in
                guard let self, self.state.withLock({ $0.round == round }) else { return }
                self.client?.routeMayTakeMore()
                self.wakeWhenPlayed()
            }
        }
    }
}
