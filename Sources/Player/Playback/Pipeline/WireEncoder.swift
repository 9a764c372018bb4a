import AirPlayMessages
import AirPlaySender
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM

/// Packs PCM into packets of one wire format and appends them to the store. Confined to the codec queue.
///
/// New frames begin at ``cursor`` and are packed as soon as a packet is full; ``finish()`` packs the last,
/// short packet.
final class WireEncoder {
    /// Shortest packet in frames: speakers drop or garble packets of one or two frames (*observed* in
    /// shairport-sync's source).
    private static let shortestPacket = 3
    /// Batch limit in packets, about 2 s of sound; bounds memory on the way to the store.
    private static let packetsAtOnce = 256

    let format: AudioWireFormat
    let input: PCMFormat
    private let store: PacketStore
    private var frames: PCMQueue
    private var payload: [UInt8] = []
    private var coder: Coder

    private enum Coder {
        case alac(ALACEncoderBank)
        case aac(AACEncoder)
        /// Uncompressed samples.
        case none
    }

    /// Timeline frame of the first frame in the queue.
    private var position: Int64

    /// - Parameter history: Sound just before `frame`, if packets of the same format end there. AAC needs the
    ///   history: the library's encoder is poor in its first units (*observed*: an error of a third of full
    ///   scale, gone after 18), so those units are made of sound that has been sent, and are discarded.
    /// - Parameter isCompressed: See ``ALACConfiguration/isCompressed``.
    init(
        format: AudioWireFormat, at frame: Int64, store: PacketStore, history: PCMBuffer? = nil,
        isCompressed: Bool = true
    ) throws {
        self.format = format
        self.store = store
        position = frame
        firstFrame = frame
        if format.codec == .pcm {
            (coder, input) = (
                .none,
                PCMFormat(sampleRate: format.sampleRate, channelCount: 2, sampleFormat: .float32)
            )
        } else if format.codec == .alac {
            let encoder = try ALACEncoderBank(Self.configuration(of: format, isCompressed))
            (coder, input) = (.alac(encoder), encoder.configuration.pcmFormat)
        } else {
            let encoder = try AACEncoder(sampleRate: format.sampleRate)
            (coder, input) = (.aac(encoder), encoder.inputFormat)
            aacFrame = frame - Int64(encoder.delay)
        }
        frames = PCMQueue(format: input)
        if case .alac(let encoder) = coder {
            try Self.describeSilence(encoder, format: format, store: store)
        } else if let history {
            try warmUp(history)
        }
    }

    private func warmUp(_ history: PCMBuffer) throws {
        let count = history.frameCount / framesPerPacket * framesPerPacket
        position -= Int64(count)
        aacFrame -= Int64(count)
        isJoin = true
        try append(history[history.frameCount - count..<history.frameCount])
    }

    private let firstFrame: Int64
    /// Packets of the same format precede. Of the units before the join, only the one that primes the decoder
    /// is sent.
    private var isJoin = false

    /// Timeline frame of the next AAC unit.
    private var aacFrame: Int64 = 0
    private var hasAACUnits = false

    static func configuration(of format: AudioWireFormat, _ isCompressed: Bool = true) -> ALACConfiguration {
        ALACConfiguration(
            sampleRate: format.sampleRate, bitDepth: format.bitDepth ?? 16, isCompressed: isCompressed)
    }

    private static func describeSilence(
        _ encoder: ALACEncoderBank, format: AudioWireFormat, store: PacketStore
    ) throws {
        var payload: [UInt8] = []
        let silence = PCMBuffer(
            format: encoder.configuration.pcmFormat, silentFrameCount: ALACEncoder.framesPerPacket)
        try encoder.encode(silence, into: &payload)
        payload.withUnsafeBytes {
            store.setSilence($0, frameCount: ALACEncoder.framesPerPacket, format: format)
        }
    }

    /// Timeline frame of the next frame to be appended.
    var cursor: Int64 { position + Int64(frames.frameCount) }

    private var framesPerPacket: Int { format.framesPerPacket }

    // MARK: Frames

    func append(_ buffer: PCMBuffer) throws {
        frames.append(buffer)
        try encodeFull()
    }

