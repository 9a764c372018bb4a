/// A time on several clocks at once; ``mFlags`` says which fields are valid.
public struct AudioTimeStamp: Sendable, BitwiseCopyable {
    /// The sample time, in frames since a start.
    public var mSampleTime: Float64
    /// A reading of the host clock.
    public var mHostTime: UInt64
    /// The ratio of host time to sample time; 1 at the nominal speed.
    public var mRateScalar: Float64
    /// The time on the device's clock.
    public var mWordClockTime: UInt64
    /// The SMPTE time code.
    public var mSMPTETime: SMPTETime
    /// The valid fields.
    public var mFlags: AudioTimeStampFlags
    /// Reserved; zero.
    public var mReserved: UInt32

    /// Creates a time stamp without a valid field.
    public init() {
        self.init(
            mSampleTime: 0, mHostTime: 0, mRateScalar: 0, mWordClockTime: 0, mSMPTETime: SMPTETime(),
            mFlags: [], mReserved: 0)
    }

    /// Creates a value from its fields.
    public init(
        mSampleTime: Float64, mHostTime: UInt64, mRateScalar: Float64, mWordClockTime: UInt64,
        mSMPTETime: SMPTETime, mFlags: AudioTimeStampFlags, mReserved: UInt32
    ) {
        self.mSampleTime = mSampleTime
        self.mHostTime = mHostTime
        self.mRateScalar = mRateScalar
        self.mWordClockTime = mWordClockTime
        self.mSMPTETime = mSMPTETime
        self.mFlags = mFlags
        self.mReserved = mReserved
    }
}

/// The valid fields of a time stamp.
public struct AudioTimeStampFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
    /// The raw bits.
    public let rawValue: UInt32

    /// Creates flags from their bits; unnamed bits are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The sample time is valid.
    public static let sampleTimeValid = AudioTimeStampFlags(rawValue: 1 << 0)
    /// The host time is valid.
    public static let hostTimeValid = AudioTimeStampFlags(rawValue: 1 << 1)
    /// The rate scalar is valid.
    public static let rateScalarValid = AudioTimeStampFlags(rawValue: 1 << 2)
    /// The word clock time is valid.
    public static let wordClockTimeValid = AudioTimeStampFlags(rawValue: 1 << 3)
    /// The time code is valid.
    public static let smpteTimeValid = AudioTimeStampFlags(rawValue: 1 << 4)
    /// The sample time and the host time are valid.
    public static let sampleHostTimeValid: AudioTimeStampFlags = [.sampleTimeValid, .hostTimeValid]
}

/// A SMPTE time code.
public struct SMPTETime: Hashable, Sendable, BitwiseCopyable {
    /// Subframes in the full frame.
    public var mSubframes: Int16
    /// Subframes per frame.
    public var mSubframeDivisor: Int16
    /// The number of messages received.
    public var mCounter: UInt32
    /// The kind of time code.
    public var mType: SMPTETimeType
    /// The state of the time code.
    public var mFlags: SMPTETimeFlags
    /// Hours.
    public var mHours: Int16
    /// Minutes.
    public var mMinutes: Int16
    /// Seconds.
    public var mSeconds: Int16
    /// Frames.
    public var mFrames: Int16

    /// Creates a time code with every field zero.
    public init() {
        (mSubframes, mSubframeDivisor, mCounter, mType, mFlags) = (0, 0, 0, .type24, [])
        (mHours, mMinutes, mSeconds, mFrames) = (0, 0, 0, 0)
    }
}

/// The kind of a SMPTE time code, by its frames per second.
public enum SMPTETimeType: UInt32, Sendable, BitwiseCopyable {
    /// 24 frames.
    case type24 = 0
    /// 25 frames.
    case type25
    /// 30 frames, some dropped.
    case type30Drop
    /// 30 frames.
    case type30
    /// 29.97 frames.
    case type2997
    /// 29.97 frames, some dropped.
    case type2997Drop
    /// 60 frames.
    case type60
    /// 59.94 frames.
    case type5994
    /// 60 frames, some dropped.
    case type60Drop
    /// 59.94 frames, some dropped.
    case type5994Drop
    /// 50 frames.
    case type50
    /// 23.98 frames.
    case type2398
}

/// The state of a SMPTE time code.
public struct SMPTETimeFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
    /// The raw bits.
    public let rawValue: UInt32

    /// Creates flags from their bits; unnamed bits are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The full time is known.
    public static let valid = SMPTETimeFlags(rawValue: 1 << 0)
    /// The time is running.
    public static let running = SMPTETimeFlags(rawValue: 1 << 1)
}
