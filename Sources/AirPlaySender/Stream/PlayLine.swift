import MediaTime

/// The line that a group plays along: `frame` is heard at `host`, later frames at the sample rate.
public struct PlayLine: Hashable, Sendable {
    /// The timeline frame of the reference.
    public var frame: Int64
    /// The host time at which ``frame`` is heard.
    public var host: HostTime
    /// The frames per second.
    public let sampleRate: SampleRate

    /// Creates a line on which `frame` is heard at `host`.
    public init(frame: Int64, host: HostTime, sampleRate: SampleRate) {
        self.frame = frame
        self.host = host
        self.sampleRate = sampleRate
    }

    /// Returns the frame heard at `time`; before the line starts, its first frame.
    public func frame(at time: HostTime) -> Int64 {
        guard time > host else { return frame }
        return frame + sampleRate.frames(in: time.nanoseconds - host.nanoseconds)
    }

    /// Returns the host time at which `frame` is heard.
    public func host(of frame: Int64) -> HostTime {
        HostTime(nanoseconds: host.nanoseconds + sampleRate.nanoseconds(of: frame - self.frame))
    }

    /// Returns the same line with a later reference point.
    public func advanced(to time: HostTime) -> PlayLine {
        let frame = frame(at: time)
        return PlayLine(frame: frame, host: host(of: frame), sampleRate: sampleRate)
    }
}
