import AVFoundation

/// The start time of this process on the host clock, so that a measured delay includes the program's own launch.
enum ProcessStart {
    /// The time from `/proc`, in steps of a clock tick (10 ms); `nil` if unreadable.
    static let time: CMTime? = {
        guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            let close = text.lastIndex(of: ")")
        else { return nil }
        // Field 22 of the line: ticks since boot. The name in parentheses may contain spaces.
        let fields = text[text.index(after: close)...].split(separator: " ")
        guard fields.count > 19, let ticks = Int64(fields[19]) else { return nil }
        let perSecond = Int64(sysconf(Int32(_SC_CLK_TCK)))
        guard perSecond > 0 else { return nil }
        let start = CMTime(value: ticks * (1_000_000_000 / perSecond), timescale: 1_000_000_000)
        // Boot time and the monotonic clock differ by the time asleep; reject an implausible start.
        let age = (CMClockGetTime(CMClockGetHostTimeClock()) - start).seconds
        return age >= 0 && age < 5 ? start : nil
    }()
}
