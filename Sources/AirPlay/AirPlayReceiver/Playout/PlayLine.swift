import TuttiAudioOutput
import TuttiClockService
import TuttiMediaTime

/// A presentation line: maps positions to network time through one anchor position.
///
/// Like ``AnchoredTimeline``, with positions that do not wrap and fractions of a frame.
struct PlayLine: Hashable, Sendable {
    var position: Int64
    var networkTime: NetworkTime
    var rate: SampleRate
    /// Nanoseconds to add to ``networkTime``: its fraction and the latency offset.
    var extraNanoseconds = 0.0

    /// Returns the nanoseconds from the line's own instant to `time` plus `rest` nanoseconds.
    private func elapsed(at time: NetworkTime, plus rest: Double) -> Double {
        Double(time.nanoseconds &- networkTime.nanoseconds) + rest - extraNanoseconds
    }

    /// Returns the frames due by `time` plus `rest` nanoseconds, counted from ``position``.
    func frames(at time: NetworkTime, plus rest: Double) -> Double {
        elapsed(at: time, plus: rest) * 1e-9 * Double(rate.hertz)
    }

    /// Returns the same line anchored at another position, with another rate from there on.
    func changing(to rate: SampleRate, at position: Int64) -> PlayLine {
        let exact = Double(position &- self.position) * 1e9 / Double(self.rate.hertz) + extraNanoseconds
        // A sender that keeps jumping in RTP time can exceed 292 years.
        let nanoseconds = max(-9e18, min(9e18, exact))
        let whole = nanoseconds.rounded()
        return PlayLine(
            position: position,
            networkTime: NetworkTime(nanoseconds: networkTime.nanoseconds &+ Int64(whole)),
            rate: rate, extraNanoseconds: nanoseconds - whole)
    }

    /// Moves each position forward by frames, and keeps about `extra` nanoseconds as ``extraNanoseconds``.
    ///
    /// - Returns: The nanoseconds by which ``networkTime`` moved; `nil` if the way is too long.
    mutating func move(by frames: Double, extra: Double) -> Int64? {
        let exact = extraNanoseconds - frames * 1e9 / Double(rate.hertz)
        let whole = (exact - extra).rounded()
        guard abs(whole) < 0x1p60 else { return nil }
        networkTime = NetworkTime(nanoseconds: networkTime.nanoseconds &+ Int64(whole))
        extraNanoseconds = exact - whole
        return Int64(whole)
    }
}

extension PlayLine {
    /// Creates the line through an anchor, at a rate or else at that of the anchor's packet.
    ///
    /// - Returns: `nil` while no packet gives the anchor's position, or the rate that is not given.
    init?(
        through anchor: Anchor, rate: SampleRate? = nil, in decoder: StreamDecoder,
        _ configuration: PlayoutConfiguration
    ) {
        guard let position = decoder.position(of: anchor.rtpTime),
            let rate = rate ?? decoder.rate(at: position)
        else { return nil }
        self.init(
            position: position, networkTime: anchor.networkTime, rate: rate,
            extraNanoseconds: configuration.latencyOffset * 1e9)
    }
}

/// Maps device frames to host time, from the device's last report.
struct DeviceLine: Hashable, Sendable {
    var time: DeviceTime
    var rate: SampleRate

    /// Plausible clock rate ratios; the playout stays silent outside them.
    static let saneRatios = 0.9...1.1

    /// Returns the nanoseconds of host time from ``DeviceTime/playTime`` until `frame` is heard.
    func nanoseconds(to frame: Int64) -> Double {
        Double(frame &- time.frame) * 1e9 / (Double(rate.hertz) * time.rateRatio)
    }

    /// Returns the frame that is heard at `now`, rounded down.
    func frame(at now: HostTime) -> Int64 {
        guard Self.saneRatios.contains(time.rateRatio) else { return time.frame }
        let seconds = Double(now.nanoseconds &- time.playTime.nanoseconds) * 1e-9
        let frames = (seconds * Double(rate.hertz) * time.rateRatio).rounded(.down)
        return time.frame &+ Int64(max(-0x1p40, min(0x1p40, frames)))
    }
}

/// A device's line on the clock of the sender.
struct DeviceClock {
    var device: DeviceLine
    var mapping: ClockMapping

    var isSane: Bool {
        DeviceLine.saneRatios.contains(device.time.rateRatio)
            && DeviceLine.saneRatios.contains(mapping.rateRatio)
    }

    /// How much faster the clock runs than the device, as a fraction of 1, without ``slew``.
    var drift: Double { (mapping.rateRatio - mapping.slew) / device.time.rateRatio - 1 }
    /// The passing change of the clock's line by which it goes to a better estimate, as a fraction of 1.
    var slew: Double { mapping.slew }
    /// The seconds by which the line's sound will be due earlier when ``slew`` has ended; negative: later.
    var correction: Double { mapping.correction * 1e-9 }
    /// The clock's present uncertainty, seconds.
    var uncertainty: Double { mapping.uncertainty.inSeconds + mapping.doubt * 1e-9 }

    /// Returns the frame of `line`, counted from its position, that is due when the device plays `frame`.
    func frames(of line: PlayLine, at frame: Int64) -> Double {
        // Convert only the play time by the clock; the short rest needs fractions.
        let point = mapping.networkTime(at: device.time.playTime)
        return line.frames(at: point, plus: device.nanoseconds(to: frame) * mapping.rateRatio)
    }
}
