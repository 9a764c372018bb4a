// The questions about formats, and their errors.

/// An identifier of a question about formats.
public typealias AudioFormatPropertyID = UInt32

/// A stream description completed from its format id; specifier: a magic cookie or nothing
/// (`AudioStreamBasicDescription`).
public let kAudioFormatProperty_FormatInfo = AudioFormatPropertyID(fourCharacters: "fmti")
/// The name of a format for people; specifier: a stream description (`CFString`, the caller's to release).
public let kAudioFormatProperty_FormatName = AudioFormatPropertyID(fourCharacters: "fnam")
/// The formats that a converter can produce (`[AudioFormatID]`).
public let kAudioFormatProperty_EncodeFormatIDs = AudioFormatPropertyID(fourCharacters: "acof")
/// The formats that a converter can read (`[AudioFormatID]`).
public let kAudioFormatProperty_DecodeFormatIDs = AudioFormatPropertyID(fourCharacters: "acif")
/// The formats in which a stream can be read, best first; specifier: ``AudioFormatInfo`` (`[AudioFormatListItem]`).
public let kAudioFormatProperty_FormatList = AudioFormatPropertyID(fourCharacters: "flst")
/// The index of the first format that can be decoded; specifier: `[AudioFormatListItem]` (`UInt32`).
public let kAudioFormatProperty_FirstPlayableFormatFromList = AudioFormatPropertyID(fourCharacters: "fpfl")
/// The stream description in an MPEG-4 descriptor; specifier: its bytes (`AudioStreamBasicDescription`).
public let kAudioFormatProperty_ASBDFromESDS = AudioFormatPropertyID(fourCharacters: "essd")
/// The channel layout in an MPEG-4 descriptor; specifier: its bytes (`AudioChannelLayout`).
public let kAudioFormatProperty_ChannelLayoutFromESDS = AudioFormatPropertyID(fourCharacters: "escl")
/// Whether packets vary in size; specifier: a stream description (`UInt32`).
public let kAudioFormatProperty_FormatIsVBR = AudioFormatPropertyID(fourCharacters: "fvbr")
/// Whether packets need descriptions; specifier: a stream description (`UInt32`).
public let kAudioFormatProperty_FormatIsExternallyFramed = AudioFormatPropertyID(fourCharacters: "fexf")
/// Whether a format is encrypted; specifier: a format id (`UInt32`).
public let kAudioFormatProperty_FormatIsEncrypted = AudioFormatPropertyID(fourCharacters: "cryp")
/// The encoders of a format; specifier: a format id (`[AudioClassDescription]`).
public let kAudioFormatProperty_Encoders = AudioFormatPropertyID(fourCharacters: "aven")
/// The decoders of a format; specifier: a format id (`[AudioClassDescription]`).
public let kAudioFormatProperty_Decoders = AudioFormatPropertyID(fourCharacters: "avde")
/// The bit rates of an encoder; specifier: a format id (`[AudioValueRange]`).
public let kAudioFormatProperty_AvailableEncodeBitRates = AudioFormatPropertyID(fourCharacters: "aebr")
/// The sample rates of an encoder; specifier: a format id (`[AudioValueRange]`).
public let kAudioFormatProperty_AvailableEncodeSampleRates = AudioFormatPropertyID(fourCharacters: "aesr")
/// The places of a layout as bits; specifier: a layout tag (`UInt32`).
public let kAudioFormatProperty_BitmapForLayoutTag = AudioFormatPropertyID(fourCharacters: "bmtg")
/// The number of channels in a layout; specifier: a layout (`UInt32`).
public let kAudioFormatProperty_NumberOfChannelsForLayout = AudioFormatPropertyID(fourCharacters: "nchm")
/// Whether two layouts are equal; specifier: the addresses of two layouts (`UInt32`).
public let kAudioFormatProperty_AreChannelLayoutsEquivalent = AudioFormatPropertyID(fourCharacters: "cheq")
/// A layout without contradictions; specifier: a layout (`AudioChannelLayout`).
public let kAudioFormatProperty_ValidateChannelLayout = AudioFormatPropertyID(fourCharacters: "vacl")
/// The description of each channel of a tag; specifier: a layout tag (`AudioChannelLayout`).
public let kAudioFormatProperty_ChannelLayoutForTag = AudioFormatPropertyID(fourCharacters: "cmpl")
/// The tag of a layout; specifier: a layout (`AudioChannelLayoutTag`).
public let kAudioFormatProperty_TagForChannelLayout = AudioFormatPropertyID(fourCharacters: "cmpt")
/// The description of each channel of a set of places; specifier: the bits (`AudioChannelLayout`).
public let kAudioFormatProperty_ChannelLayoutForBitmap = AudioFormatPropertyID(fourCharacters: "cmpb")
/// The name of a layout for people; specifier: a layout (`CFString`, the caller's to release).
public let kAudioFormatProperty_ChannelLayoutName = AudioFormatPropertyID(fourCharacters: "lonm")
/// The name of a channel for people; specifier: a channel description (`CFString`, the caller's to release).
public let kAudioFormatProperty_ChannelName = AudioFormatPropertyID(fourCharacters: "cnam")
/// The tags with this many channels; specifier: the number (`[AudioChannelLayoutTag]`).
public let kAudioFormatProperty_TagsForNumberOfChannels = AudioFormatPropertyID(fourCharacters: "tagc")
/// The size of an ID3 tag in bytes; specifier: the tag's first ten bytes (`UInt32`).
public let kAudioFormatProperty_ID3TagSize = AudioFormatPropertyID(fourCharacters: "id3s")

/// An unspecified failure.
public let kAudioFormatUnspecifiedError = OSStatus(bitPattern: FourCharCode(fourCharacters: "what"))
/// The question is not supported.
public let kAudioFormatUnsupportedPropertyError = OSStatus(bitPattern: FourCharCode(fourCharacters: "prop"))
/// There is not enough room for the answer.
public let kAudioFormatBadPropertySizeError = OSStatus(bitPattern: FourCharCode(fourCharacters: "!siz"))
/// The specifier's size does not match its type.
public let kAudioFormatBadSpecifierSizeError = OSStatus(bitPattern: FourCharCode(fourCharacters: "!spc"))
/// The format is not supported.
public let kAudioFormatUnsupportedDataFormatError = OSStatus(bitPattern: FourCharCode(fourCharacters: "fmt?"))
/// The format is unknown.
public let kAudioFormatUnknownFormatError = OSStatus(bitPattern: FourCharCode(fourCharacters: "!fmt"))

/// A decoder.
public let kAudioDecoderComponentType = OSType(fourCharacters: "adec")
/// An encoder.
public let kAudioEncoderComponentType = OSType(fourCharacters: "aenc")
/// The manufacturer of software codecs; the codecs here are FFmpeg's.
public let kAppleSoftwareAudioCodecManufacturer = OSType(fourCharacters: "appl")

/// A stream whose formats are requested.
public struct AudioFormatInfo: BitwiseCopyable {
    /// The known properties of the stream.
    public var mASBD: AudioStreamBasicDescription
    /// The decoder's configuration.
    public var mMagicCookie: UnsafeRawPointer?
    /// The size of the configuration in bytes.
    public var mMagicCookieSize: UInt32

    /// Creates a value from its fields.
    public init(
        mASBD: AudioStreamBasicDescription, mMagicCookie: UnsafeRawPointer?, mMagicCookieSize: UInt32
    ) {
        self.mASBD = mASBD
        self.mMagicCookie = mMagicCookie
        self.mMagicCookieSize = mMagicCookieSize
    }
}
