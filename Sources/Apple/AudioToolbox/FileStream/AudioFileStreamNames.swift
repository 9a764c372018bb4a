// The stream parser's properties, flags and errors.

/// An identifier of a stream property.
public typealias AudioFileStreamPropertyID = UInt32
/// An identifier of a file type.
public typealias AudioFileTypeID = UInt32

/// 1 once packets come next (`UInt32`).
public let kAudioFileStreamProperty_ReadyToProducePackets = AudioFileStreamPropertyID(fourCharacters: "redy")
/// The file type (``AudioFileTypeID``).
public let kAudioFileStreamProperty_FileFormat = AudioFileStreamPropertyID(fourCharacters: "ffmt")
/// The format of the packets (`AudioStreamBasicDescription`).
public let kAudioFileStreamProperty_DataFormat = AudioFileStreamPropertyID(fourCharacters: "dfmt")
/// The formats in which the packets can be decoded, best first (`[AudioFormatListItem]`).
public let kAudioFileStreamProperty_FormatList = AudioFileStreamPropertyID(fourCharacters: "flst")
/// The decoder's configuration (bytes).
public let kAudioFileStreamProperty_MagicCookieData = AudioFileStreamPropertyID(fourCharacters: "mgic")
/// The size of the audio in bytes (`UInt64`).
public let kAudioFileStreamProperty_AudioDataByteCount = AudioFileStreamPropertyID(fourCharacters: "bcnt")
/// The number of audio packets (`UInt64`).
public let kAudioFileStreamProperty_AudioDataPacketCount = AudioFileStreamPropertyID(fourCharacters: "pcnt")
/// The largest packet in bytes (`UInt32`).
public let kAudioFileStreamProperty_MaximumPacketSize = AudioFileStreamPropertyID(fourCharacters: "psze")
/// The offset of the audio in the file, in bytes (`Int64`).
public let kAudioFileStreamProperty_DataOffset = AudioFileStreamPropertyID(fourCharacters: "doff")
/// The channel layout (`AudioChannelLayout`).
public let kAudioFileStreamProperty_ChannelLayout = AudioFileStreamPropertyID(fourCharacters: "cmap")
/// The audible frames and the frames to trim (``AudioFilePacketTableInfo``).
public let kAudioFileStreamProperty_PacketTableInfo = AudioFileStreamPropertyID(fourCharacters: "pnfo")
/// An upper bound of a packet's bytes (`UInt32`).
public let kAudioFileStreamProperty_PacketSizeUpperBound = AudioFileStreamPropertyID(fourCharacters: "pkub")
/// The average size of a packet in bytes (`Float64`).
public let kAudioFileStreamProperty_AverageBytesPerPacket = AudioFileStreamPropertyID(fourCharacters: "abpp")
/// The bit rate in bits per second (`UInt32`).
public let kAudioFileStreamProperty_BitRate = AudioFileStreamPropertyID(fourCharacters: "brat")

/// The file type is not supported.
public let kAudioFileStreamError_UnsupportedFileType = OSStatus(
    bitPattern: FourCharCode(fourCharacters: "typ?"))
/// The format of the audio is not supported.
public let kAudioFileStreamError_UnsupportedDataFormat = OSStatus(
    bitPattern: FourCharCode(fourCharacters: "fmt?"))
/// The property does not exist.
public let kAudioFileStreamError_UnsupportedProperty = OSStatus(
    bitPattern: FourCharCode(fourCharacters: "pty?"))
/// The size does not match the property.
public let kAudioFileStreamError_BadPropertySize = OSStatus(bitPattern: FourCharCode(fourCharacters: "!siz"))
/// The description follows the audio, so the file cannot be streamed.
public let kAudioFileStreamError_NotOptimized = OSStatus(bitPattern: FourCharCode(fourCharacters: "optm"))
/// There is no such packet.
public let kAudioFileStreamError_InvalidPacketOffset = OSStatus(
    bitPattern: FourCharCode(fourCharacters: "pck?"))
/// The file is malformed.
public let kAudioFileStreamError_InvalidFile = OSStatus(bitPattern: FourCharCode(fourCharacters: "dta?"))
/// The value is unknown for this file, or not known yet.
public let kAudioFileStreamError_ValueUnknown = OSStatus(bitPattern: FourCharCode(fourCharacters: "unk?"))
/// More bytes are needed.
public let kAudioFileStreamError_DataUnavailable = OSStatus(bitPattern: FourCharCode(fourCharacters: "more"))
/// The operation is not allowed in the current state.
public let kAudioFileStreamError_IllegalOperation = OSStatus(bitPattern: FourCharCode(fourCharacters: "nope"))
/// An unspecified failure.
public let kAudioFileStreamError_UnspecifiedError = OSStatus(bitPattern: FourCharCode(fourCharacters: "wht?"))
/// Bytes are missing, and the next packet cannot be found.
public let kAudioFileStreamError_DiscontinuityCantRecover = OSStatus(
    bitPattern: FourCharCode(fourCharacters: "dsc!"))

