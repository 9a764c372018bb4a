import CoreMedia
import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// A periodic, boundary or arrival observer of a timeline.
///
/// Keeps the last line, computes the next instant on it, and wakes at that instant. A new line voids the
/// pending wake-up.
final class TimeObserver: Sendable {
    enum Kind: Sendable {
        case periodic(interval: CMTime, body: @Sendable (CMTime) -> Void)
        case boundary(times: [CMTime], body: @Sendable () -> Void)
        /// Fires once, when playback or a jump reaches `time`.
        case arrival(time: CMTime, body: @Sendable () -> Void)
    }

    private struct State {
        var line: PresentationLine?
        var isCancelled = false
        /// The time up to which boundaries were handled.
        var seen: CMTime = .invalid
    }

    private let kind: Kind
    private let queue: SerialQueue
    private let wakeUp: QueueWakeUp
    private let now: @Sendable () -> HostTime
    private let state = Mutex(State())

    /// - Parameter queue: The queue on which the observer wakes and calls.
    init(kind: Kind, queue: SerialQueue, now: @escaping @Sendable () -> HostTime) {
        self.kind = kind
        self.queue = queue
        wakeUp = QueueWakeUp(on: queue)
        self.now = now
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        wakeUp.cancel()
    }

    /// Starts the observer, unless a newer line has arrived already.
    ///
    /// - Parameter line: The line at the time of registration.
    func begin(with line: PresentationLine, now: HostTime) {
        let time = line.time(at: now)
        let isNew = state.withLock { state in
            guard state.line == nil else { return false }
            (state.line, state.seen) = (line, time)
            return true
        }
        guard isNew else { return }
        if case .arrival(let wanted, let body) = kind, time >= wanted { callOnce(body) }
        scheduleNext()
    }

    /// - Parameter isJump: Whether time was set, rather than the rate changed.
    func lineDidChange(_ line: PresentationLine, now: HostTime, isJump: Bool) {
        let time = line.time(at: now)
        // Boundaries crossed under the old line, whose wake-up is void now.
        let (seen, reached, isTurn) = state.withLock { state in
            let (seen, reached) = (
                state.seen, CMTimeMaximum(state.seen, state.line?.time(at: now) ?? state.seen)
            )
            let isTurn = state.line.map { ($0.rate == 0) != (line.rate == 0) } ?? true
            state.line = line
            // A backward correction must not cross a boundary twice.
            state.seen = isJump || !reached.isNumeric ? time : CMTimeMaximum(reached, time)
            return (seen, reached, isTurn)
        }
        switch kind {
        case .periodic(_, let body):
            if isJump || isTurn { call { body(time) } }
        case .boundary(let times, let body):
            for _ in times.filter({ $0 > seen && $0 <= reached }) { call(body) }
        case .arrival(let wanted, let body):
            if time >= wanted { callOnce(body) }
        }
        scheduleNext()
    }

    /// Returns the next time of interest after `time`, and the host time at which the line reaches it.
    static func next(
        after time: CMTime, kind: Kind, line: PresentationLine
    ) -> (time: CMTime, host: HostTime)? {
        let wanted: CMTime?
        switch kind {
        case .periodic(let interval, _):
            let length = interval.seconds
            guard length.isFinite, length > 0 else { return nil }
            let count = (time.seconds / length + 1e-9).rounded(.down) + 1
            wanted = CMTimeMultiplyByFloat64(interval, multiplier: count)
        case .boundary(let times, _):
            wanted = times.first { $0 > time }
        case .arrival(let arrival, _):
            wanted = arrival > time ? arrival : nil
        }
        guard let wanted, let host = line.host(of: wanted), host < .distantFuture else { return nil }
        return (wanted, host)
    }

    private func scheduleNext() {
        state.withLock { state in
            guard !state.isCancelled, let line = state.line,
                let next = Self.next(after: state.seen, kind: kind, line: line)
            else { return wakeUp.cancel() }
            wakeUp.set(at: next.host) { [weak self] in self?.wake(for: next.time, on: line) }
        }
    }

    private func wake(for time: CMTime, on line: PresentationLine) {
        let isCurrent = state.withLock { state in
            guard state.line == line, !state.isCancelled else { return false }
            state.seen = time
            return true
        }
        guard isCurrent else { return }
        // First, because the block may set the time.
        scheduleNext()
        switch kind {
        case .periodic(_, let body): body(time)
        case .boundary(_, let body): body()
        case .arrival(_, let body): callOnce(body)
        }
    }

    private func callOnce(_ body: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            defer { state.isCancelled = true }
            return !state.isCancelled
        }
        if isFirst { queue.async(execute: body) }
    }

    private func call(_ body: @escaping @Sendable () -> Void) {
        queue.async { [weak self] in
            guard let self, !self.state.withLock({ $0.isCancelled }) else { return }
            body()
        }
    }
}
