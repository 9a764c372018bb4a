// The converter's properties and errors.

/// An identifier of a converter property.
public typealias AudioConverterPropertyID = UInt32

/// The smallest useful input, in bytes (`UInt32`, read only).
public let kAudioConverterPropertyMinimumInputBufferSize = AudioConverterPropertyID(fourCharacters: "mibs")
/// The smallest useful room for output, in bytes (`UInt32`, read only).
public let kAudioConverterPropertyMinimumOutputBufferSize = AudioConverterPropertyID(fourCharacters: "mobs")
/// The largest input packet, in bytes (`UInt32`, read only).
public let kAudioConverterPropertyMaximumInputPacketSize = AudioConverterPropertyID(fourCharacters: "xips")
/// The largest output packet, in bytes (`UInt32`, read only).
public let kAudioConverterPropertyMaximumOutputPacketSize = AudioConverterPropertyID(fourCharacters: "xops")
/// In: bytes of output. Out: bytes of input that make this output (`UInt32`, read only).
public let kAudioConverterPropertyCalculateInputBufferSize = AudioConverterPropertyID(fourCharacters: "cibs")
/// In: bytes of input. Out: the most bytes of output that this input makes (`UInt32`, read only).
public let kAudioConverterPropertyCalculateOutputBufferSize = AudioConverterPropertyID(fourCharacters: "cobs")
/// The sample rate conversion algorithm (`OSType`); all values select the same one here.
public let kAudioConverterSampleRateConverterComplexity = AudioConverterPropertyID(fourCharacters: "srca")
/// The sample rate conversion quality, 0 to 127 (`UInt32`).
public let kAudioConverterSampleRateConverterQuality = AudioConverterPropertyID(fourCharacters: "srcq")
/// The encoding quality, 0 to 127 (`UInt32`).
public let kAudioConverterCodecQuality = AudioConverterPropertyID(fourCharacters: "cdqu")
/// The priming method, which defines the treatment of the first frames (`UInt32`).
public let kAudioConverterPrimeMethod = AudioConverterPropertyID(fourCharacters: "prmm")
/// Frames trimmed at both ends, or added by an encoder (``AudioConverterPrimeInfo``).
public let kAudioConverterPrimeInfo = AudioConverterPropertyID(fourCharacters: "prim")
/// The input channel for each output channel, or -1 for silence (`[Int32]`).
public let kAudioConverterChannelMap = AudioConverterPropertyID(fourCharacters: "chmp")
/// The decoder's configuration (bytes).
public let kAudioConverterDecompressionMagicCookie = AudioConverterPropertyID(fourCharacters: "dmgc")
/// The decoder configuration for the encoded output (bytes, read only).
public let kAudioConverterCompressionMagicCookie = AudioConverterPropertyID(fourCharacters: "cmgc")
/// The encoder's bit rate in bits per second (`UInt32`).
public let kAudioConverterEncodeBitRate = AudioConverterPropertyID(fourCharacters: "brat")
/// The sample rate of the encoder's output in Hz (`Float64`).
public let kAudioConverterEncodeAdjustableSampleRate = AudioConverterPropertyID(fourCharacters: "ajsr")
/// The input's channel layout (`AudioChannelLayout`).
public let kAudioConverterInputChannelLayout = AudioConverterPropertyID(fourCharacters: "icl ")
/// The output's channel layout (`AudioChannelLayout`).
public let kAudioConverterOutputChannelLayout = AudioConverterPropertyID(fourCharacters: "ocl ")
/// The bit rates available for the given formats (`[AudioValueRange]`, read only).
public let kAudioConverterApplicableEncodeBitRates = AudioConverterPropertyID(fourCharacters: "aebr")
/// All bit rates of the encoder (`[AudioValueRange]`, read only).
public let kAudioConverterAvailableEncodeBitRates = AudioConverterPropertyID(fourCharacters: "vebr")
/// The sample rates available for the given formats (`[AudioValueRange]`, read only).
public let kAudioConverterApplicableEncodeSampleRates = AudioConverterPropertyID(fourCharacters: "aesr")
/// All sample rates of the encoder (`[AudioValueRange]`, read only).
public let kAudioConverterAvailableEncodeSampleRates = AudioConverterPropertyID(fourCharacters: "vesr")
/// The format of the output (`AudioStreamBasicDescription`, read only).
public let kAudioConverterCurrentOutputStreamDescription = AudioConverterPropertyID(fourCharacters: "acod")
/// The format of the input (`AudioStreamBasicDescription`, read only).
public let kAudioConverterCurrentInputStreamDescription = AudioConverterPropertyID(fourCharacters: "acid")
/// The bit depth of the encoder's input (`UInt32`).
public let kAudioConverterPropertyBitDepthHint = AudioConverterPropertyID(fourCharacters: "acbd")
/// The formats that a decoder can produce (`[AudioFormatListItem]`, read only).
public let kAudioConverterPropertyFormatList = AudioConverterPropertyID(fourCharacters: "flst")
/// The dither added where bits are lost (`UInt32`, see ``kDitherAlgorithm_TPDF``).
public let kAudioConverterPropertyDithering = AudioConverterPropertyID(fourCharacters: "dith")
/// The gain from each input channel to each output channel (`[Float32]`, one row per input).
public let kAudioConverterPropertyChannelMixMap = AudioConverterPropertyID(fourCharacters: "mmap")

