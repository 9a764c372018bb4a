/// RTP time: a count of frames modulo 2³² from a random start.
public struct RTPTime: Hashable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Frames from `earlier` to this time, the short way around: −2³¹ ..< 2³¹.
    public func frames(since earlier: RTPTime) -> Int64 {
        Int64(Int32(bitPattern: rawValue &- earlier.rawValue))
    }

    public func advanced(by frames: Int64) -> RTPTime {
        RTPTime(rawValue: rawValue &+ UInt32(truncatingIfNeeded: frames))
    }
}
