/// Names an arrangement of channels; the low 16 bits are their number.
public typealias AudioChannelLayoutTag = UInt32
/// Names the place of one channel.
public typealias AudioChannelLabel = UInt32

/// The arrangement is given by the channel descriptions.
public let kAudioChannelLayoutTag_UseChannelDescriptions: AudioChannelLayoutTag = 0 << 16 | 0
/// The arrangement is given by the channel bitmap.
public let kAudioChannelLayoutTag_UseChannelBitmap: AudioChannelLayoutTag = 1 << 16 | 0
/// One channel.
public let kAudioChannelLayoutTag_Mono: AudioChannelLayoutTag = 100 << 16 | 1
/// Left, right.
public let kAudioChannelLayoutTag_Stereo: AudioChannelLayoutTag = 101 << 16 | 2
/// Left, right, centre, low frequency, left surround, right surround.
public let kAudioChannelLayoutTag_MPEG_5_1_A: AudioChannelLayoutTag = 121 << 16 | 6
/// Six channels and two more beside the centre.
public let kAudioChannelLayoutTag_MPEG_7_1_A: AudioChannelLayoutTag = 126 << 16 | 8
/// Six channels and two more behind.
public let kAudioChannelLayoutTag_MPEG_7_1_C: AudioChannelLayoutTag = 128 << 16 | 8
/// Channels without a known place; or the number in the low 16 bits.
public let kAudioChannelLayoutTag_DiscreteInOrder: AudioChannelLayoutTag = 147 << 16 | 0
/// Unknown; or the number in the low 16 bits.
public let kAudioChannelLayoutTag_Unknown: AudioChannelLayoutTag = 0xFFFF_0000

/// How many channels a layout tag stands for.
@discardableResult
public func AudioChannelLayoutTag_GetNumberOfChannels(_ tag: AudioChannelLayoutTag) -> UInt32 {
    tag & 0xFFFF
}

/// A set of channel places.
public struct AudioChannelBitmap: OptionSet, Hashable, Sendable, BitwiseCopyable {
    /// The bits, one for each speaker.
    public let rawValue: UInt32

    /// The speakers of these bits; bits without a name are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Left.
    public static let bit_Left = AudioChannelBitmap(rawValue: 1 << 0)
    /// Right.
    public static let bit_Right = AudioChannelBitmap(rawValue: 1 << 1)
    /// Centre.
    public static let bit_Center = AudioChannelBitmap(rawValue: 1 << 2)
    /// Low frequencies.
    public static let bit_LFEScreen = AudioChannelBitmap(rawValue: 1 << 3)
    /// Left surround.
    public static let bit_LeftSurround = AudioChannelBitmap(rawValue: 1 << 4)
    /// Right surround.
    public static let bit_RightSurround = AudioChannelBitmap(rawValue: 1 << 5)
    /// Between left and centre.
    public static let bit_LeftCenter = AudioChannelBitmap(rawValue: 1 << 6)
    /// Between right and centre.
    public static let bit_RightCenter = AudioChannelBitmap(rawValue: 1 << 7)
    /// Behind.
    public static let bit_CenterSurround = AudioChannelBitmap(rawValue: 1 << 8)
    /// Left, at the side.
    public static let bit_LeftSurroundDirect = AudioChannelBitmap(rawValue: 1 << 9)
    /// Right, at the side.
    public static let bit_RightSurroundDirect = AudioChannelBitmap(rawValue: 1 << 10)
}

/// How a channel's coordinates are meant.
public struct AudioChannelFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
    /// The bits.
    public let rawValue: UInt32

    /// The flags of these bits; bits without a name are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Coordinates are left to right, back to front, down to up.
    public static let rectangularCoordinates = AudioChannelFlags(rawValue: 1 << 0)
    /// Coordinates are azimuth, elevation, distance.
    public static let sphericalCoordinates = AudioChannelFlags(rawValue: 1 << 1)
    /// Distances are in metres.
    public static let meters = AudioChannelFlags(rawValue: 1 << 2)
}

/// The place of one channel.
public struct AudioChannelDescription: Sendable, BitwiseCopyable {
    /// The name of the place.
    public var mChannelLabel: AudioChannelLabel
    /// How the coordinates are meant.
    public var mChannelFlags: AudioChannelFlags
    /// The place in space.
    public var mCoordinates: (Float32, Float32, Float32)

    /// All zero.
    public init() {
        self.init(mChannelLabel: 0, mChannelFlags: [], mCoordinates: (0, 0, 0))
    }

    /// Takes the fields as they are.
    public init(
        mChannelLabel: AudioChannelLabel, mChannelFlags: AudioChannelFlags,
        mCoordinates: (Float32, Float32, Float32)
    ) {
        self.mChannelLabel = mChannelLabel
        self.mChannelFlags = mChannelFlags
        self.mCoordinates = mCoordinates
    }
}

/// An arrangement of channels in its C form: more descriptions may follow the first in memory.
public struct AudioChannelLayout: Sendable, BitwiseCopyable {
    /// The arrangement, or where it is given.
    public var mChannelLayoutTag: AudioChannelLayoutTag
    /// The places, if the tag says so.
    public var mChannelBitmap: AudioChannelBitmap
    /// How many descriptions follow.
    public var mNumberChannelDescriptions: UInt32
    /// The first description.
    public var mChannelDescriptions: AudioChannelDescription

    /// All zero.
    public init() {
        self.init(
            mChannelLayoutTag: 0, mChannelBitmap: [], mNumberChannelDescriptions: 0,
            mChannelDescriptions: AudioChannelDescription())
    }

    /// Takes the fields as they are.
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

/// An arrangement of channels as a Swift value.
public struct ManagedAudioChannelLayout: Sendable {
    /// The arrangement, or where it is given.
    public var tag: AudioChannelLayoutTag
    /// The places, if the tag says so.
    public var bitmap: AudioChannelBitmap
    /// A description of each channel, if the tag says so.
    public var channelDescriptions: [AudioChannelDescription]

    /// A named arrangement.
    public init(tag: AudioChannelLayoutTag) {
        self.init(tag: tag, bitmap: [], channelDescriptions: [])
    }

    /// An arrangement by places.
    public init(bitmap: AudioChannelBitmap) {
        self.init(tag: kAudioChannelLayoutTag_UseChannelBitmap, bitmap: bitmap, channelDescriptions: [])
    }

    /// An arrangement by the description of each channel.
    public init(channelDescriptions: [AudioChannelDescription]) {
        self.init(
            tag: kAudioChannelLayoutTag_UseChannelDescriptions, bitmap: [],
            channelDescriptions: channelDescriptions)
    }

    /// Takes the parts as they are.
    package init(
        tag: AudioChannelLayoutTag, bitmap: AudioChannelBitmap, channelDescriptions: [AudioChannelDescription]
    ) {
        self.tag = tag
        self.bitmap = bitmap
        self.channelDescriptions = channelDescriptions
    }

    /// How many channels the arrangement has.
    public var numberOfChannels: Int {
        switch tag {
        case kAudioChannelLayoutTag_UseChannelDescriptions: channelDescriptions.count
        case kAudioChannelLayoutTag_UseChannelBitmap: bitmap.rawValue.nonzeroBitCount
        default: Int(AudioChannelLayoutTag_GetNumberOfChannels(tag))
        }
    }
}
