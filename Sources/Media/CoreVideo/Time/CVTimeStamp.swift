/// The parts of a ``CVTimeStamp`` that are valid, and the field that it belongs to.
public struct CVTimeStampFlags: OptionSet, Hashable, Sendable {
    /// The raw bits.
    public let rawValue: UInt64

    /// Creates flags from their bits; unnamed bits are kept.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The video time is valid.
    public static let videoTimeValid = CVTimeStampFlags(rawValue: 1 << 0)
    /// The host time is valid.
    public static let hostTimeValid = CVTimeStampFlags(rawValue: 1 << 1)
    /// The SMPTE time is valid.
    public static let smpteTimeValid = CVTimeStampFlags(rawValue: 1 << 2)
    /// The refresh period is valid.
    public static let videoRefreshPeriodValid = CVTimeStampFlags(rawValue: 1 << 3)
    /// The rate scalar is valid.
    public static let rateScalarValid = CVTimeStampFlags(rawValue: 1 << 4)
    /// The time is that of the upper field.
    public static let topField = CVTimeStampFlags(rawValue: 1 << 16)
    /// The time is that of the lower field.
    public static let bottomField = CVTimeStampFlags(rawValue: 1 << 17)
    /// Both the video time and the host time are valid.
    public static let videoHostTimeValid: CVTimeStampFlags = [.videoTimeValid, .hostTimeValid]
    /// The bits of both fields.
    public static let isInterlaced: CVTimeStampFlags = [.topField, .bottomField]
}

/// The frame rate and the counting of a ``CVSMPTETime``.
public enum CVSMPTETimeType: UInt32, Hashable, Sendable {
    /// 24 frames a second.
    case type24 = 0
    /// 25 frames a second.
    case type25 = 1
    /// 30 frames a second, drop-frame.
    case type30Drop = 2
    /// 30 frames a second.
    case type30 = 3
    /// 29.97 frames a second.
    case type2997 = 4
    /// 29.97 frames a second, drop-frame.
    case type2997Drop = 5
    /// 60 frames a second.
    case type60 = 6
    /// 59.94 frames a second.
    case type5994 = 7
}

/// The state of a ``CVSMPTETime``.
public struct CVSMPTETimeFlags: OptionSet, Hashable, Sendable {
    /// The raw bits.
    public let rawValue: UInt32

    /// Creates flags from their bits; unnamed bits are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The time is valid.
    public static let valid = CVSMPTETimeFlags(rawValue: 1 << 0)
    /// The time is running.
    public static let running = CVSMPTETimeFlags(rawValue: 1 << 1)
}

/// A time in hours, minutes, seconds and frames.
public struct CVSMPTETime: Hashable, Sendable, BitwiseCopyable {
    /// The number of subframes in addition to the frames.
    public var subframes: Int16
    /// The number of subframes in a frame.
    public var subframeDivisor: Int16
    /// The number of messages received.
    public var counter: UInt32
    /// The raw value of a ``CVSMPTETimeType``.
    public var type: UInt32
    /// The bits of ``CVSMPTETimeFlags``.
    public var flags: UInt32
    /// The hours.
    public var hours: Int16
    /// The minutes.
    public var minutes: Int16
    /// The seconds.
    public var seconds: Int16
    /// The frames.
    public var frames: Int16

    /// Creates a time of zeros.
    public init() {
        self.init(
            subframes: 0, subframeDivisor: 0, counter: 0, type: 0, flags: 0, hours: 0, minutes: 0, seconds: 0,
            frames: 0)
    }

    /// Creates a time from its parts.
    public init(
        subframes: Int16, subframeDivisor: Int16, counter: UInt32, type: UInt32, flags: UInt32, hours: Int16,
        minutes: Int16, seconds: Int16, frames: Int16
    ) {
        self.subframes = subframes
        self.subframeDivisor = subframeDivisor
        self.counter = counter
        self.type = type
        self.flags = flags
        self.hours = hours
        self.minutes = minutes
        self.seconds = seconds
        self.frames = frames
    }
}

/// A moment of a display's refresh: its place on the video timeline and on the host clock.
public struct CVTimeStamp: Hashable, Sendable, BitwiseCopyable {
    /// The version of the structure, 0.
    public var version: UInt32
    /// The number of the video time's units in a second.
    public var videoTimeScale: Int32
    /// The start of the frame, in units of ``videoTimeScale``.
    public var videoTime: Int64
    /// The host clock's reading at the start of the frame, in nanoseconds here.
    public var hostTime: UInt64
    /// The measured speed of the display relative to its nominal one.
    public var rateScalar: Double
    /// The nominal time between two refreshes, in units of ``videoTimeScale``.
    public var videoRefreshPeriod: Int64
    /// The same moment in SMPTE form.
    public var smpteTime: CVSMPTETime
    /// The bits of ``CVTimeStampFlags``.
    public var flags: UInt64
    /// Reserved, 0.
    public var reserved: UInt64

    /// Creates a time stamp of zeros, in which nothing is valid.
    public init() {
        self.init(
            version: 0, videoTimeScale: 0, videoTime: 0, hostTime: 0, rateScalar: 0, videoRefreshPeriod: 0,
            smpteTime: CVSMPTETime(), flags: 0, reserved: 0)
    }

    /// Creates a time stamp from its parts.
    public init(
        version: UInt32, videoTimeScale: Int32, videoTime: Int64, hostTime: UInt64, rateScalar: Double,
        videoRefreshPeriod: Int64, smpteTime: CVSMPTETime, flags: UInt64, reserved: UInt64
    ) {
        self.version = version
        self.videoTimeScale = videoTimeScale
        self.videoTime = videoTime
        self.hostTime = hostTime
        self.rateScalar = rateScalar
        self.videoRefreshPeriod = videoRefreshPeriod
        self.smpteTime = smpteTime
        self.flags = flags
        self.reserved = reserved
    }
}
