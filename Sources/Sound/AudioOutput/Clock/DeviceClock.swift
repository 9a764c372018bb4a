import TuttiMediaTime

/// A line from a device's frames to host time, fitted to observations with jitter.
///
/// A second-order delay-locked loop: each observation corrects the line a little in offset and in slope. The
/// bandwidth starts wide and narrows with age, down to ``narrowest``. The loop ignores an observation that is
/// off by more than ``jumpLimit``, unless ``jumpCount`` of them come in a row; then the line restarts there.
package struct DeviceClock: Hashable, Sendable {
    /// Final loop bandwidth in hertz, reached after half a minute.
    package static let narrowest = 0.02
    /// Initial loop bandwidth in hertz.
    package static let widest = 1.0
    /// Largest bandwidth for the slope: a stream's first delays are often wrong, its rate hardly ever.
    package static let widestSlope = 0.2
    /// Largest error that scheduling explains; a larger error counts as a jump.
    package static let jumpLimit = Duration.milliseconds(5)
    /// Consecutive jumps that restart the line.
    package static let jumpCount = 3
    /// Largest deviation of a device from its nominal rate, 0.5 %.
    package static let rateLimit = 0.005

    /// The line's last point: `frame` at `time` plus `fraction` nanoseconds.
    private struct Line: Hashable {
        var frame: Int64
        var time: HostTime
        var fraction: Double
        /// Host time at which the line began.
        let birth: HostTime
    }

    /// The device's nominal sample rate.
    package let sampleRate: SampleRate
    /// Ratio of actual to nominal frame rate, in host time.
    package private(set) var rateRatio = 1.0
    private var line: Line?
    private var jumps = 0

    /// Creates a clock without observations.
    package init(sampleRate: SampleRate) { self.sampleRate = sampleRate }

    /// Whether there was an observation since the last ``reset()``.
    package var isRunning: Bool { line != nil }

    /// Records that the device played `frame` at about `time`. Ignores frames that do not advance.
    package mutating func observe(frame: Int64, at time: HostTime) {
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

    /// Discards the line and keeps its slope, because the device restarts.
    package mutating func reset() {
        line = nil
        jumps = 0
    }

    /// Returns the host time at which a frame leaves the device; `nil` before the first observation.
    package func playTime(of frame: Int64) -> HostTime? {
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
        // Above 0.5 the loop would overshoot if observations are far apart.
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