/// The best quality.
public let kAudioConverterQuality_Max: UInt32 = 127
/// High quality.
public let kAudioConverterQuality_High: UInt32 = 96
/// Medium quality.
public let kAudioConverterQuality_Medium: UInt32 = 64
/// Low quality.
public let kAudioConverterQuality_Low: UInt32 = 32
/// The lowest quality.
public let kAudioConverterQuality_Min: UInt32 = 0

/// Linear interpolation.
public let kAudioConverterSampleRateConverterComplexity_Linear = UInt32(fourCharacters: "line")
/// The default algorithm.
public let kAudioConverterSampleRateConverterComplexity_Normal = UInt32(fourCharacters: "norm")
/// The algorithm of the best quality.
public let kAudioConverterSampleRateConverterComplexity_Mastering = UInt32(fourCharacters: "bats")

/// Leading and trailing frames come from the input.
public let kConverterPrimeMethod_Pre: UInt32 = 0
/// Trailing frames come from the input.
public let kConverterPrimeMethod_Normal: UInt32 = 1
/// Leading and trailing frames are not added: only the input itself counts.
public let kConverterPrimeMethod_None: UInt32 = 2
/// Dither of triangular distribution.
public let kDitherAlgorithm_TPDF: UInt32 = 1
/// Dither of triangular distribution as well; noise shaping is not implemented.
public let kDitherAlgorithm_NoiseShaping: UInt32 = 2

/// The converter does not support this pair of formats.
public let kAudioConverterErr_FormatNotSupported = OSStatus(bitPattern: FourCharCode(fourCharacters: "fmt?"))
/// The converter does not support this operation.
public let kAudioConverterErr_OperationNotSupported: OSStatus = 1869627199
/// The converter lacks the property.
public let kAudioConverterErr_PropertyNotSupported = OSStatus(
    bitPattern: FourCharCode(fourCharacters: "prop"))
/// The input is not a whole number of packets.
public let kAudioConverterErr_InvalidInputSize = OSStatus(bitPattern: FourCharCode(fourCharacters: "insz"))
/// The output has no room for a packet.
public let kAudioConverterErr_InvalidOutputSize = OSStatus(bitPattern: FourCharCode(fourCharacters: "otsz"))
/// An unspecified failure.
public let kAudioConverterErr_UnspecifiedError = OSStatus(bitPattern: FourCharCode(fourCharacters: "what"))
/// The size does not match the property.
public let kAudioConverterErr_BadPropertySizeError = OSStatus(
    bitPattern: FourCharCode(fourCharacters: "!siz"))
/// Packets of varying size arrived without descriptions.
public let kAudioConverterErr_RequiresPacketDescriptionsError = OSStatus(
    bitPattern: FourCharCode(fourCharacters: "!pkd"))
/// The input's sample rate is not supported.
public let kAudioConverterErr_InputSampleRateOutOfRange = OSStatus(
    bitPattern: FourCharCode(fourCharacters: "!isr"))
/// The output's sample rate is not supported.
public let kAudioConverterErr_OutputSampleRateOutOfRange = OSStatus(
    bitPattern: FourCharCode(fourCharacters: "!osr"))

/// Frames at both ends of a stream that are not part of the sound.
public struct AudioConverterPrimeInfo: Hashable, Sendable, BitwiseCopyable {
    /// Frames at the start.
    public var leadingFrames: UInt32
    /// Frames at the end.
    public var trailingFrames: UInt32

    /// Creates a value without frames.
    public init() { self.init(leadingFrames: 0, trailingFrames: 0) }

    /// Creates a value from its fields.
    public init(leadingFrames: UInt32, trailingFrames: UInt32) {
        self.leadingFrames = leadingFrames
        self.trailingFrames = trailingFrames
    }
}
