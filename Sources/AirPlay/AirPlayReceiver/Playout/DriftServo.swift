/// Controls the resampling rate so that the audio stays on its timeline.
///
/// Errors are seconds, positive when the audio is late; rates are fractions of 1. Modes:
/// - `following`: a critically damped proportional-integral loop. Its bandwidth falls from 1.5 rad/s to 0.25
///   rad/s after 20 s, so that clock jitter stays inaudible. An unknown drift of 40 ppm costs 10 µs for a
///   second or two.
/// - `locked`: frame for frame while the clocks agree, so that lossless audio stays bit-exact.
/// - `docking`: the transition from following to locked, which steers to a whole frame instead of the clock.
struct DriftServo: Sendable {
    enum Mode: Hashable, Sendable {
        case following
        /// `difference`: the source frame at frame 0 of the device.
        case docking(difference: Int64)
        case locked
    }

    /// Largest rate deviation while playing: 1000 ppm are a sixtieth of a semitone.
    static let rateLimit = 1e-3
    /// Limits of the loop bandwidth in rad/s, which is `bandwidthSeconds` divided by the experience.
    private static let bandwidth = 0.25...1.5
    private static let bandwidthSeconds = 5.0
    /// Errors above this come from a step of the line or a new drift: corrected quickly, learnt from slowly.
    private static let stepError = 60e-6
    private static let smoothingSeconds = 0.3
    /// Largest drift accepted, several times that of real clocks.
    private static let driftLimit = 5e-4
    /// Largest error of a locked stream, seconds: half a frame of rounding at 44.1 kHz, plus the uncertainty
    /// of a clock that has been followed for a second (*observed*: up to 30 µs between two programs of one
    /// machine).
    static let lockError = 45e-6
    /// The share of the lock error that may change within ``settlingSeconds``; detects clocks that really
    /// drift.
    private static let lockChange = 2.0 / 3
    private static let settlingSeconds = 10.0
    /// Limit of ``slack``, seconds. A larger error would be audible between two rooms.
    static let slackLimit = 1e-3
    /// An error of a clock that is this much more uncertain than at the start, seconds, is a guess.
    private static let guess = 10e-6
    /// The part of the ``slack`` at the start that stays when the clock has been certain for ``settlingSeconds``, seconds.
    private static let lastingSlack = 55e-6
    /// The drift at a start above which the servo does not try to lock. Below, the error shows whether the
    /// drift is real.
    static let lockDrift = 20e-6
    /// A locked stream's clock has another rate than the device if it is this many standard deviations beyond ``lockDrift``.
    private static let deviations = 3.0
    /// Conditions to lock again: drift and error below these for ``quietSeconds``.
    private static let quietDrift = 0.7e-6
    private static let quietError = 5e-6
    private static let quietSeconds = 15.0
    private static let dockingLimit = 2e-5

    /// Largest error of a locked stream, seconds. More is allowed while the clock is known less exactly.
    var lockError = Self.lockError
    /// The clock's uncertainty at the start, seconds; errors within it do not unlock the stream.
    private var slack = 0.0
    /// The seconds for which the clock has been more certain than ``slack``.
    private var certainSeconds = 0.0
    private(set) var mode = Mode.following
    /// The integral part: how much faster the source runs than the device, as a fraction of 1.
    private(set) var drift = 0.0
    /// Seconds of following that ``drift`` rests on.
    private(set) var experience = 0.0
    private var smoothError: Double?
    /// The error of a locked stream, averaged over ``settlingSeconds``.
    private var lockedError: Double?
    private var smoothForward = 0.0
    /// The clock's present uncertainty, averaged as the error is.
    private var smoothSlack = 0.0
    private var quiet = 0.0

    /// Starts at error 0.
    ///
    /// - Parameters:
    ///   - forward: The drift that follows from the rates that clock and device report.
    ///   - canLock: Whether source and device have the same nominal rate, the device is within ``lockDrift`` of it, and so is
    ///     the clock as far as its rate is known.
    ///   - slack: The uncertainty of the clock, seconds, clamped to ``slackLimit``.
    mutating func begin(forward: Double, canLock: Bool, slack: Double = 0) {
        self.slack = max(0, min(Self.slackLimit, slack))
        if experience < 5 { drift = max(-Self.driftLimit, min(Self.driftLimit, forward)) }
        (smoothError, lockedError, smoothForward, quiet, certainSeconds) = (nil, nil, forward, 0, 0)
        smoothSlack = self.slack
        // The reported drift of a new clock is mostly its estimate settling: let the error decide.
        let mayAgree = experience < 5 || abs(drift) < Self.lockDrift
        mode = canLock && mayAgree ? .locked : .following
    }

