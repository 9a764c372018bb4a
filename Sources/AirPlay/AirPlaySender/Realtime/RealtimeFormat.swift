import AirPlayMessages
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM
import TuttiResampling

/// Turns the packets of a group, of any format, into those of a realtime stream: ALAC or PCM.
///
/// Packets go in, in order; new ones come out in whole packets of 352 frames. Not thread-safe.
struct RealtimeFormat {
    private enum Decoder {
        case alac(ALACPacketDecoder)
        case aac(AACPacketDecoder)
    }

    /// The packets to decode before the first one that is heard: an AAC packet needs two, for its overlap and its
    /// window.
    static let primingPackets = 2

    /// Receives a packet: its first frame, its number of frames, its payload.
    typealias Emit = (Int64, Int, UnsafeRawBufferPointer) -> Void

    private enum Encoder {
        case alac(ALACEncoder)
        /// `L16`: big-endian.
        case pcm
    }

    private let encoder: Encoder
    private let target: PCMFormat
    private let framesPerPacket: Int
    private var decoder: (format: AudioWireFormat, decoder: Decoder)?
    private var resampler: Resampler?
    private var rounding: SampleConverter
    private var waiting: PCMQueue
    private var payload: [UInt8] = []
    /// The frame of the first waiting sound, in the realtime stream's frames; `nil` at the beginning of a run.
    private var cursor: Int64?
    /// Sound before this frame only prepares the decoder.
    private var first: Int64 = .min
    /// The end of the last packet, in the group's frames.
    private var lastEnd: Int64?
    /// The frame of the next sound that comes out of the resampler.
    private var resampled: Int64 = 0

    /// - Parameter target: The format of the stream, ALAC or PCM.
    init(to target: AudioWireFormat = .alac44100x16) throws(CodecError) {
        let configuration = ALACConfiguration(
            sampleRate: target.sampleRate, bitDepth: target.bitDepth ?? 16)
        encoder = target.codec == .pcm ? .pcm : .alac(try ALACEncoder(configuration))
        self.target = configuration.pcmFormat
        framesPerPacket = target.framesPerPacket
        rounding = SampleConverter(to: self.target.sampleFormat, dither: .triangular(seed: 1))
        waiting = PCMQueue(format: self.target)
    }

    /// Returns the frame at one rate that is heard together with a frame at another rate.
    static func frame(_ frame: Int64, at rate: SampleRate, to other: SampleRate) -> Int64 {
        guard rate != other else { return frame }
        let (from, to) = (Int64(rate.hertz), Int64(other.hertz))
        let (whole, rest) = frame.quotientAndRemainder(dividingBy: from)
        return whole * to + (rest * to + from / 2) / from
    }

    /// Begins anew at a frame of the realtime stream; what is given before it is not heard.
    mutating func restart(at frame: Int64) {
        waiting.removeAll()
        (cursor, first, lastEnd, decoder, resampler) = (nil, frame, nil, nil, nil)
    }

    /// Takes one packet.
    ///
    /// - Parameter emit: Receives each packet that is complete.
    /// - Throws: An error if the packet cannot be decoded; the next one begins a new run.
    mutating func take(
        _ packet: PacketStore.Packet, _ emit: Emit
    ) throws {
        defer { lastEnd = packet.endFrame }
        // Sound that does not continue what the resampler has ends that.
        if packet.frame != lastEnd { try endResampling() }
        do {
            let samples = try decode(packet)
            if samples.format.sampleRate == target.sampleRate {
                append(rounding.convert(samples), at: packet.frame)
            } else {
                try resample(samples, at: packet.frame)
            }
        } catch {
            (decoder, resampler) = (nil, nil)
            throw error
        }
        try encode(emit)
    }

    /// Gives what waits as a last, shorter packet, because nothing follows for now.
    mutating func finish(_ emit: Emit)
        throws
    {
        try endResampling()
        try encode(emit, least: 1)
    }

    private mutating func decode(_ packet: PacketStore.Packet) throws -> PCMBuffer {
        let decoder = try decoder(for: packet.format)
        let payload = packet.withPayload { Array($0) }
        var buffer: PCMBuffer
        switch decoder {
        case .alac(let alac): buffer = try alac.decode(payload)
        case .aac(let aac): buffer = try aac.decode(payload)
        }
        // A packet may be cut by the group's edits.
        if buffer.frameCount > Int(packet.frameCount) {
            buffer.removeLast(frameCount: buffer.frameCount - Int(packet.frameCount))
        }
        return buffer
    }