    func appendSilence(frameCount: Int64) throws {
        var left = frameCount
        while left > 0 {
            let part = min(left, Int64(input.sampleRate.hertz))
            frames.appendSilence(frameCount: Int(part))
            try encodeFull()
            left -= part
        }
    }

    /// Packs the remaining frames, the last packet as short as necessary. ALAC and PCM leave the cursor
    /// unchanged.
    ///
    /// AAC has no short packets: the sound continues in another packet, whose remainder is silent.
    func finish() throws {
        switch coder {
        case .alac:
            if frames.frameCount > framesPerPacket {
                try encode(frameCount: frames.frameCount - Self.shortestPacket)
            }
            let rest = frames.frameCount
            if rest > 0, rest < Self.shortestPacket {
                frames.appendSilence(frameCount: Self.shortestPacket - rest)
            }
            if !frames.isEmpty { try encode(frameCount: frames.frameCount) }
        case .none:
            if !frames.isEmpty { try encode(frameCount: frames.frameCount) }
        case .aac(let encoder):
            if !frames.isEmpty { try encode(frameCount: frames.frameCount) }
            try encoder.finish()
            payload.removeAll(keepingCapacity: true)
            while try encoder.drain(into: &payload) { emitAAC() }
            let next = try AACEncoder(sampleRate: format.sampleRate)
            coder = .aac(next)
            position = max(position, aacFrame)
            aacFrame = position - Int64(next.delay)
        }
    }

    /// Keeps back a few frames, so that the last packet is never too short.
    private func encodeFull() throws {
        guard case .alac(let encoder) = coder else {
            while frames.frameCount >= framesPerPacket { try encode(frameCount: framesPerPacket) }
            return
        }
        while frames.frameCount >= framesPerPacket + Self.shortestPacket {
            let whole = (frames.frameCount - Self.shortestPacket) / framesPerPacket
            let count = min(whole, Self.packetsAtOnce) * framesPerPacket
            try frames.withFirst(frameCount: count) { frames throws(CodecError) in
                try encoder.encode(frames) { payloads in payloads.forEach(store) }
            }
            frames.dropFirst(frameCount: count)
        }
    }

    /// Stores one full ALAC packet.
    private func store(_ payload: UnsafeRawBufferPointer) {
        store.append(frame: position, frameCount: framesPerPacket, format: format, payload: payload)
        position += Int64(framesPerPacket)
    }

    /// Drops frames from `frame` on that are not packed yet.
    func truncate(at frame: Int64) {
        let keep = Int(max(0, frame - position))
        guard keep < frames.frameCount else { return }
        let kept = frames.read(frameCount: keep)
        frames = PCMQueue(format: input)
        frames.append(kept)
    }

    private func encode(frameCount: Int) throws {
        if case .none = coder { return storePlain(frameCount: frameCount) }
        let buffer = frames.read(frameCount: frameCount)
        payload.removeAll(keepingCapacity: true)
        switch coder {
        case .alac(let encoder):
            try encoder.encode(buffer, into: &payload)
            payload.withUnsafeBytes {
                store.append(frame: position, frameCount: frameCount, format: format, payload: $0)
            }
        case .aac(let encoder):
            if try encoder.encode(buffer, into: &payload) { emitAAC() }
        case .none: break
        }
        position += Int64(frameCount)
    }

    private func storePlain(frameCount: Int) {
        frames.withFirst(frameCount: frameCount) {
            store.append(frame: position, frameCount: frameCount, format: format, payload: $0)
        }
        frames.dropFirst(frameCount: frameCount)
        position += Int64(frameCount)
    }

    private func emitAAC() {
        defer {
            aacFrame += Int64(framesPerPacket)
            payload.removeAll(keepingCapacity: true)
        }
        if isJoin, aacFrame < firstFrame - Int64(framesPerPacket) { return }
        payload.withUnsafeBytes { bytes in
            if !hasAACUnits, !isJoin {
                // An AAC run begins with two inaudible packets.
                store.append(
                    frame: aacFrame - Int64(framesPerPacket), frameCount: framesPerPacket, format: format,
                    payload: bytes)
                hasAACUnits = true
            }
            store.append(frame: aacFrame, frameCount: framesPerPacket, format: format, payload: bytes)
        }
    }
}
