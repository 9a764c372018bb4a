// Names of the stream parser's properties, flags and errors.

/// Names a property of a stream.
public typealias AudioFileStreamPropertyID = UInt32
/// Names a kind of file.
public typealias AudioFileTypeID = UInt32

/// 1 when packets come next (`UInt32`).
public let kAudioFileStreamProperty_ReadyToProducePackets = AudioFileStreamPropertyID(fourCharacters: "redy")
/// The kind of file (``AudioFileTypeID``).
public let kAudioFileStreamProperty_FileFormat = AudioFileStreamPropertyID(fourCharacters: "ffmt")
/// The format of the packets (`AudioStreamBasicDescription`).
public let kAudioFileStreamProperty_DataFormat = AudioFileStreamPropertyID(fourCharacters: "dfmt")
/// The formats in which the packets can be decoded, best first (`[AudioFormatListItem]`).
public let kAudioFileStreamProperty_FormatList = AudioFileStreamPropertyID(fourCharacters: "flst")
/// The decoder's configuration (bytes).
public let kAudioFileStreamProperty_MagicCookieData = AudioFileStreamPropertyID(fourCharacters: "mgic")
/// Bytes of audio (`UInt64`).
public let kAudioFileStreamProperty_AudioDataByteCount = AudioFileStreamPropertyID(fourCharacters: "bcnt")
/// Packets of audio (`UInt64`).
public let kAudioFileStreamProperty_AudioDataPacketCount = AudioFileStreamPropertyID(fourCharacters: "pcnt")
/// The most bytes of a packet (`UInt32`).
public let kAudioFileStreamProperty_MaximumPacketSize = AudioFileStreamPropertyID(fourCharacters: "psze")
/// Where the audio begins in the file (`Int64`).
public let kAudioFileStreamProperty_DataOffset = AudioFileStreamPropertyID(fourCharacters: "doff")
/// The places of the channels (`AudioChannelLayout`).
public let kAudioFileStreamProperty_ChannelLayout = AudioFileStreamPropertyID(fourCharacters: "cmap")
/// Frames that are heard and frames that are not (``AudioFilePacketTableInfo``).
public let kAudioFileStreamProperty_PacketTableInfo = AudioFileStreamPropertyID(fourCharacters: "pnfo")
/// A number that no packet's bytes exceed (`UInt32`).
public let kAudioFileStreamProperty_PacketSizeUpperBound = AudioFileStreamPropertyID(fourCharacters: "pkub")
/// Bytes of a packet in the middle (`Float64`).
public let kAudioFileStreamProperty_AverageBytesPerPacket = AudioFileStreamPropertyID(fourCharacters: "abpp")
/// Bits per second (`UInt32`).
public let kAudioFileStreamProperty_BitRate = AudioFileStreamPropertyID(fourCharacters: "brat")

/// The kind of file is not supported.
public let kAudioFileStreamError_UnsupportedFileType = OSStatus(
    bitPattern: FourCharCode(fourCharacters: "typ?"))
/// The format of the audio is not supported.
public let kAudioFileStreamError_UnsupportedDataFormat = OSStatus(
    bitPattern: FourCharCode(fourCharacters: "fmt?"))
/// The property does not exist.
public let kAudioFileStreamError_UnsupportedProperty = OSStatus(
    bitPattern: FourCharCode(fourCharacters: "pty?"))
/// The size is not the property's.
public let kAudioFileStreamError_BadPropertySize = OSStatus(bitPattern: FourCharCode(fourCharacters: "!siz"))
/// The description comes behind the audio, so the file cannot be streamed.
public let kAudioFileStreamError_NotOptimized = OSStatus(bitPattern: FourCharCode(fourCharacters: "optm"))
/// There is no such packet.
public let kAudioFileStreamError_InvalidPacketOffset = OSStatus(
    bitPattern: FourCharCode(fourCharacters: "pck?"))
/// The file is malformed.
public let kAudioFileStreamError_InvalidFile = OSStatus(bitPattern: FourCharCode(fourCharacters: "dta?"))
/// The property is not known for this file, or not yet.
public let kAudioFileStreamError_ValueUnknown = OSStatus(bitPattern: FourCharCode(fourCharacters: "unk?"))
/// More bytes are needed.
public let kAudioFileStreamError_DataUnavailable = OSStatus(bitPattern: FourCharCode(fourCharacters: "more"))
/// This cannot be done now.
public let kAudioFileStreamError_IllegalOperation = OSStatus(bitPattern: FourCharCode(fourCharacters: "nope"))
/// Something else failed.
public let kAudioFileStreamError_UnspecifiedError = OSStatus(bitPattern: FourCharCode(fourCharacters: "wht?"))
/// Bytes were left out, and the next packet cannot be found.
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

/// Whether a property is kept.
public struct AudioFileStreamPropertyFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
    /// The bits.
    public let rawValue: UInt32

    /// The flags of these bits; bits without a name are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The property is kept and can be read later.
    public static let propertyIsCached = AudioFileStreamPropertyFlags(rawValue: 1 << 0)
    /// Keep the property; every property is kept here.
    public static let cacheProperty = AudioFileStreamPropertyFlags(rawValue: 1 << 1)
}

/// How bytes follow those before.
public struct AudioFileStreamParseFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
    /// The bits.
    public let rawValue: UInt32

    /// The flags of these bits; bits without a name are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Bytes were left out before these.
    public static let discontinuity = AudioFileStreamParseFlags(rawValue: 1 << 0)
}

/// How exact a place is.
public struct AudioFileStreamSeekFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
    /// The bits.
    public let rawValue: UInt32

    /// The flags of these bits; bits without a name are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The offset is estimated.
    public static let offsetIsEstimated = AudioFileStreamSeekFlags(rawValue: 1 << 0)
}

/// How many frames of a stream of packets are heard, and how many at its ends are not.
public struct AudioFilePacketTableInfo: Hashable, Sendable, BitwiseCopyable {
    /// Frames that are heard.
    public var mNumberValidFrames: Int64
    /// Frames before them.
    public var mPrimingFrames: Int32
    /// Frames behind them.
    public var mRemainderFrames: Int32

    /// All zero.
    public init() { self.init(mNumberValidFrames: 0, mPrimingFrames: 0, mRemainderFrames: 0) }

    /// Takes the fields as they are.
    public init(mNumberValidFrames: Int64, mPrimingFrames: Int32, mRemainderFrames: Int32) {
        self.mNumberValidFrames = mNumberValidFrames
        self.mPrimingFrames = mPrimingFrames
        self.mRemainderFrames = mRemainderFrames
    }
}
