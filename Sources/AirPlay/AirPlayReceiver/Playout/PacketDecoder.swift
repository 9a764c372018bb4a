import AirPlayMessages
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM

/// Decodes the packets of one format in order. Not thread-safe.
protocol PacketDecoder: AnyObject {
    /// Number of earlier packets to decode before a packet, so that it decodes correctly.
    var primingPacketCount: Int { get }
    /// Returns all samples of the left channel, then all of the right; `nil` if the packet cannot be decoded.
    func decode(_ payload: [UInt8]) -> [Float]?
    /// Forgets earlier packets.
    func reset()
}

/// The decoders of the wire formats.
enum WireDecoders {
    /// Creates a decoder; `nil` for a format that cannot be played.
    static func make(_ format: AudioWireFormat) -> (any PacketDecoder)? {
        switch format.codec {
        case .pcm: format.bitDepth == 32 ? FloatPacketDecoder() : PCMPacketDecoder()
        // A decoder that cannot be created is treated as an unsupported format: silence, and counted.
        case .alac: try? ALACDecoding(format)
        case .aacLC: try? AACDecoding(format)
        case .aacELD, .opus: nil
        }
    }

    /// Longest packet accepted, frames: four times the longest of any format.
    static let frameLimit = 4096

    /// Silences implausible samples: corrupt lossy data can decode to NaN or huge values, which would spoil
    /// the mix.
    private static func sane(_ sample: Float) -> Float { sample.magnitude < 64 ? sample : 0 }

    private static func stereo(_ samples: PCMBuffer) -> PCMBuffer {
        let layout = ChannelLayout(mask: 0, channelCount: samples.format.channelCount)
        return ChannelMapping(from: layout).stereo(samples)
    }

    /// Converts to planar stereo floats, exactly for 16 and 24 bits; `nil` for an empty or overlong buffer.
    static func planes(_ buffer: PCMBuffer) -> [Float]? {
        var converter = SampleConverter(to: .float32)
        let samples = converter.convert(buffer)
        let stereo = buffer.format.channelCount == 2 ? samples : Self.stereo(samples)
        let frames = stereo.frameCount
        guard frames > 0, frames <= frameLimit else { return nil }
        return [Float](unsafeUninitializedCapacity: frames * 2) { room, count in
            stereo.withUnsafeBytes { raw in
                let source = raw.bindMemory(to: Float.self)
                var frame = 0
                while frame < frames {
                    room[frame] = sane(source[frame * 2])
                    room[frames + frame] = sane(source[frame * 2 + 1])
                    frame += 1
                }
            }
            count = frames * 2
        }
    }
}

/// Decodes 16-bit big-endian stereo PCM, the form that realtime senders use (*observed*: pyatv).
final class PCMPacketDecoder: PacketDecoder {
    let primingPacketCount = 0

    func decode(_ payload: [UInt8]) -> [Float]? {
        let frames = min(payload.count / 4, WireDecoders.frameLimit)
        guard frames > 0 else { return nil }
        return [Float](unsafeUninitializedCapacity: frames * 2) { room, count in
            for frame in 0..<frames {
                room[frame] = Self.sample(payload, at: frame * 4)
                room[frames + frame] = Self.sample(payload, at: frame * 4 + 2)
            }
            count = frames * 2
        }
    }

    func reset() {}

    private static func sample(_ bytes: [UInt8], at index: Int) -> Float {
        Float(Int16(bitPattern: UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]))) / 0x1p15
    }
}

/// Decodes ``AudioWireFormat/local(_:)``: interleaved stereo floats, unchanged.
final class FloatPacketDecoder: PacketDecoder {
    let primingPacketCount = 0

    func decode(_ payload: [UInt8]) -> [Float]? {
        let frames = min(payload.count / 8, WireDecoders.frameLimit)
        guard frames > 0 else { return nil }
        return [Float](unsafeUninitializedCapacity: frames * 2) { room, count in
            payload.withUnsafeBytes { source in
                for frame in 0..<frames {
                    room[frame] = source.loadUnaligned(fromByteOffset: frame * 8, as: Float.self)
                    room[frames + frame] = source.loadUnaligned(fromByteOffset: frame * 8 + 4, as: Float.self)
                }
            }
            count = frames * 2
        }
    }

    func reset() {}
}

final class ALACDecoding: PacketDecoder {
    let primingPacketCount = 0
    private let decoder: ALACPacketDecoder

    init(_ format: AudioWireFormat) throws(CodecError) {
        decoder = try ALACPacketDecoder(
            ALACConfiguration(sampleRate: format.sampleRate, bitDepth: format.bitDepth == 24 ? 24 : 16),
            framesPerPacket: format.framesPerPacket)
    }

    func decode(_ payload: [UInt8]) -> [Float]? {
        guard let buffer = try? decoder.decode(payload) else { return nil }
        return WireDecoders.planes(buffer)
    }

    func reset() {}
}

final class AACDecoding: PacketDecoder {
    /// The first holds the overlap, the second the shape of its window.
    let primingPacketCount = 2
    private let decoder: AACPacketDecoder

    init(_ format: AudioWireFormat) throws(CodecError) {
        decoder = try AACPacketDecoder(
            cookie: Self.cookie(format), sampleRate: format.sampleRate, channelCount: format.channelCount)
    }

    func decode(_ payload: [UInt8]) -> [Float]? {
        guard let buffer = try? decoder.decode(payload) else { return nil }
        return WireDecoders.planes(buffer)
    }

    func reset() { decoder.reset() }

    /// Returns the AudioSpecificConfig: 5 bits object type 2, 4 bits rate index, 4 bits channel
    /// configuration, where 7 means eight channels. Source: ISO/IEC 14496-3, 1.6.2.1.
    private static func cookie(_ format: AudioWireFormat) -> [UInt8] {
        let rateIndex = format.sampleRate == .hz48000 ? 3 : 4
        let channels = format.channelCount == 8 ? 7 : format.channelCount
        let bits = 2 << 11 | rateIndex << 7 | channels << 3
        return [UInt8(truncatingIfNeeded: bits >> 8), UInt8(truncatingIfNeeded: bits)]
    }
}
