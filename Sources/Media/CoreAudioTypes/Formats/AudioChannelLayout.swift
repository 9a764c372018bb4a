/// The identifier of a channel arrangement; the low 16 bits are the number of channels.
public typealias AudioChannelLayoutTag = UInt32
/// The identifier of a channel's place.
public typealias AudioChannelLabel = UInt32

/// The channel descriptions define the arrangement.
public let kAudioChannelLayoutTag_UseChannelDescriptions: AudioChannelLayoutTag = 0 << 16 | 0
/// The channel bitmap defines the arrangement.
public let kAudioChannelLayoutTag_UseChannelBitmap: AudioChannelLayoutTag = 1 << 16 | 0
/// One channel.
public let kAudioChannelLayoutTag_Mono: AudioChannelLayoutTag = 100 << 16 | 1
/// Left, right.
public let kAudioChannelLayoutTag_Stereo: AudioChannelLayoutTag = 101 << 16 | 2
/// Left, right, centre, low frequency, left surround, right surround.
public let kAudioChannelLayoutTag_MPEG_5_1_A: AudioChannelLayoutTag = 121 << 16 | 6
/// The six channels of 5.1 and two more next to the centre.
public let kAudioChannelLayoutTag_MPEG_7_1_A: AudioChannelLayoutTag = 126 << 16 | 8
/// The six channels of 5.1 and two more at the back.
public let kAudioChannelLayoutTag_MPEG_7_1_C: AudioChannelLayoutTag = 128 << 16 | 8
/// Channels without a known place; combine with the number of channels in the low 16 bits.
public let kAudioChannelLayoutTag_DiscreteInOrder: AudioChannelLayoutTag = 147 << 16 | 0
/// An unknown arrangement; combine with the number of channels in the low 16 bits.
public let kAudioChannelLayoutTag_Unknown: AudioChannelLayoutTag = 0xFFFF_0000

/// Returns the number of channels in a layout tag.
@discardableResult
public func AudioChannelLayoutTag_GetNumberOfChannels(_ tag: AudioChannelLayoutTag) -> UInt32 {
    tag & 0xFFFF
}

/// A set of channel places.
public struct AudioChannelBitmap: OptionSet, Hashable, Sendable, BitwiseCopyable {
    /// The raw bits, one for each speaker.
    public let rawValue: UInt32

    /// Creates the set of speakers from its bits; unnamed bits are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Left.
    public static let bit_Left = AudioChannelBitmap(rawValue: 1 << 0)
    /// Right.
    public static let bit_Right = AudioChannelBitmap(rawValue: 1 << 1)
    /// Centre.
    public static let bit_Center = AudioChannelBitmap(rawValue: 1 << 2)
    /// Low-frequency effects.
    public static let bit_LFEScreen = AudioChannelBitmap(rawValue: 1 << 3)
    /// Left surround.
    public static let bit_LeftSurround = AudioChannelBitmap(rawValue: 1 << 4)
    /// Right surround.
    public static let bit_RightSurround = AudioChannelBitmap(rawValue: 1 << 5)
    /// Between left and centre.
    public static let bit_LeftCenter = AudioChannelBitmap(rawValue: 1 << 6)
    /// Between right and centre.
    public static let bit_RightCenter = AudioChannelBitmap(rawValue: 1 << 7)
    /// Centre surround, behind the listener.
    public static let bit_CenterSurround = AudioChannelBitmap(rawValue: 1 << 8)
    /// Left, at the side.
    public static let bit_LeftSurroundDirect = AudioChannelBitmap(rawValue: 1 << 9)
    /// Right, at the side.
    public static let bit_RightSurroundDirect = AudioChannelBitmap(rawValue: 1 << 10)
}

/// The coordinate system of a channel.
public struct AudioChannelFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
    /// The raw bits.
    public let rawValue: UInt32

    /// Creates flags from their bits; unnamed bits are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The coordinates are left to right, back to front, down to up.
    public static let rectangularCoordinates = AudioChannelFlags(rawValue: 1 << 0)
    /// The coordinates are azimuth, elevation, distance.
    public static let sphericalCoordinates = AudioChannelFlags(rawValue: 1 << 1)
    /// The distances are in metres.
    public static let meters = AudioChannelFlags(rawValue: 1 << 2)
}

