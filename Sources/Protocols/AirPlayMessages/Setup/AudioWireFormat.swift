import TuttiMediaTime

/// A wire format of audio: codec, rate, depth and channels.
///
/// Each has a bit in `audioFormat` masks. Buffered streams also have a code in the SSRC field, whose top byte
/// is the number of that bit (*observed* for 21, 22, 23, 39 and 40; inferred for others).
public struct AudioWireFormat: Hashable, Sendable {
    /// The codec. The raw value is `ct` of the stream SETUP.
    public enum Codec: Int, Hashable, Sendable {
        /// Uncompressed samples.
        case pcm = 1
        /// Apple Lossless.
        case alac = 2
        /// AAC, low complexity.
        case aacLC = 4
        /// AAC, enhanced low delay.
        case aacELD = 8
        /// Opus.
        case opus = 32
    }

    /// The codec.
    public let codec: Codec
    /// Frames per second.
    public let sampleRate: SampleRate
    // Small integers, because each of tens of thousands of waiting packets holds its format.
    private let channels: UInt8
    private let bits: UInt8
    private let frames: UInt16
    private let bit: UInt8

    /// The number of channels.
    public var channelCount: Int { Int(channels) }
    /// Bits per sample; `nil` for lossy codecs.
    public var bitDepth: Int? { bits == 0 ? nil : Int(bits) }
    /// Frames per packet: `spf`.
    public var framesPerPacket: Int { Int(frames) }
    /// The duration of one packet.
    public var packetDuration: Duration { sampleRate.duration(of: Int64(frames)) }
    /// The bit number in `audioFormat`, 0 ..< 64.
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

    /// PCM, 44.1 kHz, 16 bit, stereo.
    public static let pcm44100x16 = AudioWireFormat(
        .pcm, .hz44100, bits: 16, channels: 2, frames: 352, bit: 11)
    /// ALAC, 44.1 kHz, 16 bit, stereo.
    public static let alac44100x16 = AudioWireFormat(
        .alac, .hz44100, bits: 16, channels: 2, frames: 352, bit: 18)
    /// ALAC, 44.1 kHz, 24 bit, stereo.
    public static let alac44100x24 = AudioWireFormat(
        .alac, .hz44100, bits: 24, channels: 2, frames: 352, bit: 19)
    /// ALAC, 48 kHz, 16 bit, stereo.
    public static let alac48000x16 = AudioWireFormat(
        .alac, .hz48000, bits: 16, channels: 2, frames: 352, bit: 20)
    /// ALAC, 48 kHz, 24 bit, stereo.
    public static let alac48000x24 = AudioWireFormat(
        .alac, .hz48000, bits: 24, channels: 2, frames: 352, bit: 21)
    /// AAC-LC, 44.1 kHz, stereo.
    public static let aac44100 = AudioWireFormat(
        .aacLC, .hz44100, bits: nil, channels: 2, frames: 1024, bit: 22)
    /// AAC-LC, 48 kHz, stereo.
    public static let aac48000 = AudioWireFormat(
        .aacLC, .hz48000, bits: nil, channels: 2, frames: 1024, bit: 23)
    /// AAC-ELD, 44.1 kHz, stereo.
    public static let aacELD44100 = AudioWireFormat(
        .aacELD, .hz44100, bits: nil, channels: 2, frames: 480, bit: 24)
    /// AAC-ELD, 48 kHz, stereo.
    public static let aacELD48000 = AudioWireFormat(
        .aacELD, .hz48000, bits: nil, channels: 2, frames: 480, bit: 25)
    /// AAC-LC, 48 kHz, 5.1 channels.
    public static let aac48000x51 = AudioWireFormat(
        .aacLC, .hz48000, bits: nil, channels: 6, frames: 1024, bit: 39)
    /// AAC-LC, 48 kHz, 7.1 channels.
    public static let aac48000x71 = AudioWireFormat(
        .aacLC, .hz48000, bits: nil, channels: 8, frames: 1024, bit: 40)

    /// Most frames per packet of an AirPlay 1 stream; old iTunes announces as many.
    public static let mostFramesPerPacket = 4096

    /// Returns ``alac44100x16`` with the frames per packet that an AirPlay 1 sender announces; `nil` if they
    /// are not within 1 ... ``mostFramesPerPacket``. No bit or code names such a format.
    public static func alac44100x16(framesPerPacket: Int) -> AudioWireFormat? {
        guard (1...mostFramesPerPacket).contains(framesPerPacket) else { return nil }
        return AudioWireFormat(
            .alac, .hz44100, bits: 16, channels: 2, frames: UInt16(framesPerPacket), bit: 18)
    }

    /// Returns a format of 32-bit stereo floats in native byte order, for use within the process only: no
    /// peer can name it, and ``known`` does not contain it.
    public static func local(_ sampleRate: SampleRate) -> AudioWireFormat {
        AudioWireFormat(.pcm, sampleRate, bits: 32, channels: 2, frames: 1024, bit: 63)
    }

    /// All formats known by name.
    public static let known = [
        pcm44100x16, alac44100x16, alac44100x24, alac48000x16, alac48000x24, aac44100, aac48000, aacELD44100,
        aacELD48000, aac48000x51, aac48000x71,
    ]

    /// The code that only shairport-sync uses for ALAC 44.1 kHz, 16 bit (*observed*, 5.2.1).
    public static let shairportSyncALACCode: UInt32 = 0x0000_FACE

    /// The value of `audioFormat` for this format alone.
    public var mask: AudioFormatSet { AudioFormatSet(rawValue: 1 << UInt64(formatBit)) }

    /// The SSRC of a buffered packet in this format.
    public var formatCode: UInt32 { UInt32(formatBit) << 24 }

    /// Returns the format with this single bit; `nil` for several bits, none or an unknown one.
    public init?(mask: AudioFormatSet) {
        guard let found = Self.known.first(where: { $0.mask == mask }) else { return nil }
        self = found
    }

    /// Returns the format that a buffered packet names; `nil` for 0 and unknown codes.
    public init?(formatCode: UInt32) {
        let isPrivate = formatCode == Self.shairportSyncALACCode
        let found = isPrivate ? .alac44100x16 : Self.known.first { $0.formatCode == formatCode }
        guard let found else { return nil }
        self = found
    }
}

extension AudioWireFormat: CustomStringConvertible {
    /// The format for logs and messages, such as `ALAC 44100/16/2`.
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

/// A set of formats, one bit each: `audioFormat`, and the masks of `supportedFormats`.
public struct AudioFormatSet: OptionSet, Hashable, Sendable {
    /// The bits, as sent in `/info`.
    public let rawValue: UInt64

    /// Creates a set from its bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Returns whether the set contains a format.
    public func contains(_ format: AudioWireFormat) -> Bool { contains(format.mask) }

    /// The known formats in the set, lowest bit first.
    public var formats: [AudioWireFormat] { AudioWireFormat.known.filter { contains($0) } }

    /// A name for each bit that is set, lowest first.
    public var names: [String] {
        bitNames(of: rawValue, known: AudioWireFormat.known.map { (UInt64($0.formatBit), $0.description) })
    }
}
