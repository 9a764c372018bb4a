import CoreMedia
import MediaTime

extension PlaybackTimeline {
    /// An anchor: presentation time `time` is heard at host time `host`, and time runs from there at `rate`.
    struct Line: Equatable {
        var time: CMTime
        var host: HostTime
        /// Presentation seconds per second; 0 while paused or while a start is awaited.
        var rate: Double

        /// Returns the presentation time heard at `now`.
        func time(at now: HostTime) -> CMTime {
            guard rate != 0, now > host else { return time }
            let (passed, overflow) = now.nanoseconds.subtractingReportingOverflow(host.nanoseconds)
            let elapsed = Double(overflow ? .max : passed) * rate
            // An overflow is centuries away.
            let nanoseconds = Int64(exactly: elapsed.rounded(.towardZero)) ?? .max
            return time + CMTime(value: nanoseconds, timescale: 1_000_000_000)
        }

        /// Returns the host time at which `wanted` is heard; `nil` unless time runs forward.
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
