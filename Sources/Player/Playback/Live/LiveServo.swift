/// Follows the clock of a live source: turns the error of its sound's place into a small change of its rate.
///
/// Errors are seconds, positive when the sound is to be heard later than its place. While the clocks agree,
/// the rate is exactly nominal, so that the sound stays bit for bit.
struct LiveServo: Sendable {
    /// The largest change of the rate, a sixtieth of a semitone.
    static let rateLimit = 1e-3
    /// The error from which on the clocks disagree.
    static let lockError = 1e-3
    /// The bandwidth of the loop in rad/s: the jitter of a desktop's timers stays inaudible.
    private static let bandwidth = 0.2
    /// Time over which errors are averaged, seconds.
    private static let smoothing = 1.0
    /// The largest drift that is learnt, several times that of real clocks.
    private static let driftLimit = 5e-4

    /// Whether the rate is nominal.
    private(set) var isLocked = true
    /// How much slower the source runs than this machine, as a fraction of 1.
    private(set) var drift = 0.0
    private var smooth = 0.0

    /// Begins at an error of 0; a drift that was learnt stays.
    mutating func begin() { smooth = 0 }

    /// Returns the fraction by which to play faster for the next `seconds`.
    mutating func update(error: Double, seconds: Double) -> Double {
        smooth += (error - smooth) * min(1, seconds / Self.smoothing)
        if isLocked {
            guard abs(smooth) > Self.lockError else { return 0 }
            isLocked = false
        }
        let bandwidth = Self.bandwidth
        drift += bandwidth * bandwidth * smooth * seconds
        drift = max(-Self.driftLimit, min(Self.driftLimit, drift))
        return -max(-Self.rateLimit, min(Self.rateLimit, drift + 2 * bandwidth * smooth))
    }
}
