import AirPlayMessages
import AirPlaySender
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM

/// The gapless line of packets for the speakers, made by one writer after another. Confined to the codec queue.
struct WireLine {
    /// The writer of the current packets; none before the first.
    enum Writer {
        case none
        case units(AACPassthrough)
        case encoder(WireEncoder)
    }

    /// Longest gap, in seconds, that is filled with silence. A longer gap is left as a hole.
    private static let longestSilence = 600.0
    /// Rounding error of a join between time scales, in frames at most.
    static let joinTolerance: Int64 = 2

    let store: PacketStore
    private let isCompressed: Bool
    private(set) var writer = Writer.none
    /// Frames of an overlap that remain to be dropped.
    private var dropping: Int64 = 0

    /// - Parameter isCompressed: See ``ALACConfiguration/isCompressed``.
    init(store: PacketStore, isCompressed: Bool) { (self.store, self.isCompressed) = (store, isCompressed) }

    var format: AudioWireFormat? {
        switch writer {
        case .none: nil
        case .units(let units): units.format
        case .encoder(let encoder): encoder.format
        }
    }

    /// The frame that continues without a gap; `nil` if nothing was made since the last reset.
    var cursor: Int64? {
        switch writer {
        case .none: nil
        case .units(let units): units.cursor
        case .encoder(let encoder): encoder.cursor
        }
    }

    // MARK: Writers

    /// Returns whether an access unit whose first frame is `frame` can follow untouched.
    func takesUnit(at frame: Int64) -> Bool {
        switch writer {
        case .none: true
        case .units(let units): units.tail == nil && abs(units.cursor - frame) <= Self.joinTolerance
        case .encoder: false
        }
    }

    /// Continues with access units; `previous` is the unit before the first one, if it was encoded.
    mutating func passThrough(_ format: AudioWireFormat, at frame: Int64, after previous: [UInt8]? = nil)
        throws
    {
        if case .encoder(let encoder) = writer { try encoder.finish() }
        let units = AACPassthrough(format: format, at: cursor ?? frame, store: store)
        if let previous { units.prime(with: previous) }
        writer = .units(units)
    }

    /// Continues with an encoder of a format, beginning with the audible part of the last access unit.
    ///
    /// - Parameter frame: The first frame if nothing precedes.
    @discardableResult
    mutating func encode(as format: AudioWireFormat, at frame: Int64) throws -> WireEncoder {
        var history: PCMBuffer?
        switch writer {
        case .encoder(let encoder):
            if encoder.format == format { return encoder }
            try encoder.finish()
        case .units(let units) where format.codec == .aacLC:
            history = try decodedUnits(before: .max, format: units.format)
        case .units, .none: break
        }
        let encoder = try encoder(of: format, at: cursor ?? frame, history: history)
        if case .units(let units) = writer, let tail = try units.decodeTail() {
            try encoder.append(Self.converted(tail, to: encoder.input))
        }
        writer = .encoder(encoder)
        return encoder
    }

    private func encoder(
        of format: AudioWireFormat, at frame: Int64, history: PCMBuffer? = nil
    ) throws -> WireEncoder {
        try WireEncoder(
            format: format, at: frame, store: store, history: history, isCompressed: isCompressed)
    }

    /// Decodes the last units before a packet.
    private func decodedUnits(before index: Int64, format: AudioWireFormat) throws -> PCMBuffer? {
        let units = store.packets(before: index, count: 18).reversed().prefix { $0.format == format }
            .reversed()
        guard units.count > 1 else { return nil }
        let decoder = try AACPacketDecoder(sampleRate: format.sampleRate)
        var frames: PCMBuffer?
        for (position, unit) in units.enumerated() {
            let decoded = try decoder.decode(unit.withPayload { Array($0) })
            if position == 0 { continue }
            if frames == nil { frames = decoded } else { frames?.append(decoded) }
        }
        return frames
    }

