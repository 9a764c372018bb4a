import TuttiMediaTime

/// A rate limit on writing to a device that takes everything at once, such as ALSA's `null`.
///
/// The limit never delays a real device, because it allows up to ``DeviceClock/rateLimit`` above the nominal
/// rate.
struct PaceLimit: Hashable, Sendable {
    private let start: HostTime
    private let firstFrame: Int64
    private let framesPerNanosecond: Double

    /// - Parameter firstFrame: The frame that may be written at `start`.
    init(sampleRate: SampleRate, firstFrame: Int64, start: HostTime) {
        self.start = start
        self.firstFrame = firstFrame
        framesPerNanosecond = Double(sampleRate.hertz) * (1 + DeviceClock.rateLimit) * 1e-9
    }

    /// Returns the earliest host time at which `frame` may be written.
    func earliestTime(of frame: Int64) -> HostTime {
        let frames = Double(max(0, frame &- firstFrame))
        return HostTime(nanoseconds: start.nanoseconds &+ Int64((frames / framesPerNanosecond).rounded()))
    }
}
