import MediaTime

/// The line a group plays along: `frame` is heard at `host`, the following ones at the sample rate.
public struct PlayLine: Hashable, Sendable {
    public var frame: Int64
    public var host: HostTime
    public let sampleRate: SampleRate

    public init(frame: Int64, host: HostTime, sampleRate: SampleRate) {
        self.frame = frame
        self.host = host
        self.sampleRate = sampleRate
    }

    /// The frame heard at `time`; before the line starts, its first frame.
    public func frame(at time: HostTime) -> Int64 {
        guard time > host else { return frame }
        return frame + sampleRate.frames(in: time.nanoseconds - host.nanoseconds)
    }

    /// When `frame` is heard.
    public func host(of frame: Int64) -> HostTime {
        HostTime(nanoseconds: host.nanoseconds + sampleRate.nanoseconds(of: frame - self.frame))
    }

    /// The same line, named by a later point.
    public func advanced(to time: HostTime) -> PlayLine {
        let frame = frame(at: time)
        return PlayLine(frame: frame, host: host(of: frame), sampleRate: sampleRate)
    }
}
