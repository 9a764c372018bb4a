import AirPlayMessages
import AirPlaySender
import Codecs
import CoreMedia
import MediaTime
import PCM

/// Turns sample buffers into packets for the speakers: unchanged if possible, else decoded and encoded once.
/// Confined to the codec queue.
///
/// Packets lie on one gapless line of frames. A gap between the times of two sources becomes silence of the
/// same length; an overlap is cut.
final class RenderPipeline {
    /// The writer of the current packets; none before the first.
    enum Writer {
        case none
        case units(AACPassthrough)
        case encoder(WireEncoder)
    }

    /// A stretch of decoded sound between earlier sound and access units that will pass through.
    struct Bridge {
        /// Timeline frame of the bridge's first frame.
        var start: Int64
        /// Timestamp of the next unit, in source frames since the chain's origin.
        var nextTimestamp: Int64?
    }

    /// Longest gap, in seconds, that is filled with silence. A longer gap is left as a hole.
    private static let longestSilence = 600.0
    /// Upper bound of a valid time, in seconds (about 30 years); keeps sums far from the limits of 64 bits.
    private static let timeLimit = 1e9
    /// Longest valid buffer, in seconds.
    private static let longestBuffer = 86_400.0
    /// Rounding error of a join between time scales, in frames at most.
    static let joinTolerance: Int64 = 2

    let store: PacketStore
    var backlog = BufferBacklog()
    var gain: Float = 1 {
        didSet {
            // Pass-through cannot apply a gain: the source begins anew, encoded or passed through.
            if (gain == 1) != (oldValue == 1), choice?.format.codec == .aacLC { source = nil }
        }
    }
    /// Set only while nothing is packed.
    var speed = PlaybackSpeed.normal
    var pitch = PitchTreatment.kept

    private(set) var isDecided = false
    var policy: WireFormatPolicy
    var writer = Writer.none
    var source: CMFormatDescription?
    var choice: WireChoice?
    var chain: SourceChain?
    /// Chain timestamp that continues without a gap.
    var nextTimestamp: Int64?
    var bridge: Bridge?
    /// Frames of an overlap that remain to be dropped.
    var dropping: Int64 = 0

    init(store: PacketStore, policy: WireFormatPolicy) {
        self.store = store
        self.policy = policy
    }

    /// Records the capabilities of the speakers or the device, which decide the wire format.
    func learn(of traits: PacketOutputTraits) {
        let receivers = traits.receivers
        isDecided = true
        policy.deviceRate = traits.deviceRate
        policy.only = traits.onlyFormat
        policy.playsHighResolution = !receivers.isEmpty && receivers.allSatisfy(\.quirks.playsALAC48000x24)
        isFixed = receivers.contains { $0.quirks.bufferedHeaderStyle != .formatCode23 }
        changesCodecCleanly = !isFixed && receivers.allSatisfy(\.quirks.changesCodecCleanly)
    }

    /// At least one speaker learns the format at SETUP and cannot change it.
    private var isFixed = false
    /// The codec can change mid-stream without loss.
    var changesCodecCleanly = true
    /// A source's last unit, of which only a part is audible. The next sound decides how it is sent.
    var tail: Tail?

    struct Tail {
        var unit: [UInt8]
        var frameCount: Int
    }

    // MARK: Places

    var wireRate: SampleRate { writerFormat?.sampleRate ?? choice?.format.sampleRate ?? .hz44100 }

    var writerFormat: AudioWireFormat? {
        switch writer {
        case .none: nil
        case .units(let units): units.format
        case .encoder(let encoder): encoder.format
        }
    }

    /// The frame that continues without a gap; `nil` if nothing was made since the last flush.
    var cursor: Int64? {
        switch writer {
        case .none: nil
        case .units(let units): units.cursor
        case .encoder(let encoder): encoder.cursor
        }
    }

    func frame(of time: CMTime) -> Int64 { speed.frame(of: time, at: wireRate) }

    /// Range of presentation time that is in packets.
    var encodedRange: (start: CMTime, end: CMTime)? {
        guard let start = store.startFrame, let end = store.endFrame else { return nil }
        return (speed.time(of: start, at: wireRate), speed.time(of: end, at: wireRate))
    }

    // MARK: Buffers

    /// Encodes or passes through one buffer.
    ///
    /// - Returns: the wire format choice if this buffer begins a new source, else `nil`.
    /// - Throws: ``RenderError`` or a codec error if the buffer cannot be rendered; call ``flush()`` before the
    ///   next buffer.
    func process(_ buffer: CMSampleBuffer) throws -> WireChoice? {
        if buffer.dataReadiness != .ready { try buffer.makeDataReady() }
        // A buffer that carries only attachments needs neither format nor time.
        if buffer.numSamples == 0 { return nil }
        guard let format = buffer.formatDescription, Self.hasUsableTimes(buffer) else {
            throw RenderError("a buffer without a format or a time cannot be rendered")
        }
        let isNew = source.map { $0 != format } ?? true
        if isNew { try begin(format) }
        guard let choice else { return nil }
        if choice.passesThrough { try pass(buffer) } else { try encode(buffer, as: choice.format) }
        return isNew ? self.choice : nil
    }

    private static func hasUsableTimes(_ buffer: CMSampleBuffer) -> Bool {
        let (start, output) = (buffer.presentationTimeStamp, buffer.outputPresentationTimeStamp)
        guard start.isNumeric, output.isNumeric else { return false }
        let length = buffer.duration.isValid ? buffer.duration.seconds : 0
        return abs(start.seconds) < timeLimit && abs(output.seconds) < timeLimit
            && length >= 0 && length <= longestBuffer
    }

