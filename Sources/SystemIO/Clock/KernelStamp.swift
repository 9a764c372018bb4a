internal import MediaTime

/// A receive stamp of the kernel, on the wall clock.
enum KernelStamp {
    /// A stamp further back than this is not believed: the wall clock was stepped, or the reader slept.
    static let oldest: Int64 = 100_000_000

    /// The host time of a stamp, given both clocks at one moment after it.
    ///
    /// A stamp from the future or older than ``oldest`` counts as `now`.
    static func hostTime(ofWall stamp: Int64, wallNow: Int64, now: HostTime) -> HostTime {
        let (age, overflow) = wallNow.subtractingReportingOverflow(stamp)
        guard !overflow, (0...oldest).contains(age) else { return now }
        return HostTime(nanoseconds: now.nanoseconds &- age)
    }

    /// The same, with both clocks read now: the wall clock between two readings of the host clock.
    static func hostTime(ofWall stamp: Int64) -> HostTime {
        let before = SystemClock.now.nanoseconds
        let wall = SystemClock.wallNanoseconds
        let after = SystemClock.now.nanoseconds
        return hostTime(
            ofWall: stamp, wallNow: wall, now: HostTime(nanoseconds: before &+ (after &- before) / 2))
    }
}
