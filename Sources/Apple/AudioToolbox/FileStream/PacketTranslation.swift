import CoreAudioTypes

// The properties that translate between packets, frames and bytes: the caller gives the one side and gets the other.

/// The frame at which a packet begins: give `mPacket`, get `mFrame` (``AudioFramePacketTranslation``).
public let kAudioFileStreamProperty_PacketToFrame = AudioFileStreamPropertyID(fourCharacters: "pkfr")
/// The packet of a frame: give `mFrame`, get `mPacket` and the frame's place in it (``AudioFramePacketTranslation``).
public let kAudioFileStreamProperty_FrameToPacket = AudioFileStreamPropertyID(fourCharacters: "frpk")
/// The offset of a packet from the first byte of audio: give `mPacket`, get `mByte` (``AudioBytePacketTranslation``).
public let kAudioFileStreamProperty_PacketToByte = AudioFileStreamPropertyID(fourCharacters: "pkby")
/// The packet of a byte: give `mByte`, get `mPacket` and the byte's place in it (``AudioBytePacketTranslation``).
public let kAudioFileStreamProperty_ByteToPacket = AudioFileStreamPropertyID(fourCharacters: "bypk")

/// A frame and its packet.
public struct AudioFramePacketTranslation: Hashable, Sendable, BitwiseCopyable {
    /// The frame, counted from the first frame of the first packet, which may be one to trim.
    public var mFrame: Int64
    /// The packet, counted from 0.
    public var mPacket: Int64
    /// The number of frames of the packet before the frame.
    public var mFrameOffsetInPacket: UInt32

    /// Creates a value with every field zero.
    public init() { self.init(mFrame: 0, mPacket: 0, mFrameOffsetInPacket: 0) }

    /// Creates a value from its fields.
    public init(mFrame: Int64, mPacket: Int64, mFrameOffsetInPacket: UInt32) {
        (self.mFrame, self.mPacket, self.mFrameOffsetInPacket) = (mFrame, mPacket, mFrameOffsetInPacket)
    }
}

/// The flags that say how exact a translation is.
public struct AudioBytePacketTranslationFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
    /// The raw bits.
    public let rawValue: UInt32

    /// Creates flags from their bits; unnamed bits are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The result is an estimate, because packets vary in size.
    public static let bytePacketTranslationFlag_IsEstimate = AudioBytePacketTranslationFlags(rawValue: 1 << 0)
}

/// A byte and its packet.
public struct AudioBytePacketTranslation: Hashable, Sendable, BitwiseCopyable {
    /// The byte, counted from the first byte of audio.
    public var mByte: Int64
    /// The packet, counted from 0.
    public var mPacket: Int64
    /// The number of bytes of the packet before the byte.
    public var mByteOffsetInPacket: UInt32
    /// Whether the result is an estimate.
    public var mFlags: AudioBytePacketTranslationFlags

    /// Creates a value with every field zero.
    public init() { self.init(mByte: 0, mPacket: 0, mByteOffsetInPacket: 0, mFlags: []) }

    /// Creates a value from its fields.
    public init(
        mByte: Int64, mPacket: Int64, mByteOffsetInPacket: UInt32, mFlags: AudioBytePacketTranslationFlags
    ) {
        (self.mByte, self.mPacket) = (mByte, mPacket)
        (self.mByteOffsetInPacket, self.mFlags) = (mByteOffsetInPacket, mFlags)
    }
}

/// The translations of one stream.
enum PacketTranslation {
    /// Returns the size of a property's value in bytes; `nil` for a property that translates nothing.
    static func byteCount(of property: AudioFileStreamPropertyID) -> Int? {
        switch property {
        case kAudioFileStreamProperty_PacketToFrame, kAudioFileStreamProperty_FrameToPacket:
            MemoryLayout<AudioFramePacketTranslation>.size
        case kAudioFileStreamProperty_PacketToByte, kAudioFileStreamProperty_ByteToPacket:
            MemoryLayout<AudioBytePacketTranslation>.size
        default: nil
        }
    }