/// AIFF.
public let kAudioFileAIFFType = AudioFileTypeID(fourCharacters: "AIFF")
/// AIFF with compression.
public let kAudioFileAIFCType = AudioFileTypeID(fourCharacters: "AIFC")
/// WAVE.
public let kAudioFileWAVEType = AudioFileTypeID(fourCharacters: "WAVE")
/// WAVE with 64-bit sizes.
public let kAudioFileRF64Type = AudioFileTypeID(fourCharacters: "RF64")
/// MPEG audio, layer 3.
public let kAudioFileMP3Type = AudioFileTypeID(fourCharacters: "MPG3")
/// MPEG audio, layer 2.
public let kAudioFileMP2Type = AudioFileTypeID(fourCharacters: "MPG2")
/// MPEG audio, layer 1.
public let kAudioFileMP1Type = AudioFileTypeID(fourCharacters: "MPG1")
/// AAC with an ADTS header before each packet.
public let kAudioFileAAC_ADTSType = AudioFileTypeID(fourCharacters: "adts")
/// MPEG-4.
public let kAudioFileMPEG4Type = AudioFileTypeID(fourCharacters: "mp4f")
/// MPEG-4 with audio alone.
public let kAudioFileM4AType = AudioFileTypeID(fourCharacters: "m4af")
/// MPEG-4 with an audio book.
public let kAudioFileM4BType = AudioFileTypeID(fourCharacters: "m4bf")
/// Core Audio Format.
public let kAudioFileCAFType = AudioFileTypeID(fourCharacters: "caff")
/// FLAC.
public let kAudioFileFLACType = AudioFileTypeID(fourCharacters: "flac")
/// AC-3.
public let kAudioFileAC3Type = AudioFileTypeID(fourCharacters: "ac-3")
/// 3GPP.
public let kAudioFile3GPType = AudioFileTypeID(fourCharacters: "3gpp")
/// 3GPP2.
public let kAudioFile3GP2Type = AudioFileTypeID(fourCharacters: "3gp2")
/// AMR.
public let kAudioFileAMRType = AudioFileTypeID(fourCharacters: "amrf")
/// NeXT and Sun.
public let kAudioFileNextType = AudioFileTypeID(fourCharacters: "NeXT")

/// The flags that say whether a property is cached.
public struct AudioFileStreamPropertyFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
    /// The raw bits.
    public let rawValue: UInt32

    /// Creates flags from their bits; unnamed bits are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The property is cached and can be read later.
    public static let propertyIsCached = AudioFileStreamPropertyFlags(rawValue: 1 << 0)
    /// Caches the property; every property is cached here.
    public static let cacheProperty = AudioFileStreamPropertyFlags(rawValue: 1 << 1)
}

/// The flags that say whether bytes continue the previous ones.
public struct AudioFileStreamParseFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
    /// The raw bits.
    public let rawValue: UInt32

    /// Creates flags from their bits; unnamed bits are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Bytes are missing before these.
    public static let discontinuity = AudioFileStreamParseFlags(rawValue: 1 << 0)
}

/// The flags that say how exact an offset is.
public struct AudioFileStreamSeekFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
    /// The raw bits.
    public let rawValue: UInt32

    /// Creates flags from their bits; unnamed bits are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The offset is an estimate.
    public static let offsetIsEstimated = AudioFileStreamSeekFlags(rawValue: 1 << 0)
}

/// The audible frames of a packet stream, and the frames to trim at its ends.
public struct AudioFilePacketTableInfo: Hashable, Sendable, BitwiseCopyable {
    /// The number of audible frames.
    public var mNumberValidFrames: Int64
    /// The number of frames to trim before the audible ones.
    public var mPrimingFrames: Int32
    /// The number of frames to trim after the audible ones.
    public var mRemainderFrames: Int32

    /// Creates a value with every field zero.
    public init() { self.init(mNumberValidFrames: 0, mPrimingFrames: 0, mRemainderFrames: 0) }

    /// Creates a value from its fields.
    public init(mNumberValidFrames: Int64, mPrimingFrames: Int32, mRemainderFrames: Int32) {
        self.mNumberValidFrames = mNumberValidFrames
        self.mPrimingFrames = mPrimingFrames
        self.mRemainderFrames = mRemainderFrames
    }
}
