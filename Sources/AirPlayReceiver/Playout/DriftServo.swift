/// Decides how much faster or slower than nominal the sound is read, so that it stays on its line.
///
/// Errors are seconds, positive when what is heard is late; rates are parts of 1. Three ways to run:
/// - `following`: a proportional and an integral part, critically damped, quick at first (1.5 rad/s) and then slower
///   and slower (0.25 rad/s after 20 s), so that noise of the clock is not heard as a moving place. An unknown drift of
///   40 ppm costs 10 µs for a second or two.
/// - `locked`: frame for frame, so that lossless sound arrives bit for bit, while the clocks agree.
/// - `docking`: the way from following to locked, along whole frames and no longer along the clock.
struct DriftServo: Sendable {
    enum Mode: Hashable, Sendable {
        case following
        /// The frame of the source at frame 0 of the device.
        case docking(difference: Int64)
        case locked
    }

    /// Never faster than this while playing: 1000 ppm are a sixtieth of a semitone.
    static let rateLimit = 1e-3
    /// Radians per second, and the experience at which it begins to fall.
    private static let bandwidth = 0.25...1.5
    private static let bandwidthSeconds = 5.0
    /// A larger error comes from a step of the line or from a new drift: caught up with quickly, learnt from slowly.
    private static let stepError = 60e-6
    private static let smoothingSeconds = 0.3
    /// Drift that clocks can really have, several times over.
    private static let driftLimit = 5e-4
    /// What a locked stream may be off: half a frame of rounding at 44.1 kHz, and what a clock that has been
    /// followed for a second does not know better (*observed*: up to 30 µs between two programs of one machine).
    static let lockError = 45e-6
    /// What of that it may change within ``settlingSeconds``: clocks that truly drift are soon found out.
    private static let lockChange = 2.0 / 3
    private static let settlingSeconds = 10.0
    /// Drift at a start above which frame for frame is not tried. Below it, the error tells whether it is real.
    static let lockDrift = 20e-6
    /// To be locked again: drift below this, for ``quietSeconds``.
    private static let quietDrift = 0.7e-6
    private static let quietError = 5e-6
    private static let quietSeconds = 15.0
    private static let dockingLimit = 2e-5

    /// What a locked stream may be off.
    var lockError = Self.lockError
    /// What the clock may have been wrong by at the start, seconds: an error that it explains is none of the stream's.
    private var slack = 0.0
    /// Most of ``slack`` that counts. More would be heard between two rooms.
    static let slackLimit = 1e-3
    private(set) var mode = Mode.following
    /// The lasting part: how much faster the source's frames go by than the device's.
    private(set) var drift = 0.0
    /// Seconds of following behind ``drift``.
    private(set) var experience = 0.0
    private var smoothError: Double?
    /// What the error of a locked stream was, within ``settlingSeconds``.
    private var lockedError: Double?
    private var smoothForward = 0.0
    private var quiet = 0.0

    /// A new start at error 0.
    ///
    /// - Parameters:
    ///   - forward: The drift by what clock and device say of their rates.
    ///   - canLock: Source and device have the same nominal rate, and the device is within ``lockDrift`` of it.
    ///   - slack: What the clock may be wrong by, seconds; up to ``slackLimit`` counts.
    mutating func begin(forward: Double, canLock: Bool, slack: Double = 0) {
        self.slack = max(0, min(Self.slackLimit, slack))
        if experience < 5 { drift = max(-Self.driftLimit, min(Self.driftLimit, forward)) }
        (smoothError, lockedError, smoothForward, quiet) = (nil, nil, forward, 0)
        // The rate of a clock that has just been met is mostly its estimate settling: the error will tell.
        let mayAgree = experience < 5 || abs(drift) < Self.lockDrift
        mode = canLock && mayAgree ? .locked : .following
    }

    /// Another clock: what was learnt is of no use.
    mutating func forget() { (drift, experience) = (0, 0) }

    /// The rate, over nominal and less 1, for the next `seconds`.
    mutating func update(error: Double, forward: Double, seconds: Double) -> Double {
        let share = min(1, seconds / Self.smoothingSeconds)
        let before = smoothError ?? error
        let smooth = before + (error - before) * share
        smoothError = smooth
        smoothForward += (forward - smoothForward) * share
        if mode != .following, !isAgreed(smooth, seconds) { unlock() }
        return mode == .locked ? 0 : follow(error, seconds)
    }

    private mutating func isAgreed(_ error: Double, _ seconds: Double) -> Bool {
        let before = lockedError ?? error
        lockedError = before + (error - before) * min(1, seconds / Self.settlingSeconds)
        return abs(error) <= lockError + slack && abs(error - before) <= lockError * Self.lockChange + slack
    }

    /// The rate towards a whole frame that lies `error` seconds ahead.
    func dockingRate(error: Double) -> Double { max(-Self.dockingLimit, min(Self.dockingLimit, error)) }

    mutating func unlock() {
        guard mode != .following else { return }
        if experience < 5 { drift = max(-Self.driftLimit, min(Self.driftLimit, smoothForward)) }
        (mode, quiet) = (.following, 0)
    }

    mutating func lock() { (mode, lockedError) = (.locked, nil) }

    /// Whether the clocks have agreed for long enough to go frame for frame.
    var isQuiet: Bool { mode == .following && quiet >= Self.quietSeconds }

    mutating func dock(difference: Int64) { mode = .docking(difference: difference) }

    private mutating func follow(_ error: Double, _ seconds: Double) -> Double {
        let isStep = abs(error) > Self.stepError
        if isStep { experience = min(experience, Self.bandwidthSeconds) }
        let bandwidth = max(
            Self.bandwidth.lowerBound,
            min(Self.bandwidth.upperBound, Self.bandwidthSeconds / max(experience, 0.1)))
        let wanted = drift + 2 * bandwidth * error
        let rate = max(-Self.rateLimit, min(Self.rateLimit, wanted))
        let learning = isStep ? Self.bandwidth.lowerBound : bandwidth
        let counted = max(-Self.stepError, min(Self.stepError, error))
        drift += learning * learning * counted * seconds
        drift = max(-Self.driftLimit, min(Self.driftLimit, drift))
        experience += seconds
        let isQuiet = abs(drift) < Self.quietDrift && abs(smoothError ?? 0) < Self.quietError
        quiet = isQuiet ? quiet + seconds : 0
        return rate
    }
}
