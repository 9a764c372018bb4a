// Names of the converter's properties and errors.

/// Names a property of a converter.
public typealias AudioConverterPropertyID = UInt32

/// The least bytes of input that are of use (`UInt32`, read only).
public let kAudioConverterPropertyMinimumInputBufferSize = AudioConverterPropertyID(fourCharacters: "mibs")
/// The least bytes of room for output (`UInt32`, read only).
public let kAudioConverterPropertyMinimumOutputBufferSize = AudioConverterPropertyID(fourCharacters: "mobs")
/// The most bytes of a packet of input (`UInt32`, read only).
public let kAudioConverterPropertyMaximumInputPacketSize = AudioConverterPropertyID(fourCharacters: "xips")
/// The most bytes of a packet of output (`UInt32`, read only).
public let kAudioConverterPropertyMaximumOutputPacketSize = AudioConverterPropertyID(fourCharacters: "xops")
/// In: bytes of output. Out: bytes of input that make them (`UInt32`, read only).
public let kAudioConverterPropertyCalculateInputBufferSize = AudioConverterPropertyID(fourCharacters: "cibs")
/// In: bytes of input. Out: the most bytes of output that they make (`UInt32`, read only).
public let kAudioConverterPropertyCalculateOutputBufferSize = AudioConverterPropertyID(fourCharacters: "cobs")
/// The kind of rate conversion (`OSType`); all kinds are the same one here.
public let kAudioConverterSampleRateConverterComplexity = AudioConverterPropertyID(fourCharacters: "srca")
/// The quality of rate conversion, 0 to 127 (`UInt32`).
public let kAudioConverterSampleRateConverterQuality = AudioConverterPropertyID(fourCharacters: "srcq")
/// The quality of encoding, 0 to 127 (`UInt32`).
public let kAudioConverterCodecQuality = AudioConverterPropertyID(fourCharacters: "cdqu")
/// The treatment of the first frames (`UInt32`).
public let kAudioConverterPrimeMethod = AudioConverterPropertyID(fourCharacters: "prmm")
/// Frames that are dropped at both ends, or that an encoder adds (``AudioConverterPrimeInfo``).
public let kAudioConverterPrimeInfo = AudioConverterPropertyID(fourCharacters: "prim")
/// For each channel of output the index of one of input, or -1 for silence (`[Int32]`).
public let kAudioConverterChannelMap = AudioConverterPropertyID(fourCharacters: "chmp")
/// The decoder's configuration (bytes).
public let kAudioConverterDecompressionMagicCookie = AudioConverterPropertyID(fourCharacters: "dmgc")
/// The configuration of what was encoded (bytes, read only).
public let kAudioConverterCompressionMagicCookie = AudioConverterPropertyID(fourCharacters: "cmgc")
/// Bits per second of an encoder (`UInt32`).
public let kAudioConverterEncodeBitRate = AudioConverterPropertyID(fourCharacters: "brat")
/// The rate of an encoder's output (`Float64`).
public let kAudioConverterEncodeAdjustableSampleRate = AudioConverterPropertyID(fourCharacters: "ajsr")
/// The places of the input's channels (`AudioChannelLayout`).
public let kAudioConverterInputChannelLayout = AudioConverterPropertyID(fourCharacters: "icl ")
/// The places of the output's channels (`AudioChannelLayout`).
public let kAudioConverterOutputChannelLayout = AudioConverterPropertyID(fourCharacters: "ocl ")
/// Bit rates for the formats given (`[AudioValueRange]`, read only).
public let kAudioConverterApplicableEncodeBitRates = AudioConverterPropertyID(fourCharacters: "aebr")
/// Bit rates of the encoder (`[AudioValueRange]`, read only).
public let kAudioConverterAvailableEncodeBitRates = AudioConverterPropertyID(fourCharacters: "vebr")
/// Sample rates for the formats given (`[AudioValueRange]`, read only).
public let kAudioConverterApplicableEncodeSampleRates = AudioConverterPropertyID(fourCharacters: "aesr")
/// Sample rates of the encoder (`[AudioValueRange]`, read only).
public let kAudioConverterAvailableEncodeSampleRates = AudioConverterPropertyID(fourCharacters: "vesr")
/// The format of the output (`AudioStreamBasicDescription`, read only).
public let kAudioConverterCurrentOutputStreamDescription = AudioConverterPropertyID(fourCharacters: "acod")
/// The format of the input (`AudioStreamBasicDescription`, read only).
public let kAudioConverterCurrentInputStreamDescription = AudioConverterPropertyID(fourCharacters: "acid")
/// Bits of the samples that an encoder is given (`UInt32`).
public let kAudioConverterPropertyBitDepthHint = AudioConverterPropertyID(fourCharacters: "acbd")
/// The formats that a decoder can give (`[AudioFormatListItem]`, read only).
public let kAudioConverterPropertyFormatList = AudioConverterPropertyID(fourCharacters: "flst")
/// The noise added where bits are lost (`UInt32`, see ``kDitherAlgorithm_TPDF``).
public let kAudioConverterPropertyDithering = AudioConverterPropertyID(fourCharacters: "dith")
/// How much of each channel of input is in each of output (`[Float32]`, rows of inputs).
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
/// The usual kind.
public let kAudioConverterSampleRateConverterComplexity_Normal = UInt32(fourCharacters: "norm")
/// The best kind.
public let kAudioConverterSampleRateConverterComplexity_Mastering = UInt32(fourCharacters: "bats")

