import TuttiMediaTime

/// The clock of a simulated device, which plays at its nominal rate times 1 + ppm · 10⁻⁶ of host time.
///
///     playTime(frame) = start + latency + (frame − first) ⁄ (sampleRate · rateRatio)
///
/// Times are computed from the start instant, so errors do not accumulate. The device asks for a period
/// ``latencyFrames`` before its first frame leaves, and loses no frames if the call is late.
package struct VirtualDAC: Hashable, Sendable {
    /// Largest clock skew, 1 %; no crystal is off by more.
    package static let ppmLimit = 10_000.0

    /// The nominal sample rate.
    package let sampleRate: SampleRate
    /// Clock skew in ppm of the nominal rate; positive if fast.
    package let ppm: Double
    /// Frames of a period.
    package let periodFrames: Int
    /// Frames between the request for a period and the playback of its first frame.
    package let latencyFrames: Int

    /// First frame of the next period.
    package private(set) var nextFrame: Int64 = 0
    /// The frame that was due at ``start``.
    private var firstFrame: Int64 = 0
    private var start: HostTime

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - ppm: Clock skew; clamped to ±``ppmLimit``, and NaN counts as 0.
    ///   - periodFrames: At least 1; `nil` for 10 ms.
    ///   - latencyFrames: 0 for a device that asks for a period as playback of the period begins.
    ///   - start: Host time of the first request.
    package init(
        sampleRate: SampleRate, ppm: Double = 0, periodFrames: Int? = nil, latencyFrames: Int = 0,
        startingAt start: HostTime
    ) {
        self.sampleRate = sampleRate
        self.ppm = ppm.isNaN ? 0 : min(max(ppm, -Self.ppmLimit), Self.ppmLimit)
        self.periodFrames = max(1, periodFrames ?? sampleRate.defaultPeriodFrames)
        self.latencyFrames = max(0, latencyFrames)
        self.start = start
    }

    /// Actual over nominal frame rate, in host time.
    package var rateRatio: Double { 1 + ppm * 1e-6 }

    /// Host time of the next request.
    package var nextDueTime: HostTime { time(of: nextFrame) }

    /// Returns the host time at which a frame leaves the device, rounded to the nearest nanosecond.
    package func playTime(of frame: Int64) -> HostTime { time(of: frame &+ Int64(latencyFrames)) }

    /// Returns the next period of ``periodFrames`` if it is due; call until `nil` to catch up.
    package mutating func nextPeriod(at now: HostTime) -> DeviceTime? {
        guard nextDueTime <= now else { return nil }
        defer { nextFrame &+= Int64(periodFrames) }
        return DeviceTime(frame: nextFrame, playTime: playTime(of: nextFrame), rateRatio: rateRatio)
    }

    /// Continues after an interruption: the next frame is due now.
    package mutating func restart(at now: HostTime) {
        firstFrame = nextFrame
        start = now
    }

    private func time(of frame: Int64) -> HostTime {
        let nanoseconds = Double(frame &- firstFrame) * 1e9 / (Double(sampleRate.hertz) * rateRatio)
        return HostTime(nanoseconds: start.nanoseconds &+ Int64(nanoseconds.rounded()))
    }
}

extension SampleRate {
    /// Frames in 10 ms.
    var defaultPeriodFrames: Int { max(1, hertz / 100) }
}
