public import MediaTime

/// The line from a device's frames to host time, drawn through observations that jitter.
///
/// A delay-locked loop of second order: each observation pulls the line a little towards itself, in place and in
/// slope. It is wide open at first and narrows with age, down to ``narrowest``. An observation further off than
/// ``jumpLimit`` is not believed until ``jumpCount`` of them have come in a row; then the line starts anew there.
public struct DeviceClock: Hashable, Sendable {
    /// Loop bandwidth in hertz after half a minute.
    public static let narrowest = 0.02
    /// Loop bandwidth in hertz at first.
    public static let widest = 1.0
    /// The slope is pulled no faster than this: a stream's first delays are often wrong, its rate hardly ever.
    public static let widestSlope = 0.2
    /// Further off than scheduling explains.
    public static let jumpLimit = Duration.milliseconds(5)
    public static let jumpCount = 3
    /// No device is off its nominal rate by more, 0.5 %.
    public static let rateLimit = 0.005

    /// Observed up to `frame`, in nanoseconds; `fraction` carries what the nanosecond cannot.
    private struct Line: Hashable {
        var frame: Int64
        var time: HostTime
        var fraction: Double
        /// Host time when the line began.
        let birth: HostTime
    }

    public let sampleRate: SampleRate
    /// Frames that the device plays in a host second, over its nominal rate.
    public private(set) var rateRatio = 1.0
    private var line: Line?
    private var jumps = 0

    public init(sampleRate: SampleRate) { self.sampleRate = sampleRate }

    /// Whether there was an observation since the last ``reset()``.
    public var isRunning: Bool { line != nil }

    /// The device played `frame` at `time`, or so it seems. Frames that do not advance say nothing.
    public mutating func observe(frame: Int64, at time: HostTime) {
        guard let line else { return begin(frame: frame, at: time) }
        let frames = frame &- line.frame
        guard frames > 0 else { return }
        let step = Double(frames) * nanosecondsPerFrame
        let error = Double(time.nanoseconds &- line.time.nanoseconds) - line.fraction - step
        guard abs(error) <= Double(Self.jumpLimit.wholeNanoseconds) else {
            jumps += 1
            if jumps >= Self.jumpCount { begin(frame: frame, at: time) }
            return
        }
        jumps = 0
        pull(line, frames: Double(frames), step: step, error: error)
    }

    /// The device begins anew: the line is forgotten, its slope is kept.
    public mutating func reset() {
        line = nil
        jumps = 0
    }

    /// When a frame leaves the device; `nil` before the first observation.
    public func playTime(of frame: Int64) -> HostTime? {
        guard let line else { return nil }
        let ahead = Double(frame &- line.frame) * nanosecondsPerFrame + line.fraction
        return HostTime(nanoseconds: line.time.nanoseconds &+ Int64(ahead.rounded()))
    }

    private var nanosecondsPerFrame: Double { 1e9 / (Double(sampleRate.hertz) * rateRatio) }

    private mutating func begin(frame: Int64, at time: HostTime) {
        line = Line(frame: frame, time: time, fraction: 0, birth: time)
        jumps = 0
    }

    private mutating func pull(_ line: Line, frames: Double, step: Double, error: Double) {
        let age = Double(line.time.nanoseconds &- line.birth.nanoseconds) * 1e-9
        let bandwidth = max(Self.narrowest, min(Self.widest, 0.6 / max(age, 0.001)))
        // Beyond 0.5 the loop would overshoot, when observations are far apart.
        let place = min(0.5, 2 * .pi * bandwidth * step * 1e-9)
        let turn = min(place, 2 * .pi * Self.widestSlope * step * 1e-9)
        let slope = nanosecondsPerFrame + turn * turn * error / frames
        let ratio = 1e9 / (Double(sampleRate.hertz) * slope)
        rateRatio = min(max(ratio, 1 - Self.rateLimit), 1 + Self.rateLimit)
        let moved = line.fraction + step + 2.0.squareRoot() * place * error
        let whole = moved.rounded(.down)
        var next = line
        next.frame = line.frame &+ Int64(frames)
        next.time = HostTime(nanoseconds: line.time.nanoseconds &+ Int64(whole))
        next.fraction = moved - whole
        self.line = next
    }
}
