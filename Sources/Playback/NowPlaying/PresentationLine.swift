import CoreMedia
import MediaTime

/// *Presentation time `time` is heard at host time `host`, and from then on at `rate`.* Before `host`, time
/// stands at `time`.
public struct PresentationLine: Sendable, Hashable {
    public var time: CMTime
    public var host: HostTime
    /// 0 while nothing runs.
    public var rate: Double

    public init(time: CMTime, host: HostTime, rate: Double) {
        (self.time, self.host, self.rate) = (time, host, rate)
    }

    /// The presentation time heard at `now`.
    public func time(at now: HostTime) -> CMTime {
        guard rate != 0, now > host else { return time }
        return time + CMTime(seconds: now.since(host).inSeconds * rate, preferredTimescale: 1_000_000_000)
    }
}
