import Foundation

/// The offset of a place's clocks from UTC, at every moment.
struct LocalTime: Sendable {
    /// Returns the seconds that clocks are ahead of UTC at a Unix time.
    let offset: @Sendable (Int) -> Int

    init(offset: @escaping @Sendable (Int) -> Int) { self.offset = offset }

    init(_ zone: TimeZone) {
        self.init { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))) }
    }

    /// The time of this machine, as `/etc/localtime` or `TZ` says now. The C library follows changes of the file and
    /// understands every form of it.
    static let system = LocalTime { time in
        tzset()
        var (time, local) = (time_t(time), tm())
        guard localtime_r(&time, &local) != nil else { return 0 }
        return local.tm_gmtoff
    }
}
