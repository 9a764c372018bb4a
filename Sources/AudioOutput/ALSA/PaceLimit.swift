internal import MediaTime

/// Keeps a thread from running ahead of a device that takes everything at once, such as ALSA's `null`.
///
/// A true device is never held up: the limit is as fast as ``DeviceClock/rateLimit`` allows.
struct PaceLimit: Hashable, Sendable {
    private let start: HostTime
    private let firstFrame: Int64
    private let framesPerNanosecond: Double

    /// - Parameter firstFrame: What may be written at `start`.
    init(sampleRate: SampleRate, firstFrame: Int64, start: HostTime) {
        self.start = start
        self.firstFrame = firstFrame
        framesPerNanosecond = Double(sampleRate.hertz) * (1 + DeviceClock.rateLimit) * 1e-9
    }

    /// Not before this may `frame` be written.
    func earliestTime(of frame: Int64) -> HostTime {
        let frames = Double(max(0, frame &- firstFrame))
        return HostTime(nanoseconds: start.nanoseconds &+ Int64((frames / framesPerNanosecond).rounded()))
    }
}
