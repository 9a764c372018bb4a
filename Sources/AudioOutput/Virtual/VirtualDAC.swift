public import MediaTime

/// The clock of a device that is not there: it plays at its nominal rate times 1 + ppm · 10⁻⁶ of host time.
///
///     playTime(frame) = start + latency + (frame − first) ⁄ (sampleRate · rateRatio)
///
/// Every time is computed from the start instant, so nothing adds up however long it plays. The device asks for
/// a period ``latencyFrames`` before its first frame leaves, and loses none when it is asked late.
public struct VirtualDAC: Hashable, Sendable {
    /// No crystal is off by more; 1 %.
    public static let ppmLimit = 10_000.0

    public let sampleRate: SampleRate
    /// How much faster than nominal it plays, in millionths of host time.
    public let ppm: Double
    public let periodFrames: Int
    /// From the moment a period is asked for to the moment its first frame leaves.
    public let latencyFrames: Int

    /// The next frame to be asked for.
    public private(set) var nextFrame: Int64 = 0
    /// The frame that was due at ``start``.
    private var firstFrame: Int64 = 0
    private var start: HostTime

    /// - Parameters:
    ///   - ppm: Held inside ±``ppmLimit``; not a number counts as 0.
    ///   - periodFrames: At least 1; `nil` for 10 ms.
    ///   - latencyFrames: 0 for a device that asks for a period as it begins to play it.
    ///   - start: When the first period is asked for.
    public init(
        sampleRate: SampleRate, ppm: Double = 0, periodFrames: Int? = nil, latencyFrames: Int = 0,
        startingAt start: HostTime
    ) {
        self.sampleRate = sampleRate
        self.ppm = ppm.isNaN ? 0 : min(max(ppm, -Self.ppmLimit), Self.ppmLimit)
        self.periodFrames = max(1, periodFrames ?? sampleRate.defaultPeriodFrames)
        self.latencyFrames = max(0, latencyFrames)
        self.start = start
    }

    /// Frames that it plays in a host second, over its nominal rate.
    public var rateRatio: Double { 1 + ppm * 1e-6 }

    /// When the next period is to be asked for.
    public var nextDueTime: HostTime { time(of: nextFrame) }

    /// When a frame leaves the device; rounded to the nearest nanosecond.
    public func playTime(of frame: Int64) -> HostTime { time(of: frame &+ Int64(latencyFrames)) }

    /// The next period of ``periodFrames``, when it is due; call it until it is `nil` to catch up.
    public mutating func nextPeriod(at now: HostTime) -> DeviceTime? {
        guard nextDueTime <= now else { return nil }
        defer { nextFrame &+= Int64(periodFrames) }
        return DeviceTime(frame: nextFrame, playTime: playTime(of: nextFrame), rateRatio: rateRatio)
    }

    /// Goes on after the device was away: the next frame is due now.
    public mutating func restart(at now: HostTime) {
        firstFrame = nextFrame
        start = now
    }

    private func time(of frame: Int64) -> HostTime {
        let nanoseconds = Double(frame &- firstFrame) * 1e9 / (Double(sampleRate.hertz) * rateRatio)
        return HostTime(nanoseconds: start.nanoseconds &+ Int64(nanoseconds.rounded()))
    }
}

extension SampleRate {
    /// Frames of 10 ms.
    var defaultPeriodFrames: Int { max(1, hertz / 100) }
}