    /// Discards the learnt drift, for another clock.
    mutating func forget() { (drift, experience) = (0, 0) }

    /// Returns the rate over nominal, less 1, for the next `seconds`.
    ///
    /// - Parameters:
    ///   - slew: The passing change of the clock's line, which is followed and not learnt.
    ///   - correction: The change of the error by the rest of the slew, seconds. A locked stream may also be on the line to come: it
    ///     was there before the clock's line went astray, or began there.
    ///   - slack: The clock's present uncertainty, seconds. While the clock is not heard, `error` is mostly a guess; it
    ///     is worth steering only beyond that.
    ///   - rateError: The standard deviation of `forward`.
    mutating func update(
        error: Double, forward: Double, slew: Double = 0, correction: Double = 0, seconds: Double,
        slack: Double = 0, rateError: Double = 0
    ) -> Double {
        let share = min(1, seconds / Self.smoothingSeconds)
        let settled = error + correction
        let nearer = abs(error) < abs(settled) ? error : settled
        let before = smoothError ?? nearer
        let smooth = before + (nearer - before) * share
        smoothError = smooth
        smoothForward += (forward - smoothForward) * share
        smoothSlack += (min(Self.slackLimit, slack) - smoothSlack) * share
        learnSlack(seconds)
        let isOtherRate = abs(smoothForward) > Self.lockDrift + Self.deviations * rateError
        if mode != .following, isOtherRate || !isAgreed(smooth, seconds) { unlock() }
        return mode == .locked ? 0 : follow(error, seconds, slew: slew)
    }

    /// A clock that was uncertain at the start, and has been certain for a while, is believed.
    private mutating func learnSlack(_ seconds: Double) {
        let known = max(Self.lastingSlack, smoothSlack)
        certainSeconds = known < slack ? certainSeconds + seconds : 0
        if certainSeconds >= Self.settlingSeconds { slack = known }
    }

    private mutating func isAgreed(_ error: Double, _ seconds: Double) -> Bool {
        let before = lockedError ?? error
        // The average learns from what was measured, not from guesses.
        if smoothSlack <= slack + Self.guess {
            lockedError = before + (error - before) * min(1, seconds / Self.settlingSeconds)
        }
        let slack = max(slack, smoothSlack)
        let limit = max(lockError, Self.lockError + slack)
        let changeLimit = max(lockError * Self.lockChange, Self.lockError * Self.lockChange + slack)
        return abs(error) <= limit && abs(error - before) <= changeLimit
    }

    /// Returns the rate that steers towards a whole frame `error` seconds ahead.
    func dockingRate(error: Double) -> Double { max(-Self.dockingLimit, min(Self.dockingLimit, error)) }

    mutating func unlock() {
        guard mode != .following else { return }
        if experience < 5 { drift = max(-Self.driftLimit, min(Self.driftLimit, smoothForward)) }
        (mode, quiet) = (.following, 0)
    }

    mutating func lock() { (mode, lockedError) = (.locked, nil) }

    /// Whether the clocks have agreed for long enough to play frame for frame.
    var isQuiet: Bool { mode == .following && quiet >= Self.quietSeconds }

    mutating func dock(difference: Int64) { mode = .docking(difference: difference) }

    private mutating func follow(_ error: Double, _ seconds: Double, slew: Double) -> Double {
        let isStep = abs(error) > Self.stepError
        if isStep { experience = min(experience, Self.bandwidthSeconds) }
        let bandwidth = max(
            Self.bandwidth.lowerBound,
            min(Self.bandwidth.upperBound, Self.bandwidthSeconds / max(experience, 0.1)))
        let wanted = drift + slew + 2 * bandwidth * error
        let rate = max(-Self.rateLimit, min(Self.rateLimit, wanted))
        let learning = isStep ? Self.bandwidth.lowerBound : bandwidth
        let counted = max(-Self.stepError, min(Self.stepError, error))
        drift += learning * learning * counted * seconds
        drift = max(-Self.driftLimit, min(Self.driftLimit, drift))
        experience += seconds
        let isQuiet =
            abs(drift) < Self.quietDrift && abs(slew) < Self.quietDrift
            && abs(smoothError ?? 0) < Self.quietError
        quiet = isQuiet ? quiet + seconds : 0
        return rate
    }
}
