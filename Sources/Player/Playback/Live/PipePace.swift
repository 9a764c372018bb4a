import TuttiMediaTime

/// The pace at which a pipe is read, a value: so fast as it is heard, whatever its writer does.
///
/// A writer that is faster waits in the pipe; one that has a clock of its own, as a program that records, is
/// followed by a small change of the pace, so that neither what waits nor the latency grows.
struct PipePace: Sendable {
    /// Sound at hand beyond the latency, for writers that write in large pieces.
    static let cushion = Duration.milliseconds(150)
    /// The most that is read at once.
    static let block = Duration.milliseconds(20)
    /// The time over which the least sound at hand is looked for, seconds; and the first one.
    static let window = 4.0
    static let firstWindow = 0.5
    /// The sound that may be at hand beyond that from the beginning on, seconds: the pace takes it back within
    /// eight seconds. More is dropped, once.
    private static let slack = 0.008
    /// The part of a full pipe from which on its writer waits for us.
    private static let fullShare = 0.7
    private static let correctionLimit = 1e-3

    let rate: SampleRate
    /// The host time at which what was read ends.
    private(set) var end: HostTime?
    /// The fraction by which the writer is slower than nominal.
    private(set) var correction = 0.0
    private var drift = 0.0
    /// The least sound at hand in a window that is kept, seconds.
    private var target: Double?
    private var low = Double.infinity
    private var seconds = 0.0
    /// Frames that waited in the pipe from the beginning on, as those written while the outputs were opened,
    /// and that are to be dropped once.
    private(set) var excess = 0

    init(rate: SampleRate) { self.rate = rate }

    /// Forgets the sound before a pause.
    mutating func restart() { self = PipePace(rate: rate) }

    /// Returns the frames that may be read now.
    func room(at now: HostTime, latency: Duration) -> Int {
        guard let end else { return Int(rate.frames(in: Self.block.wholeNanoseconds)) }
        let free = min(now.advanced(by: latency + Self.cushion).since(end), Self.block)
        return free > .zero ? Int(rate.frames(in: free.wholeNanoseconds)) : 0
    }

    /// Returns the time from now until a whole block may be read.
    func pause(at now: HostTime, latency: Duration) -> Duration {
        guard let end else { return .zero }
        return max(.milliseconds(2), end.since(now.advanced(by: latency + Self.cushion)) + Self.block)
    }

    /// Places frames that were read.
    ///
    /// - Parameters:
    ///   - backlog: Frames that wait in the pipe.
    ///   - fullness: The used part of the pipe, 0 ... 1.
    /// - Returns: The host time at which the first is to be heard.
    mutating func place(
        _ frames: Int, backlog: Int, fullness: Double, at now: HostTime, latency: Duration
    ) -> HostTime {
        let first = now.advanced(by: latency + Self.cushion)
        let start: HostTime
        if let end, end >= now.advanced(by: latency / 2) {
            start = end
        } else {
            // The writer has paused, or was late: silence, and the sound starts again.
            restart()
            start = first
        }
        let length = Double(frames) / Double(rate.hertz)
        let end = start.advanced(by: .seconds(length * (1 + correction)))
        self.end = end
        let atHand = end.since(now).inSeconds + Double(backlog) / Double(rate.hertz)
        let nominal = (latency + Self.cushion).inSeconds
        note(atHand, length, nominal: nominal, isWaiting: fullness >= Self.fullShare)
        return start
    }

    /// Notes that the excess was dropped.
    mutating func dropped() { excess = 0 }

    /// - Parameter isWaiting: Whether the writer waits for us, so that its clock is ours.
    private mutating func note(_ atHand: Double, _ length: Double, nominal: Double, isWaiting: Bool) {
        if isWaiting {
            (correction, drift, target, low, seconds) = (0, 0, nil, .infinity, 0)
            return
        }
        low = min(low, atHand)
        seconds += length
        guard seconds >= (target == nil ? Self.firstWindow : Self.window) else { return }
        defer { (low, seconds) = (.infinity, 0) }
        guard target != nil else {
            if low > nominal + Self.slack { excess = Int((low - nominal) * Double(rate.hertz)) }
            target = min(low, nominal)
            return
        }
        // Less at hand than before: the writer is slow.
        let error = (target ?? low) - low
        drift = Self.clamped(drift + error / 400)
        correction = Self.clamped(drift + error / 20)
    }

    private static func clamped(_ value: Double) -> Double {
        max(-correctionLimit, min(correctionLimit, value))
    }
}
