/// A count of frames modulo 2³² from a random start.
public struct RTPTime: Hashable, Sendable {
    /// The count of frames modulo 2³².
    public var rawValue: UInt32

    /// Creates an RTP time.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Returns the frames from `earlier` to this time, the shorter way around: −2³¹ ..< 2³¹.
    public func frames(since earlier: RTPTime) -> Int64 {
        Int64(Int32(bitPattern: rawValue &- earlier.rawValue))
    }

    /// Returns the time `frames` frames later, modulo 2³².
    public func advanced(by frames: Int64) -> RTPTime {
        RTPTime(rawValue: rawValue &+ UInt32(truncatingIfNeeded: frames))
    }
}