    private static func converted(_ frames: PCMBuffer, to format: PCMFormat) -> PCMBuffer {
        var converter = SampleConverter(to: format.sampleFormat)
        return converter.convert(frames)
    }

    // MARK: Frames

    /// Appends frames for the encoder, without the rest of an overlap.
    mutating func append(_ frames: PCMBuffer) throws {
        guard case .encoder(let encoder) = writer, !frames.isEmpty else { return }
        let skip = Int(min(dropping, Int64(frames.frameCount)))
        dropping -= Int64(skip)
        try encoder.append(skip == 0 ? frames : frames[skip..<frames.frameCount])
    }

    /// Appends those of the frames that lie before `end`.
    mutating func append(_ frames: PCMBuffer, before end: Int64) throws {
        let left = max(0, min(end - (cursor ?? end) + dropping, Int64(frames.frameCount)))
        try append(frames[0..<Int(left)])
    }

    /// Fills the encoder's gap up to `frame` with silence, or marks an overlap for dropping.
    ///
    /// - Returns: Whether the gap was too long, so that the line starts again at `frame`.
    mutating func align(to frame: Int64) throws -> Bool {
        guard case .encoder(let encoder) = writer else { return false }
        let gap = frame - encoder.cursor
        dropping = gap < -Self.joinTolerance ? -gap : 0
        if gap > Int64(Self.longestSilence) * Int64(encoder.format.sampleRate.hertz) {
            try encoder.finish()
            writer = .encoder(try self.encoder(of: encoder.format, at: frame))
            return true
        }
        if gap > Self.joinTolerance { try encoder.appendSilence(frameCount: gap) }
        return false
    }

    /// Packs all remaining sound.
    func finish() throws {
        switch writer {
        case .encoder(let encoder): try encoder.finish()
        case .units(let units): units.finish()
        case .none: break
        }
    }

    mutating func reset() { (writer, dropping) = (.none, 0) }

    // MARK: Cutting

    /// Drops packets from `frame` on, and re-encodes the part of a packet before `frame`.
    ///
    /// - Parameter lossless: The format that replaces a cut access unit of a sample rate, if any.
    mutating func cut(at frame: Int64, lossless: (SampleRate) -> AudioWireFormat?) throws {
        dropping = 0
        if case .units(let units) = writer { units.dropTail() }
        guard let packet = store.truncate(at: frame) else { return }
        if frame < packet.frame, store.endFrame == nil {
            // All sound lay later: new sound is placed at its own time.
            writer = .none
            return
        }
        var (format, history) = (packet.format, PCMBuffer?.none)
        if format.codec == .aacLC {
            format = lossless(format.sampleRate) ?? format
            if format.codec == .aacLC { history = try decodedUnits(before: packet.index, format: format) }
        }
        let encoder = try encoder(of: format, at: packet.frame, history: history)
        let keep = Int(min(max(0, frame - packet.frame), Int64(packet.frameCount)))
        if let frames = try decoded(packet, for: encoder) {
            try encoder.append(frames[0..<min(keep, frames.frameCount)])
        }
        writer = .encoder(encoder)
    }

    private func decoded(_ packet: PacketStore.Packet, for encoder: WireEncoder) throws -> PCMBuffer? {
        let payload = packet.withPayload { Array($0) }
        switch packet.format.codec {
        case .alac:
            return try ALACPacketDecoder(WireEncoder.configuration(of: packet.format)).decode(payload)
        case .pcm:
            return PCMBuffer(format: encoder.input, bytes: payload)
        case .aacLC, .aacELD, .opus:
            let before = store.packets(before: packet.index, count: 1).first
            let frames = try payload.withUnsafeBytes {
                try AACPassthrough.decode(
                    $0, after: before.map { $0.withPayload { Array($0) } } ?? [], format: packet.format)
            }
            return Self.converted(frames, to: encoder.input)
        }
    }
}
