import CoreMedia
import TuttiMediaTime

/// The state of a silent route, a value: the buffers that have not passed, and the line along which they pass.
struct SilentRouteState: Sendable {
    /// The route's life.
    enum Phase: Equatable, Sendable {
        /// Nothing runs; the next start is at this time.
        case standing(at: CMTime)
        case running(PresentationLine)
        /// Given up: every later call is ignored.
        case detached
    }

    /// A buffer with its start and end, in seconds of presentation time.
    private struct Held: Sendable {
        var buffer: CMSampleBuffer
        var start: Double
        var end: Double
    }

    private static let sufficient = 0.5
    /// A cut less far ahead of the playhead is refused, in seconds.
    private static let cutMargin = 0.25

    private(set) var phase = Phase.standing(at: .zero)
    private var held: [Held] = []
    /// True from the high-water mark down to the low-water mark.
    private(set) var isFull = false
    private var isComplete = false

    /// Whether time runs.
    var isRunning: Bool { if case .running = phase { true } else { false } }

    /// Returns the presentation time being heard, in seconds; while nothing runs, that of the next start.
    private func playhead(at now: HostTime) -> Double {
        switch phase {
        case .standing(let time): time.seconds
        case .running(let line): line.time(at: now).seconds
        case .detached: .infinity
        }
    }

    /// Drops sound that has passed, and moves between the marks.
    private mutating func trim(at now: HostTime) {
        let playhead = playhead(at: now)
        held.removeAll { $0.end <= playhead }
        let ahead = (held.last?.end ?? playhead) - max(playhead, held.first?.start ?? playhead)
        if ahead >= SilentRoute.highMark { isFull = true }
        if ahead <= SilentRoute.lowMark { isFull = false }
    }

    /// Takes a buffer with a time and a length; ignores others.
    ///
    /// - Returns: `false` if the route is detached, here and below.
    mutating func enqueue(_ buffer: CMSampleBuffer, at now: HostTime) -> Bool {
        guard phase != .detached else { return false }
        let start = buffer.outputPresentationTimeStamp.seconds
        let length = buffer.outputDuration.seconds
        guard start.isFinite, length.isFinite else { return true }
        held.append(Held(buffer: buffer, start: start, end: start + length))
        trim(at: now)
        return true
    }

    /// Returns whether the route wants more.
    mutating func isReady(at now: HostTime) -> Bool {
        trim(at: now)
        return !isFull
    }

    /// Returns whether enough sound is queued for a start at `time`.
    func hasSufficientData(at time: CMTime) -> Bool {
        isComplete || (held.last?.end ?? -.infinity) - time.seconds >= Self.sufficient
    }

    mutating func endOfData() -> Bool {
        isComplete = true
        return phase != .detached
    }

    mutating func flush() -> Bool {
        (held, isFull, isComplete) = ([], false, false)
        return phase != .detached
    }

    /// Drops sound from `time` on.
    ///
    /// - Returns: `false`, with nothing changed, if `time` is too near; `nil` if the route is detached.
    mutating func cut(from time: CMTime, at now: HostTime) -> Bool? {
        guard phase != .detached else { return nil }
        let from = time.seconds
        guard from >= playhead(at: now) + Self.cutMargin else { return false }
        held.removeAll { $0.start >= from }
        if let last = held.indices.last, held[last].end > from {
            held[last].end = from
            // A buffer that cannot be split stays whole.
            if let head = try? BufferBacklog.head(of: held[last].buffer, before: time) {
                held[last].buffer = head
            }
        }
        isComplete = false
        trim(at: now)
        return true
    }

    mutating func start(_ line: PresentationLine) -> Bool {
        guard phase != .detached else { return false }
        phase = .running(line)
        return true
    }

    mutating func stop(at time: CMTime) -> Bool {
        guard phase != .detached else { return false }
        phase = .standing(at: time)
        return true
    }

    /// Sets the time of the next start while nothing runs.
    mutating func stand(at time: CMTime) -> Bool {
        if case .standing = phase { phase = .standing(at: time) }
        return phase != .detached
    }

    /// Gives the route up.
    ///
    /// - Returns: The buffers not heard by `time`.
    mutating func detach(at time: CMTime) -> [CMSampleBuffer] {
        defer { (phase, held) = (.detached, []) }
        return held.filter { $0.end > time.seconds }.map(\.buffer)
    }

    /// The host time at which the low-water mark is reached; `nil` unless the route is full and time runs.
    var deadline: HostTime? {
        guard case .running(let line) = phase, isFull, let end = held.last?.end else { return nil }
        return line.host(of: CMTime(seconds: end - SilentRoute.lowMark, preferredTimescale: 1_000_000_000))
    }
}
