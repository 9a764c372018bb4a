/// The meaning of a ``CVTime`` beside its number.
public struct CVTimeFlags: OptionSet, Hashable, Sendable {
    /// The raw bits.
    public let rawValue: Int32

    /// Creates flags from their bits; unnamed bits are kept.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The time is unknown.
    public static let isIndefinite = CVTimeFlags(rawValue: 1 << 0)
}

/// A time as a fraction of seconds: value divided by scale.
public struct CVTime: Hashable, Sendable, BitwiseCopyable {
    /// The number of units.
    public var timeValue: Int64
    /// The number of units in a second.
    public var timeScale: Int32
    /// The bits of ``CVTimeFlags``.
    public var flags: Int32

    /// Creates a time of zeros.
    public init() { self.init(timeValue: 0, timeScale: 0, flags: 0) }

    /// Creates a time from its parts.
    public init(timeValue: Int64, timeScale: Int32, flags: Int32) {
        self.timeValue = timeValue
        self.timeScale = timeScale
        self.flags = flags
    }
}

/// Zero seconds.
public let kCVZeroTime = CVTime(timeValue: 0, timeScale: 1, flags: 0)
/// An unknown time.
public let kCVIndefiniteTime = CVTime(
    timeValue: 0, timeScale: 0, flags: CVTimeFlags.isIndefinite.rawValue)

/// Returns the host clock's reading, in the unit of `CVTimeStamp.hostTime`: nanoseconds here.
@discardableResult
public func CVGetCurrentHostTime() -> UInt64 { mach_absolute_time() }

/// Returns the number of the host clock's units in a second.
@discardableResult
public func CVGetHostClockFrequency() -> Double { Double(NSEC_PER_SEC) }

/// Returns the smallest step of the host clock, in its unit.
@discardableResult
public func CVGetHostClockMinimumTimeDelta() -> UInt32 { 1 }
