/// A point on the timeline of one network clock identity, in nanoseconds.
///
/// Which clock it is says the ``ClockIdentity`` that travels beside it. Never wall-clock time.
public struct NetworkTime: Hashable, Comparable, Sendable {
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static func < (left: NetworkTime, right: NetworkTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    public func advanced(by duration: Duration) -> NetworkTime {
        NetworkTime(nanoseconds: nanoseconds &+ duration.wholeNanoseconds)
    }

    public func since(_ earlier: NetworkTime) -> Duration { .nanoseconds(nanoseconds &- earlier.nanoseconds) }
}

/// The 64-bit identity of a network clock: a PTP clockIdentity.
public struct ClockIdentity: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Sixteen hexadecimal digits.
    public var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
