import AirPlayMessages
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM

/// Decodes packets of one wire format, changes their samples, and encodes them in the same format and the same places.
///
/// Packets go in, in order; the first one is preceded by some that only prepare decoder, filters and encoder. Not
/// thread-safe.
struct SoundProcessor {
    private enum Coder {
        case alac(ALACPacketDecoder, ALACEncoder)
        case aac(AACPacketDecoder, AACEncoder)
        /// Interleaved stereo floats.
        case samples
    }

    /// Packets before the first one. FFmpeg's AAC encoder is poor in its first 18 units (*observed*); filters have
    /// settled after some hundredths of a second.
    private static let aacPriming = 24
    private static let priming = 12

    private let format: AudioWireFormat
    private let coder: Coder
    private let decoded: PCMFormat
    private var chain: TreatmentChain
    private var limiter: PeakLimiter
    /// The index of the packet that was taken last, and the end of its frames.
    private var taken: (index: Int64, endFrame: Int64)?
    /// The index of the next packet to give.
    private var wanted: Int64?
    /// The last packet before the encoder was fed silence: nothing follows it here.
    private var lastBeforeSilence: Int64?
    /// Units that an AAC encoder has made, each with its first frame.
    private var units: [(frame: Int64, payload: [UInt8])] = []
    /// The first frame of the next unit of the AAC encoder.
    private var unitFrame: Int64?

    init(_ format: AudioWireFormat, treatment: SoundTreatment) throws {
        self.format = format
        let rate = format.sampleRate
        switch format.codec {
        case .alac:
            let configuration = ALACConfiguration(sampleRate: rate, bitDepth: format.bitDepth ?? 16)
            coder = .alac(try ALACPacketDecoder(configuration), try ALACEncoder(configuration))
            decoded = configuration.pcmFormat
        case .aacLC:
            let encoder = try AACEncoder(sampleRate: rate)
            coder = .aac(try AACPacketDecoder(sampleRate: rate), encoder)
            decoded = encoder.inputFormat
        case .pcm:
            coder = .samples
            decoded = PCMFormat(sampleRate: rate, channelCount: 2, sampleFormat: .float32)
        case .aacELD, .opus:
            throw SpeakerFailure(.refused, "\(format) cannot be processed for one speaker")
        }
        chain = TreatmentChain(treatment, sampleRate: rate)
        limiter = PeakLimiter(sampleRate: rate)
    }

    /// Returns whether a packet follows the one that was given last, or is the one that is waited for.
    func continues(with packet: PacketStore.Packet) -> Bool {
        packet.format == format && packet.index == wanted
            && lastBeforeSilence.map { packet.index <= $0 } ?? true
    }

    /// Returns the payload of a packet with its new sound.
    ///
    /// - Returns: `nil` while the packets that the encoder needs after it are not there yet.
    mutating func payload(
        of packet: PacketStore.Packet, in store: PacketStore, with overlays: [SpeakerSound.PlacedOverlay]
    ) throws -> [UInt8]? {
        if wanted == nil { try prime(before: packet, in: store, with: overlays) }
        wanted = packet.index
        guard case .aac(_, let encoder) = coder else {
            let sound = try take(packet, with: overlays)
            wanted = packet.index + 1
            return try encode(sound, of: packet)
        }
        while true {
            units.removeAll { $0.frame < packet.frame }
            if let unit = units.first {
                guard unit.frame == packet.frame else { throw CodecGap() }
                wanted = packet.index + 1
                return unit.payload
            }
            guard let next = try following(packet, in: store, with: overlays) else { return nil }
            try feed(next.sound, at: next.frame, to: encoder)
        }
    }

