/// The numerator of a ``CMTime``.
public typealias CMTimeValue = Int64
/// The denominator of a ``CMTime``: units per second.
public typealias CMTimeScale = Int32
/// Tells timelines apart whose times must not be mixed; zero in nearly all uses.
public typealias CMTimeEpoch = Int64

/// The largest timescale.
public var kCMTimeMaxTimescale: Int { 0x7FFF_FFFF }

/// Says which kind of time a ``CMTime`` is.
public struct CMTimeFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
    /// The bits.
    public let rawValue: UInt32

    /// The flags of these bits; bits without a name are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The time means something; without it all other fields are ignored.
    public static let valid = CMTimeFlags(rawValue: 1 << 0)
    /// The value was rounded on the way to this time.
    public static let hasBeenRounded = CMTimeFlags(rawValue: 1 << 1)
    /// Later than every number.
    public static let positiveInfinity = CMTimeFlags(rawValue: 1 << 2)
    /// Earlier than every number.
    public static let negativeInfinity = CMTimeFlags(rawValue: 1 << 3)
    /// Not known, such as the length of a live stream.
    public static let indefinite = CMTimeFlags(rawValue: 1 << 4)
    /// The flags that make a valid time something else than a number.
    public static let impliedValueFlagsMask: CMTimeFlags = [
        .positiveInfinity, .negativeInfinity, .indefinite,
    ]
}

/// A time as a fraction of a second, `value / timescale`, or one of four times that are not numbers.
///
/// A time is a *number* when it is valid and none of the infinity and indefinite flags is set.
/// Equality, order and hash go by the time, not by the fields: 1/2 equals 500/1000.
///
/// Layout: 24 bytes, as in C.
public struct CMTime: Sendable, BitwiseCopyable {
    /// The numerator.
    public var value: CMTimeValue
    /// The denominator; positive in a number.
    public var timescale: CMTimeScale
    /// The kind of time.
    public var flags: CMTimeFlags
    /// The timeline that the time belongs to.
    public var epoch: CMTimeEpoch

    /// The invalid time.
    public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

    /// `value / timescale` seconds; invalid unless the timescale is positive.
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

    /// Takes the four fields as they are.
    public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
        self.value = value
        self.timescale = timescale
        self.flags = flags
        self.epoch = epoch
    }

    /// Zero seconds.
    public static let zero = CMTime(value: 0, timescale: 1, flags: .valid, epoch: 0)
    /// No time.
    public static let invalid = CMTime()
    /// A time that is not known.
    public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
    /// Later than every number.
    public static let positiveInfinity = CMTime(
        value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
    /// Earlier than every number.
    public static let negativeInfinity = CMTime(
        value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
}

extension CMTime {
    /// Whether this is a time at all; infinities and the indefinite time are valid.
    public var isValid: Bool { flags.contains(.valid) }

    /// Whether this is a number of seconds.
    public var isNumeric: Bool { isValid && flags.isDisjoint(with: .impliedValueFlagsMask) }

    /// Whether this is the time that is not known.
    public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }

    /// Whether this is later than every number.
    public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }

    /// Whether this is earlier than every number.
    public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }

    /// Whether the value was rounded on the way to this time.
    public var hasBeenRounded: Bool { isValid && flags.contains(.hasBeenRounded) }
}
