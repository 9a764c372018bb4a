/// The numerator of a ``CMTime``.
public typealias CMTimeValue = Int64
/// The denominator of a ``CMTime``: units per second.
public typealias CMTimeScale = Int32
/// An identifier of a timeline; times of different epochs must not be mixed. Zero in nearly all uses.
public typealias CMTimeEpoch = Int64

/// The largest timescale.
public var kCMTimeMaxTimescale: Int { 0x7FFF_FFFF }

/// The flags that define the kind of a ``CMTime``.
public struct CMTimeFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
    /// The raw bits.
    public let rawValue: UInt32

    /// Creates flags from their bits; unnamed bits are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The time is valid; without this flag all other fields are ignored.
    public static let valid = CMTimeFlags(rawValue: 1 << 0)
    /// The value was rounded in an earlier computation.
    public static let hasBeenRounded = CMTimeFlags(rawValue: 1 << 1)
    /// The time is later than every number.
    public static let positiveInfinity = CMTimeFlags(rawValue: 1 << 2)
    /// The time is earlier than every number.
    public static let negativeInfinity = CMTimeFlags(rawValue: 1 << 3)
    /// The time is unknown, such as the length of a live stream.
    public static let indefinite = CMTimeFlags(rawValue: 1 << 4)
    /// The flags that mark a valid time as not a number.
    public static let impliedValueFlagsMask: CMTimeFlags = [
        .positiveInfinity, .negativeInfinity, .indefinite,
    ]
}

/// A time as a fraction of a second, `value / timescale`, or one of four times that are not numbers.
///
/// A time is a *number* if it is valid and none of the infinity and indefinite flags is set. Equality, order
/// and hash compare the time, not the fields: 1/2 equals 500/1000.
///
/// Layout: 24 bytes, as in C.
public struct CMTime: Sendable, BitwiseCopyable {
    /// The numerator.
    public var value: CMTimeValue
    /// The denominator; positive in a number.
    public var timescale: CMTimeScale
    /// The flags that define the kind of time.
    public var flags: CMTimeFlags
    /// The timeline of the time.
    public var epoch: CMTimeEpoch

    /// Creates an invalid time.
    public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

    /// Creates a time of `value / timescale` seconds; invalid unless the timescale is positive.
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self.init(value: value, timescale: timescale, epoch: 0)
    }

    init(value: CMTimeValue, timescale: CMTimeScale, epoch: CMTimeEpoch) {
        guard timescale > 0 else {
            self = .invalid
            return
        }
        self.init(value: value, timescale: timescale, flags: .valid, epoch: epoch)
    }

    /// Creates a time from its four fields, without checks.
    public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
        self.value = value
        self.timescale = timescale
        self.flags = flags
        self.epoch = epoch
    }

    /// Zero seconds.
    public static let zero = CMTime(value: 0, timescale: 1, flags: .valid, epoch: 0)
    /// An invalid time.
    public static let invalid = CMTime()
    /// An unknown time.
    public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
    /// A time later than every number.
    public static let positiveInfinity = CMTime(
        value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
    /// A time earlier than every number.
    public static let negativeInfinity = CMTime(
        value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
}

extension CMTime {
    /// Whether the time is valid; infinities and the indefinite time are.
    public var isValid: Bool { flags.contains(.valid) }

    /// Whether the time is a number of seconds.
    public var isNumeric: Bool { isValid && flags.isDisjoint(with: .impliedValueFlagsMask) }

    /// Whether the time is unknown.
    public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }

    /// Whether the time is later than every number.
    public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }

    /// Whether the time is earlier than every number.
    public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }

    /// Whether the value was rounded in an earlier computation.
    public var hasBeenRounded: Bool { isValid && flags.contains(.hasBeenRounded) }
}
