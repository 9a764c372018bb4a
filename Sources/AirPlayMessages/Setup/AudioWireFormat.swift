import MediaTime

/// One of the forms in which sound travels: codec, rate, depth and channels.
///
/// Each has a bit in `audioFormat` masks, and for buffered streams a code in the SSRC field, whose
/// top byte is the number of that bit (*observed* for 21, 22, 23, 39 and 40; inferred for others).
public struct AudioWireFormat: Hashable, Sendable {
    /// The raw value is `ct` of the stream SETUP.
    public enum Codec: Int, Hashable, Sendable {
        case pcm = 1
        case alac = 2
        case aacLC = 4
        case aacELD = 8
        case opus = 32
    }

    public let codec: Codec
    public let sampleRate: SampleRate
    // Small, because tens of thousands of packets that wait name their form.
    private let channels: UInt8
    private let bits: UInt8
    private let frames: UInt16
    private let bit: UInt8

    public var channelCount: Int { Int(channels) }
    /// Bits of one sample; `nil` for lossy codecs.
    public var bitDepth: Int? { bits == 0 ? nil : Int(bits) }
    /// Frames in one packet: `spf`.
    public var framesPerPacket: Int { Int(frames) }
    public var packetDuration: Duration { sampleRate.duration(of: Int64(frames)) }
    /// The number of the bit in `audioFormat`, 0 ..< 64.
    public var formatBit: Int { Int(bit) }

    private init(
        _ codec: Codec, _ sampleRate: SampleRate, bits: UInt8?, channels: UInt8, frames: UInt16, bit: UInt8
    ) {
        self.codec = codec
        self.sampleRate = sampleRate
        self.bits = bits ?? 0
        self.channels = channels
        self.frames = frames
        self.bit = bit
    }

    public static let pcm44100x16 = AudioWireFormat(
        .pcm, .hz44100, bits: 16, channels: 2, frames: 352, bit: 11)
    public static let alac44100x16 = AudioWireFormat(
        .alac, .hz44100, bits: 16, channels: 2, frames: 352, bit: 18)
    public static let alac44100x24 = AudioWireFormat(
        .alac, .hz44100, bits: 24, channels: 2, frames: 352, bit: 19)
    public static let alac48000x16 = AudioWireFormat(
        .alac, .hz48000, bits: 16, channels: 2, frames: 352, bit: 20)
    public static let alac48000x24 = AudioWireFormat(
        .alac, .hz48000, bits: 24, channels: 2, frames: 352, bit: 21)
    public static let aac44100 = AudioWireFormat(
        .aacLC, .hz44100, bits: nil, channels: 2, frames: 1024, bit: 22)
    public static let aac48000 = AudioWireFormat(
        .aacLC, .hz48000, bits: nil, channels: 2, frames: 1024, bit: 23)
    public static let aacELD44100 = AudioWireFormat(
        .aacELD, .hz44100, bits: nil, channels: 2, frames: 480, bit: 24)
    public static let aacELD48000 = AudioWireFormat(
        .aacELD, .hz48000, bits: nil, channels: 2, frames: 480, bit: 25)
    public static let aac48000x51 = AudioWireFormat(
        .aacLC, .hz48000, bits: nil, channels: 6, frames: 1024, bit: 39)
    public static let aac48000x71 = AudioWireFormat(
        .aacLC, .hz48000, bits: nil, channels: 8, frames: 1024, bit: 40)

    /// Samples as 32 bit floats in the machine's own byte order, stereo. Never leaves the process: no peer can
    /// name it, and it is not among ``known``.
    public static func local(_ sampleRate: SampleRate) -> AudioWireFormat {
        AudioWireFormat(.pcm, sampleRate, bits: 32, channels: 2, frames: 1024, bit: 63)
    }

    /// Every form we know by name.
    public static let known = [
        pcm44100x16, alac44100x16, alac44100x24, alac48000x16, alac48000x24, aac44100, aac48000, aacELD44100,
        aacELD48000, aac48000x51, aac48000x71,
    ]

    /// The code that shairport-sync alone takes for ALAC 44.1 kHz, 16 bit (*observed*, 5.2.1).
    public static let shairportSyncALACCode: UInt32 = 0x0000_FACE

    /// The value of `audioFormat` with one bit.
    public var mask: AudioFormatSet { AudioFormatSet(rawValue: 1 << UInt64(formatBit)) }

    /// What the SSRC field of a buffered packet says for this form.
    public var formatCode: UInt32 { UInt32(formatBit) << 24 }

    /// The form with this one bit; `nil` for several, none or an unknown one.
    public init?(mask: AudioFormatSet) {
        guard let found = Self.known.first(where: { $0.mask == mask }) else { return nil }
        self = found
    }

    /// The form that a buffered packet names; `nil` for 0 and unknown codes.
    public init?(formatCode: UInt32) {
        let isPrivate = formatCode == Self.shairportSyncALACCode
        let found = isPrivate ? .alac44100x16 : Self.known.first { $0.formatCode == formatCode }
        guard let found else { return nil }
        self = found
    }
}

extension AudioWireFormat: CustomStringConvertible {
    public var description: String {
        let name =
            switch codec {
            case .pcm: "PCM"
            case .alac: "ALAC"
            case .aacLC: "AAC-LC"
            case .aacELD: "AAC-ELD"
            case .opus: "Opus"
            }
        let depth = bitDepth.map { "/\($0)" } ?? ""
        return "\(name) \(sampleRate.hertz)\(depth)/\(channelCount)"
    }
}

/// A set of forms, one bit each: `audioFormat`, and the masks of `supportedFormats`.
public struct AudioFormatSet: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Whether the bit of a form is set.
    public func contains(_ format: AudioWireFormat) -> Bool { contains(format.mask) }

    /// The forms we know by name, lowest bit first.
    public var formats: [AudioWireFormat] { AudioWireFormat.known.filter { contains($0) } }

    /// A name for each bit that is set, lowest first.
    public var names: [String] {
        bitNames(of: rawValue, known: AudioWireFormat.known.map { (UInt64($0.formatBit), $0.description) })
    }
}
