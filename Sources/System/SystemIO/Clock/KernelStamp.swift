import TuttiMediaTime

/// Conversion of kernel stamps, which are on the wall clock.
enum KernelStamp {
    /// Maximum age in nanoseconds; an older stamp means that the wall clock was stepped or the reader slept.
    static let oldest: Int64 = 100_000_000

    /// Returns the host time of a stamp, given both clocks at one moment after it.
    ///
    /// A stamp from the future or older than ``oldest`` counts as `now`.
    static func hostTime(ofWall stamp: Int64, wallNow: Int64, now: HostTime) -> HostTime {
        let (age, overflow) = wallNow.subtractingReportingOverflow(stamp)
        guard !overflow, (0...oldest).contains(age) else { return now }
        return HostTime(nanoseconds: now.nanoseconds &- age)
    }

    /// Returns the host time of a stamp, with both clocks read now: the wall clock between two readings of
    /// the host clock.
    static func hostTime(ofWall stamp: Int64) -> HostTime {
        var best = reading()
        // An interruption between the readings makes the wall clock uncertain by its length, so the narrowest
        // reading wins.
        for _ in 0..<readings where best.width > Self.goodWidth {
            let next = reading()
            if next.width < best.width { best = next }
        }
        return hostTime(ofWall: stamp, wallNow: best.wall, now: best.host)
    }

    private static let readings = 8
    /// Sufficient width in nanoseconds; three readings take less on any machine that reads its clocks without
    /// the kernel.
    private static let goodWidth: Int64 = 400

    private static func reading() -> (host: HostTime, wall: Int64, width: Int64) {
        let before = SystemClock.now.nanoseconds
        let wall = SystemClock.wallNanoseconds
        let width = SystemClock.now.nanoseconds &- before
        return (HostTime(nanoseconds: before &+ width / 2), wall, width)
    }
}