/// The place of one channel.
public struct AudioChannelDescription: Sendable, BitwiseCopyable {
    /// The label of the place.
    public var mChannelLabel: AudioChannelLabel
    /// The coordinate system of ``mCoordinates``.
    public var mChannelFlags: AudioChannelFlags
    /// The coordinates of the place.
    public var mCoordinates: (Float32, Float32, Float32)

    /// Creates a value with every field zero.
    public init() {
        self.init(mChannelLabel: 0, mChannelFlags: [], mCoordinates: (0, 0, 0))
    }

    /// Creates a value from its fields.
    public init(
        mChannelLabel: AudioChannelLabel, mChannelFlags: AudioChannelFlags,
        mCoordinates: (Float32, Float32, Float32)
    ) {
        self.mChannelLabel = mChannelLabel
        self.mChannelFlags = mChannelFlags
        self.mCoordinates = mCoordinates
    }
}

/// A channel arrangement in C form: more descriptions may follow the first in memory.
public struct AudioChannelLayout: Sendable, BitwiseCopyable {
    /// The arrangement, or the source that defines the arrangement.
    public var mChannelLayoutTag: AudioChannelLayoutTag
    /// The places, if the tag selects the bitmap.
    public var mChannelBitmap: AudioChannelBitmap
    /// The number of descriptions.
    public var mNumberChannelDescriptions: UInt32
    /// The first description.
    public var mChannelDescriptions: AudioChannelDescription

    /// Creates a value with every field zero.
    public init() {
        self.init(
            mChannelLayoutTag: 0, mChannelBitmap: [], mNumberChannelDescriptions: 0,
            mChannelDescriptions: AudioChannelDescription())
    }

    /// Creates a value from its fields.
    public init(
        mChannelLayoutTag: AudioChannelLayoutTag, mChannelBitmap: AudioChannelBitmap,
        mNumberChannelDescriptions: UInt32, mChannelDescriptions: AudioChannelDescription
    ) {
        self.mChannelLayoutTag = mChannelLayoutTag
        self.mChannelBitmap = mChannelBitmap
        self.mNumberChannelDescriptions = mNumberChannelDescriptions
        self.mChannelDescriptions = mChannelDescriptions
    }
}

/// A channel arrangement as a Swift value.
public struct ManagedAudioChannelLayout: Sendable {
    /// The arrangement, or the source that defines the arrangement.
    public var tag: AudioChannelLayoutTag
    /// The places, if the tag selects the bitmap.
    public var bitmap: AudioChannelBitmap
    /// A description of each channel, if the tag selects the descriptions.
    public var channelDescriptions: [AudioChannelDescription]

    /// Creates a named arrangement.
    public init(tag: AudioChannelLayoutTag) {
        self.init(tag: tag, bitmap: [], channelDescriptions: [])
    }

    /// Creates an arrangement from its places.
    public init(bitmap: AudioChannelBitmap) {
        self.init(tag: kAudioChannelLayoutTag_UseChannelBitmap, bitmap: bitmap, channelDescriptions: [])
    }

    /// Creates an arrangement from the description of each channel.
    public init(channelDescriptions: [AudioChannelDescription]) {
        self.init(
            tag: kAudioChannelLayoutTag_UseChannelDescriptions, bitmap: [],
            channelDescriptions: channelDescriptions)
    }

    /// Creates an arrangement from its parts, without checks.
    package init(
        tag: AudioChannelLayoutTag, bitmap: AudioChannelBitmap, channelDescriptions: [AudioChannelDescription]
    ) {
        self.tag = tag
        self.bitmap = bitmap
        self.channelDescriptions = channelDescriptions
    }

    /// The number of channels.
    public var numberOfChannels: Int {
        switch tag {
        case kAudioChannelLayoutTag_UseChannelDescriptions: channelDescriptions.count
        case kAudioChannelLayoutTag_UseChannelBitmap: bitmap.rawValue.nonzeroBitCount
        default: Int(AudioChannelLayoutTag_GetNumberOfChannels(tag))
        }
    }
}