    private mutating func decoder(for format: AudioWireFormat) throws -> Decoder {
        if let decoder, decoder.format == format { return decoder.decoder }
        let made: Decoder =
            switch format.codec {
            case .alac:
                .alac(
                    try ALACPacketDecoder(
                        ALACConfiguration(sampleRate: format.sampleRate, bitDepth: format.bitDepth ?? 16)))
            case .aacLC: .aac(try AACPacketDecoder(sampleRate: format.sampleRate))
            case .pcm, .aacELD, .opus:
                throw SpeakerFailure(.refused, "\(format) cannot be converted for a realtime stream")
            }
        decoder = (format, made)
        return made
    }

    /// Returns the frames at one rate after which a frame at the other rate begins at the same time again.
    private static func commonFrames(of rate: SampleRate, with other: SampleRate) -> Int64 {
        var (divisor, rest) = (rate.hertz, other.hertz)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        return Int64(rate.hertz / divisor)
    }

    /// - Parameter frame: The first frame, in the group's frames.
    private mutating func resample(_ buffer: PCMBuffer, at frame: Int64) throws {
        var widening = SampleConverter(to: .float32)
        var samples = widening.convert(buffer)
        if resampler == nil {
            resampler = try Resampler(from: samples.format, to: target.sampleRate)
            let rate = samples.format.sampleRate
            resampled = Self.frame(frame, at: rate, to: target.sampleRate)
            // Sound that only prepares the decoder may begin where frames of both rates begin together.
            let common = Self.commonFrames(of: rate, with: target.sampleRate)
            let past = frame % common
            if past > 0, resampled + common < first, samples.frameCount > Int(common) {
                let skipped = common - past
                samples.removeFirst(frameCount: Int(skipped))
                resampled = Self.frame(frame + skipped, at: rate, to: target.sampleRate)
            }
        }
        if let output = try resampler?.process(samples) { appendResampled(output) }
    }

    /// Takes what the resampler still holds; the next sound begins anew.
    private mutating func endResampling() throws {
        guard let resampler else { return }
        self.resampler = nil
        appendResampled(try resampler.finish())
    }

    private mutating func appendResampled(_ output: PCMBuffer) {
        let start = resampled
        resampled += Int64(output.frameCount)
        append(rounding.convert(output), at: start)
    }

    /// Appends sound that begins at `frame` unless it continues what waits: gaps become silence, what is before
    /// ``first`` or was there already is dropped.
    private mutating func append(_ buffer: PCMBuffer, at frame: Int64) {
        var buffer = buffer
        var start = frame
        if let end, start > end {
            waiting.appendSilence(frameCount: Int(min(start - end, Self.longestGap)))
        }
        let from = max(first, end ?? first)
        if start < from {
            let count = min(Int(from - start), buffer.frameCount)
            buffer.removeFirst(frameCount: count)
            start += Int64(count)
        }
        guard !buffer.isEmpty else { return }
        if cursor == nil { cursor = start }
        waiting.append(buffer)
    }

    private var end: Int64? { cursor.map { $0 + Int64(waiting.frameCount) } }
    private static let longestGap: Int64 = 10 * 44_100

    /// Encodes what waits, in packets of at least so many frames.
    private mutating func encode(_ emit: Emit, least: Int? = nil) throws(CodecError) {
        while let start = cursor, waiting.frameCount >= least ?? framesPerPacket {
            let count = min(waiting.frameCount, framesPerPacket)
            payload.removeAll(keepingCapacity: true)
            let samples = waiting.read(frameCount: count)
            switch encoder {
            case .alac(let encoder): try encoder.encode(samples, into: &payload)
            case .pcm: samples.appendBigEndian(to: &payload)
            }
            payload.withUnsafeBytes { emit(start, count, $0) }
            cursor = start + Int64(count)
        }
    }
}

extension PCMBuffer {
    /// Appends the samples, of 16 bits each, with the high byte first.
    fileprivate func appendBigEndian(to bytes: inout [UInt8]) {
        withUnsafeBytes { samples in
            for sample in samples.bindMemory(to: UInt16.self) {
                bytes.append(UInt8(sample >> 8))
                bytes.append(UInt8(truncatingIfNeeded: sample))
            }
        }
    }
}
