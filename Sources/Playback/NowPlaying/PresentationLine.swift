import CoreMedia
import MediaTime

/// An anchor: *presentation time `time` is heard at host time `host`, and from then on at `rate`.* Before
/// `host`, time stands at `time`.
public struct PresentationLine: Sendable, Hashable {
    /// Presentation time of the anchor.
    public var time: CMTime
    /// Host time of the anchor.
    public var host: HostTime
    /// Presentation seconds per second; 0 while time stands.
    public var rate: Double

    /// Makes a line through an anchor.
    public init(time: CMTime, host: HostTime, rate: Double) {
        (self.time, self.host, self.rate) = (time, host, rate)
    }

    /// Returns the presentation time heard at `now`.
    public func time(at now: HostTime) -> CMTime {
        guard rate != 0, now > host else { return time }
        return time + CMTime(seconds: now.since(host).inSeconds * rate, preferredTimescale: 1_000_000_000)
    }
}
