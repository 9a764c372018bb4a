import CoreMedia
import MediaTime

extension PlaybackTimeline {
    /// Presentation time `time` is heard at host time `host`, and time runs on from there at `rate`.
    struct Line: Equatable {
        var time: CMTime
        var host: HostTime
        /// 0 while paused or while a start is awaited.
        var rate: Double

        func time(at now: HostTime) -> CMTime {
            guard rate != 0, now > host else { return time }
            let (passed, overflow) = now.nanoseconds.subtractingReportingOverflow(host.nanoseconds)
            let elapsed = Double(overflow ? .max : passed) * rate
            // What does not fit is centuries away.
            let nanoseconds = Int64(exactly: elapsed.rounded(.towardZero)) ?? .max
            return time + CMTime(value: nanoseconds, timescale: 1_000_000_000)
        }

        /// When `wanted` is heard; `nil` while time stands still or for a time already past the anchor's start.
        func host(of wanted: CMTime) -> HostTime? {
            guard rate > 0 else { return nil }
            let seconds = (wanted - time).seconds / rate
            guard seconds.isFinite, abs(seconds) < 1e9 else { return nil }
            let (sum, overflow) = host.nanoseconds.addingReportingOverflow(
                Int64((seconds * 1e9).rounded(.up)))
            return overflow ? nil : HostTime(nanoseconds: sum)
        }
    }
}
