/// A point on the timeline of one network clock, in nanoseconds.
///
/// The ``ClockIdentity`` that travels beside it names the clock. Never wall-clock time.
public struct NetworkTime: Hashable, Comparable, Sendable {
    /// Nanoseconds on the network clock.
    public var nanoseconds: Int64

    /// Creates a network time.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Orders times from early to late.
    public static func < (left: NetworkTime, right: NetworkTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// Returns the time `duration` later; wraps at 64 bits.
    public func advanced(by duration: Duration) -> NetworkTime {
        NetworkTime(nanoseconds: nanoseconds &+ duration.wholeNanoseconds)
    }

    /// Returns the time from `earlier` to this point; negative if this point is the earlier one.
    public func since(_ earlier: NetworkTime) -> Duration { .nanoseconds(nanoseconds &- earlier.nanoseconds) }
}

/// The 64-bit identity of a network clock: a PTP clockIdentity.
public struct ClockIdentity: Hashable, Sendable, CustomStringConvertible {
    /// The identity's 64 bits, the first byte on the wire uppermost.
    public let rawValue: UInt64

    /// Creates an identity from its 64 bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Sixteen hexadecimal digits.
    public var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