    /// Completes the caller's value.
    ///
    /// - Parameter data: The value in the caller's memory, of at least ``byteCount(of:)`` bytes.
    static func translate(
        _ property: AudioFileStreamPropertyID, _ data: UnsafeMutableRawPointer, by parser: AudioStreamParser
    ) throws(StreamFailure) {
        switch property {
        case kAudioFileStreamProperty_PacketToFrame, kAudioFileStreamProperty_FrameToPacket:
            var value = data.loadUnaligned(as: AudioFramePacketTranslation.self)
            if property == kAudioFileStreamProperty_PacketToFrame {
                try packetToFrame(&value, parser.facts)
            } else {
                try frameToPacket(&value, parser.facts)
            }
            data.storeBytes(of: value, as: AudioFramePacketTranslation.self)
        default:
            var value = data.loadUnaligned(as: AudioBytePacketTranslation.self)
            if property == kAudioFileStreamProperty_PacketToByte {
                try packetToByte(&value, parser)
            } else {
                try byteToPacket(&value, parser.facts)
            }
            data.storeBytes(of: value, as: AudioBytePacketTranslation.self)
        }
    }

    private static func packetToFrame(
        _ value: inout AudioFramePacketTranslation, _ facts: StreamFacts
    ) throws(StreamFailure) {
        let length = Int64(try framesPerPacket(facts))
        let (frame, isTooLarge) = value.mPacket.multipliedReportingOverflow(by: length)
        guard value.mPacket >= 0, !isTooLarge else {
            throw StreamFailure(kAudioFileStreamError_InvalidPacketOffset)
        }
        (value.mFrame, value.mFrameOffsetInPacket) = (frame, 0)
    }

    private static func frameToPacket(
        _ value: inout AudioFramePacketTranslation, _ facts: StreamFacts
    ) throws(StreamFailure) {
        let length = Int64(try framesPerPacket(facts))
        guard value.mFrame >= 0 else { throw StreamFailure(kAudioFileStreamError_InvalidPacketOffset) }
        let (packet, offset) = value.mFrame.quotientAndRemainder(dividingBy: length)
        (value.mPacket, value.mFrameOffsetInPacket) = (packet, UInt32(offset))
    }

    private static func framesPerPacket(_ facts: StreamFacts) throws(StreamFailure) -> UInt32 {
        guard facts.format.mFramesPerPacket > 0 else {
            throw StreamFailure(kAudioFileStreamError_ValueUnknown)
        }
        return facts.format.mFramesPerPacket
    }

    private static func packetToByte(
        _ value: inout AudioBytePacketTranslation, _ parser: AudioStreamParser
    ) throws(StreamFailure) {
        // The seek of a copy: the stream itself continues where it is.
        var copy = parser
        let place = try copy.seek(to: value.mPacket)
        (value.mByte, value.mByteOffsetInPacket) = (place.offset, 0)
        value.mFlags = place.isEstimated ? .bytePacketTranslationFlag_IsEstimate : []
    }

    private static func byteToPacket(
        _ value: inout AudioBytePacketTranslation, _ facts: StreamFacts
    ) throws(StreamFailure) {
        guard value.mByte >= 0 else { throw StreamFailure(kAudioFileStreamError_InvalidPacketOffset) }
        if facts.format.mBytesPerPacket > 0 {
            let size = Int64(facts.format.mBytesPerPacket)
            let (packet, offset) = value.mByte.quotientAndRemainder(dividingBy: size)
            (value.mPacket, value.mByteOffsetInPacket, value.mFlags) = (packet, UInt32(offset), [])
            return
        }
        guard let average = facts.averageBytesPerPacket, average > 0 else {
            throw StreamFailure(kAudioFileStreamError_ValueUnknown)
        }
        let packet = Double(value.mByte) / average
        let last = Double(facts.packetCount ?? .max)
        value.mPacket = Int64(min(packet, last, 0x1p62))
        (value.mByteOffsetInPacket, value.mFlags) = (0, .bytePacketTranslationFlag_IsEstimate)
    }
}