/// Leading and trailing frames come from the input.
public let kConverterPrimeMethod_Pre: UInt32 = 0
/// Trailing frames come from the input.
public let kConverterPrimeMethod_Normal: UInt32 = 1
/// No more than the input itself.
public let kConverterPrimeMethod_None: UInt32 = 2
/// Noise of triangular distribution.
public let kDitherAlgorithm_TPDF: UInt32 = 1
/// Noise of triangular distribution, as here no noise is shaped.
public let kDitherAlgorithm_NoiseShaping: UInt32 = 2

/// No conversion between these formats.
public let kAudioConverterErr_FormatNotSupported = OSStatus(bitPattern: FourCharCode(fourCharacters: "fmt?"))
/// The converter cannot do this.
public let kAudioConverterErr_OperationNotSupported: OSStatus = 1869627199
/// The converter does not have the property.
public let kAudioConverterErr_PropertyNotSupported = OSStatus(
    bitPattern: FourCharCode(fourCharacters: "prop"))
/// The input is no whole number of packets.
public let kAudioConverterErr_InvalidInputSize = OSStatus(bitPattern: FourCharCode(fourCharacters: "insz"))
/// There is no room for a packet of output.
public let kAudioConverterErr_InvalidOutputSize = OSStatus(bitPattern: FourCharCode(fourCharacters: "otsz"))
/// Something else failed.
public let kAudioConverterErr_UnspecifiedError = OSStatus(bitPattern: FourCharCode(fourCharacters: "what"))
/// The size is not the property's.
public let kAudioConverterErr_BadPropertySizeError = OSStatus(
    bitPattern: FourCharCode(fourCharacters: "!siz"))
/// Packets of varying size came without descriptions.
public let kAudioConverterErr_RequiresPacketDescriptionsError = OSStatus(
    bitPattern: FourCharCode(fourCharacters: "!pkd"))
/// The input's rate is not supported.
public let kAudioConverterErr_InputSampleRateOutOfRange = OSStatus(
    bitPattern: FourCharCode(fourCharacters: "!isr"))
/// The output's rate is not supported.
public let kAudioConverterErr_OutputSampleRateOutOfRange = OSStatus(
    bitPattern: FourCharCode(fourCharacters: "!osr"))

/// Frames at both ends of a stream that are not part of the sound.
public struct AudioConverterPrimeInfo: Hashable, Sendable, BitwiseCopyable {
    /// Frames at the start.
    public var leadingFrames: UInt32
    /// Frames at the end.
    public var trailingFrames: UInt32

    /// None.
    public init() { self.init(leadingFrames: 0, trailingFrames: 0) }

    /// Takes the fields as they are.
    public init(leadingFrames: UInt32, trailingFrames: UInt32) {
        self.leadingFrames = leadingFrames
        self.trailingFrames = trailingFrames
    }
}
