import TuttiMediaTime

/// The times at which the sound of PipeWire's cycles is heard, as one line.
///
/// A cycle has the time of its driver's clock, which is the host's or a sound card's. Resampling makes cycles
/// one frame longer or shorter than their time, so small differences only pull the line.
struct CycleTimeline {
    /// Clients of libpipewire expect a cycle's first frame at the cycle's time and the told latency, clients
    /// of pipewire-pulse some 8 ms earlier (*observed* with 0.3.65 and 1.4.2). The line lies between.
    static let earlier = Duration.milliseconds(4)
    /// A difference from which on the line starts again: the clock changed, or cycles are missing.
    private static let jump = Duration.milliseconds(5)
    /// Each cycle closes this part of a small difference.
    private static let pull: Int64 = 32

    let rate: SampleRate
    var latency: Duration
    private var next: HostTime?

    init(rate: SampleRate, latency: Duration) { (self.rate, self.latency) = (rate, latency) }

    /// Begins a new line with the next cycle.
    mutating func reset() { next = nil }

    /// Returns when a cycle's first frame is heard.
    ///
    /// - Parameter buffered: Frames that the resampler holds back.
    mutating func heardAt(cycle time: HostTime, frames: Int64, buffered: Int64) -> HostTime {
        let measured = time.advanced(by: latency - Self.earlier - rate.duration(of: buffered))
        var start = measured
        if let next {
            let difference = measured.since(next)
            if difference > .zero - Self.jump, difference < Self.jump {
                start = next.advanced(by: .nanoseconds(difference.wholeNanoseconds / Self.pull))
            }
        }
        next = start.advanced(by: rate.duration(of: frames))
        return start
    }
}
