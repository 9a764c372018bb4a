/// A count of frames modulo 2³² from a random start.
package struct RTPTime: Hashable, Sendable {
    /// The count of frames modulo 2³².
    package var rawValue: UInt32

    /// Creates an RTP time.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Returns the frames from `earlier` to this time, the shorter way around: −2³¹ ..< 2³¹.
    package func frames(since earlier: RTPTime) -> Int64 {
        Int64(Int32(bitPattern: rawValue &- earlier.rawValue))
    }

    /// Returns the time `frames` frames later, modulo 2³².
    package func advanced(by frames: Int64) -> RTPTime {
        RTPTime(rawValue: rawValue &+ UInt32(truncatingIfNeeded: frames))
    }
}
