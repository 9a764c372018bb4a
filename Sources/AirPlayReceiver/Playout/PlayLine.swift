internal import AudioOutput
internal import ClockService
internal import MediaTime

/// Which frame is due when: a straight line through one place and its network time.
///
/// Like ``AnchoredTimeline``, with places that do not wrap, in fractions of a frame.
struct PlayLine: Hashable, Sendable {
    var position: Int64
    var networkTime: NetworkTime
    var rate: SampleRate
    /// Added to ``networkTime``: what is less than a nanosecond, and the latency offset.
    var extraNanoseconds = 0.0

    /// Nanoseconds from `time` plus `rest` nanoseconds, back to the line's own instant.
    private func elapsed(at time: NetworkTime, plus rest: Double) -> Double {
        Double(time.nanoseconds &- networkTime.nanoseconds) + rest - extraNanoseconds
    }

    /// The place that is due, in frames since ``position``.
    func frames(at time: NetworkTime, plus rest: Double) -> Double {
        elapsed(at: time, plus: rest) * 1e-9 * Double(rate.hertz)
    }

    /// The same line from another place on, from which frames are counted at another rate.
    func changing(to rate: SampleRate, at position: Int64) -> PlayLine {
        let exact = Double(position &- self.position) * 1e9 / Double(self.rate.hertz) + extraNanoseconds
        // A sender that jumps in RTP time all the while can get beyond 292 years.
        let nanoseconds = max(-9e18, min(9e18, exact))
        let whole = nanoseconds.rounded()
        return PlayLine(
            position: position,
            networkTime: NetworkTime(nanoseconds: networkTime.nanoseconds &+ Int64(whole)),
            rate: rate, extraNanoseconds: nanoseconds - whole)
    }
}

/// When each frame of a device is heard, from what the device last said.
struct DeviceLine: Hashable, Sendable {
    var time: DeviceTime
    var rate: SampleRate

    /// Rates of clocks beyond this are a mistake, and are not calculated with.
    static let saneRatios = 0.9...1.1

    func isSane(with mapping: ClockMapping) -> Bool {
        Self.saneRatios.contains(time.rateRatio) && Self.saneRatios.contains(mapping.rateRatio)
    }

    /// Host time after ``DeviceTime/playTime`` at which `frame` is heard, nanoseconds.
    func nanoseconds(to frame: Int64) -> Double {
        Double(frame &- time.frame) * 1e9 / (Double(rate.hertz) * time.rateRatio)
    }

    /// The frame that is heard at `now`, rounded down.
    func frame(at now: HostTime) -> Int64 {
        guard Self.saneRatios.contains(time.rateRatio) else { return time.frame }
        let seconds = Double(now.nanoseconds &- time.playTime.nanoseconds) * 1e-9
        let frames = (seconds * Double(rate.hertz) * time.rateRatio).rounded(.down)
        return time.frame &+ Int64(max(-0x1p40, min(0x1p40, frames)))
    }

    /// The place of `line` that is due when the device plays `frame`.
    func frames(of line: PlayLine, at frame: Int64, by mapping: ClockMapping) -> Double {
        // Only the point is converted by the clock; the way from it is short, and needs fractions.
        let point = mapping.networkTime(at: time.playTime)
        return line.frames(at: point, plus: nanoseconds(to: frame) * mapping.rateRatio)
    }
}