    private mutating func prime(
        before packet: PacketStore.Packet, in store: PacketStore,
        with overlays: [SpeakerSound.PlacedOverlay]
    ) throws {
        let isAAC = if case .aac = coder { true } else { false }
        var run: [PacketStore.Packet] = []
        // Only packets of the same format, without a gap.
        var next = packet
        for earlier in store.packets(before: packet.index, count: isAAC ? Self.aacPriming : Self.priming)
            .reversed()
        {
            guard earlier.format == format, earlier.endFrame == next.frame else { break }
            run.append(earlier)
            next = earlier
        }
        for earlier in run.reversed() {
            let sound = try take(earlier, with: overlays)
            if case .aac(_, let encoder) = coder { try feed(sound, at: earlier.frame, to: encoder) }
        }
    }

    // MARK: Decoding and changing

    /// Returns the changed samples of a packet.
    private mutating func take(
        _ packet: PacketStore.Packet, with overlays: [SpeakerSound.PlacedOverlay]
    ) throws -> PCMBuffer {
        let payload = packet.withPayload { Array($0) }
        var sound =
            switch coder {
            case .alac(let decoder, _): try decoder.decode(payload)
            case .aac(let decoder, _): try decoder.decode(payload)
            case .samples: PCMBuffer(format: decoded, bytes: payload) ?? PCMBuffer(format: decoded)
            }
        let (wanted, found) = (Int(packet.frameCount), sound.frameCount)
        if found > wanted { sound.removeLast(frameCount: found - wanted) }
        if found < wanted { sound.appendSilence(frameCount: wanted - found) }
        taken = (packet.index, packet.endFrame)
        var widening = SampleConverter(to: .float32)
        var wide = widening.convert(sound)
        change(&wide, at: packet.frame, with: overlays)
        return wide
    }

    private mutating func change(
        _ sound: inout PCMBuffer, at frame: Int64, with overlays: [SpeakerSound.PlacedOverlay]
    ) {
        sound.withUnsafeMutableBytes { bytes in
            let samples = bytes.bindMemory(to: Float.self)
            chain.process(samples)
            for placed in overlays { placed.overlay.mix(into: samples, at: frame - placed.frame) }
            limiter.process(samples)
        }
    }

    // MARK: Encoding

    private func encode(_ sound: PCMBuffer, of packet: PacketStore.Packet) throws -> [UInt8] {
        // The same noise each time that the packet is made.
        let dither = SampleConverter.Dither.triangular(seed: UInt64(bitPattern: packet.index))
        var narrowing = SampleConverter(to: decoded.sampleFormat, dither: dither)
        let narrow = narrowing.convert(sound)
        guard case .alac(_, let encoder) = coder else { return narrow.bytes }
        var payload: [UInt8] = []
        _ = try encoder.encode(narrow, into: &payload)
        return payload
    }

    /// Returns the sound after the processed packets, which an AAC encoder needs before it returns a unit; silence
    /// after the end, or where another format follows.
    private mutating func following(
        _ packet: PacketStore.Packet, in store: PacketStore,
        with overlays: [SpeakerSound.PlacedOverlay]
    ) throws -> (sound: PCMBuffer, frame: Int64)? {
        guard let taken else { return (try take(packet, with: overlays), packet.frame) }
        let next = store.packet(atOrAfter: max(taken.index + 1, packet.index))
        if let next, next.format == format, next.frame == taken.endFrame || next.index == packet.index {
            return (try take(next, with: overlays), next.frame)
        }
        guard next != nil || store.isComplete else { return nil }
        let frame = taken.endFrame
        lastBeforeSilence = lastBeforeSilence ?? taken.index
        self.taken = (taken.index, frame + Int64(AACEncoder.framesPerPacket))
        return (PCMBuffer(format: decoded, silentFrameCount: AACEncoder.framesPerPacket), frame)
    }

    private mutating func feed(_ sound: PCMBuffer, at frame: Int64, to encoder: AACEncoder) throws {
        var payload: [UInt8] = []
        let start = unitFrame ?? frame - Int64(encoder.delay)
        unitFrame = start
        guard try encoder.encode(sound, into: &payload) else { return }
        units.append((start, payload))
        unitFrame = start + Int64(AACEncoder.framesPerPacket)
    }
}

/// The error of units that do not lie on the packets' frames.
private struct CodecGap: Error {}