    private func begin(_ format: CMFormatDescription) throws {
        try endSource()
        var policy = policy
        policy.runningRate = writerFormat?.sampleRate
        if isFixed, let choice { policy.fixed = choice.format }
        var sound = try SourceFormat.sound(of: format)
        // Rate and gain change samples, so access units cannot pass through.
        if sound.coding == .aacLC {
            if speed.rate != 1 { sound.coding = .lossy(codec: "AAC-LC at another rate") }
            if gain != 1 { sound.coding = .lossy(codec: "AAC-LC with the renderer's volume applied") }
        }
        choice = policy.choose(for: sound)
        source = format
    }

    /// Drains the chain: the resampler's remainder belongs to the ending source.
    private func endSource() throws {
        if let chain, case .encoder(let encoder) = writer { try append(try chain.finish(), to: encoder) }
        (chain, nextTimestamp, bridge) = (nil, nil, nil)
    }

    /// Packs all remaining sound, because no more buffers will come.
    func finish() throws {
        try endSource()
        source = nil
        switch writer {
        case .encoder(let encoder): try encoder.finish()
        case .units(let units):
            // Nothing follows: the unit is sent whole, and its padding is heard as silence.
            if let tail { tail.unit.withUnsafeBytes { units.append($0) } }
        case .none: break
        }
        tail = nil
    }

    func flush() {
        backlog.removeAll()
        (writer, source, chain, nextTimestamp, bridge) = (.none, nil, nil, nil, nil)
        tail = nil
        dropping = 0
    }

    // MARK: Encoding

    func encode(_ buffer: CMSampleBuffer, as format: AudioWireFormat) throws {
        let encoder = try encoder(for: format, at: buffer.outputPresentationTimeStamp)
        let chain = try chain(for: buffer, to: encoder)
        for stretch in try chain.decode(buffer) { try place(stretch, of: chain, in: encoder) }
    }

    private func encoder(for format: AudioWireFormat, at time: CMTime) throws -> WireEncoder {
        if case .encoder(let encoder) = writer {
            if encoder.format == format { return encoder }
            try encoder.finish()
        }
        if case .units(let units) = writer { return try encoder(for: format, after: units) }
        let start = cursor ?? speed.frame(of: time, at: format.sampleRate)
        let encoder = try WireEncoder(format: format, at: start, store: store)
        writer = .encoder(encoder)
        return encoder
    }

    /// Continues with an encoder after access units, beginning with the audible part of the last unit.
    func encoder(for format: AudioWireFormat, after units: AACPassthrough) throws -> WireEncoder {
        let history = format.codec == .aacLC ? try decodedUnits(before: .max, format: units.format) : nil
        let encoder = try WireEncoder(format: format, at: units.cursor, store: store, history: history)
        if let tail {
            let frames = try tail.unit.withUnsafeBytes { try units.decode($0) }
            try encoder.append(converted(frames, to: encoder.input)[0..<tail.frameCount])
        }
        tail = nil
        writer = .encoder(encoder)
        return encoder
    }

    /// Decodes the last units before a packet.
    func decodedUnits(before index: Int64, format: AudioWireFormat) throws -> PCMBuffer? {
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

    func chain(for buffer: CMSampleBuffer, to encoder: WireEncoder) throws -> SourceChain {
        if let chain { return chain }
        guard let source else { throw RenderError("no source") }
        let chain = try SourceChain(
            source, origin: buffer.outputPresentationTimeStamp, to: encoder.input, speed: speed.rate,
            pitch: pitch)
        self.chain = chain
        return chain
    }

    func place(_ stretch: SourceChain.Stretch, of chain: SourceChain, in encoder: WireEncoder) throws {
        var encoder = encoder
        if nextTimestamp != stretch.timestamp {
            if nextTimestamp != nil { try append(try chain.finish(), to: encoder) }
            let time =
                chain.origin
                + CMTime(value: stretch.timestamp, timescale: CMTimeScale(chain.sampleRate.hertz))
            encoder = try align(encoder, to: frame(of: time))
        }
        nextTimestamp = stretch.timestamp + Int64(stretch.frames.frameCount)
        try append(try chain.convert(stretch.frames, gain: gain), to: encoder)
    }

    /// Fills the gap up to `frame` with silence, or marks an overlap for dropping.
    ///
    /// - Returns: the encoder that continues at `frame`.
    private func align(_ encoder: WireEncoder, to frame: Int64) throws -> WireEncoder {
        let gap = frame - encoder.cursor
        dropping = gap < -Self.joinTolerance ? -gap : 0
        if gap > Int64(Self.longestSilence) * Int64(encoder.format.sampleRate.hertz) {
            try encoder.finish()
            let next = try WireEncoder(format: encoder.format, at: frame, store: store)
            writer = .encoder(next)
            bridge?.start = frame
            return next
        }
        if gap > Self.joinTolerance { try encoder.appendSilence(frameCount: gap) }
        return encoder
    }

    func append(_ frames: PCMBuffer, to encoder: WireEncoder) throws {
        guard !frames.isEmpty else { return }
        let skip = Int(min(dropping, Int64(frames.frameCount)))
        dropping -= Int64(skip)
        try encoder.append(skip == 0 ? frames : frames[skip..<frames.frameCount])
    }
}
