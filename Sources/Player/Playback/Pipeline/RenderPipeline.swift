import AirPlayMessages
import AirPlaySender
import CoreMedia
import TuttiMediaTime

/// Turns sample buffers into packets for the speakers: unchanged if possible, else decoded and encoded once.
/// Confined to the codec queue.
///
/// Packets lie on one gapless line of frames. A gap between the times of two sources becomes silence of the
/// same length; an overlap is cut.
final class RenderPipeline {
    /// Upper bound of a valid time, in seconds (about 30 years); keeps sums far from the limits of 64 bits.
    private static let timeLimit = 1e9
    /// Longest valid buffer, in seconds.
    private static let longestBuffer = 86_400.0

    var backlog = BufferBacklog()
    var gain: Float = 1 {
        didSet {
            // Pass-through cannot apply a gain: the source starts again, encoded or passed through.
            if (gain == 1) != (oldValue == 1), choice?.format.codec == .aacLC { source = nil }
        }
    }
    /// Set only while nothing is packed.
    var speed = PlaybackSpeed.normal
    var pitch = PitchTreatment.kept
    var formats: WireFormats
    var line: WireLine
    var choice: WireChoice?
    private var source: CMFormatDescription?
    /// Whether the source's samples are scaled by a volume of their own.
    private var isScaled = false
    /// The access unit before those to decode next, which primes the decoder.
    private var primer: (unit: [UInt8], end: Int64)?
    var chain: SourceChain?
    var bridge: Bridge?

    init(store: PacketStore, policy: WireFormatPolicy) {
        line = WireLine(store: store, isCompressed: policy.isCompressed)
        formats = WireFormats(policy: policy)
    }

    // MARK: Places

    var wireRate: SampleRate { line.format?.sampleRate ?? choice?.format.sampleRate ?? .hz44100 }

    func frame(of time: CMTime) -> Int64 { speed.frame(of: time, at: wireRate) }

    /// Range of presentation time that is in packets.
    var encodedRange: (start: CMTime, end: CMTime)? {
        guard let start = line.store.startFrame, let end = line.store.endFrame else { return nil }
        return (speed.time(of: start, at: wireRate), speed.time(of: end, at: wireRate))
    }

    // MARK: Buffers

    /// Encodes or passes through one buffer.
    ///
    /// - Returns: The wire format choice if this buffer begins a new source, else `nil`.
    /// - Throws: ``RenderError`` or a codec error if the buffer cannot be rendered; call ``flush()`` before the
    ///   next buffer.
    func process(_ buffer: CMSampleBuffer) throws -> WireChoice? {
        if buffer.dataReadiness != .ready { try buffer.makeDataReady() }
        // A buffer that carries only attachments needs neither format nor time.
        if buffer.numSamples == 0 { return nil }
        guard let format = buffer.formatDescription, Self.hasUsableTimes(buffer) else {
            throw RenderError("a buffer without a format or a time cannot be rendered")
        }
        let hasVolume = buffer.volumeCurve != nil
        let isNew = source.map { $0 != format } ?? true
        let isOther = isNew || hasVolume != isScaled
        if isNew { try endSource() } else if isOther { keepDecoding() }
        if isOther { try begin(format, isScaled: hasVolume, isMixed: buffer.volume == .applied) }
        guard let choice else { return nil }
        if choice.passesThrough { try pass(buffer) } else { try encode(buffer, as: choice.format) }
        return isOther ? self.choice : nil
    }

    private static func hasUsableTimes(_ buffer: CMSampleBuffer) -> Bool {
        let (start, output) = (buffer.presentationTimeStamp, buffer.outputPresentationTimeStamp)
        guard start.isNumeric, output.isNumeric else { return false }
        let length = buffer.duration.isValid ? buffer.duration.seconds : 0
        return abs(start.seconds) < timeLimit && abs(output.seconds) < timeLimit
            && length >= 0 && length <= longestBuffer
    }

    private func begin(_ format: CMFormatDescription, isScaled: Bool, isMixed: Bool) throws {
        var sound = try SourceFormat.sound(of: format)
        if isMixed { sound.coding = .lossy(codec: "a crossfade of two items") }
        // Rate and gain change samples, so access units cannot pass through.
        if sound.coding == .aacLC {
            if isScaled { sound.coding = .lossy(codec: "AAC-LC with the item's own volume applied") }
            if speed.rate != 1 { sound.coding = .lossy(codec: "AAC-LC at another rate") }
            if gain != 1 { sound.coding = .lossy(codec: "AAC-LC with the renderer's volume applied") }
        } else if isScaled {
            sound.isScaled = true
        }
        choice = formats.choose(for: sound, after: choice?.format, running: line.format)
        (source, self.isScaled) = (format, isScaled)
    }

    /// The same source continues with or without a volume of its own: its decoder and resampler stay, and access
    /// units that were passed through prime the decoder.
    private func keepDecoding() {
        bridge = nil
        if case .units(let units) = line.writer, units.tail == nil, !units.last.isEmpty {
            primer = (units.last, units.cursor)
        }
    }

    /// Drains the chain: the resampler's remainder belongs to the ending source.
    private func endSource() throws {
        if let chain, case .encoder = line.writer { try line.append(try chain.finish()) }
        (chain, bridge, primer) = (nil, nil, nil)
    }

    func forgetSource() { (source, chain, bridge, primer) = (nil, nil, nil, nil) }

    /// Packs all remaining sound, because no more buffers will come.
    func finish() throws {
        try endSource()
        source = nil
        try line.finish()
    }

    func flush() {
        backlog.removeAll()
        forgetSource()
        line.reset()
    }

    // MARK: Encoding

    func encode(_ buffer: CMSampleBuffer, as format: AudioWireFormat) throws {
        let start = speed.frame(of: buffer.outputPresentationTimeStamp, at: format.sampleRate)
        let encoder = try line.encode(as: format, at: start)
        let chain = try chain(for: buffer, to: encoder)
        for stretch in try chain.decode(buffer) { try place(stretch, of: chain, buffer.volumeCurve) }
    }

    func chain(for buffer: CMSampleBuffer, to encoder: WireEncoder) throws -> SourceChain {
        if let chain, chain.output == encoder.input { return chain }
        guard let source else { throw RenderError("no source") }
        let chain = try SourceChain(
            source, origin: buffer.outputPresentationTimeStamp, to: encoder.input, speed: speed.rate,
            pitch: pitch)
        self.chain = chain
        if let primer = primer.take(), buffer.trims.start == .zero {
            let isNext = abs(primer.end - frame(of: chain.origin)) <= WireLine.joinTolerance
            if isNext { chain.prime(with: primer.unit) }
        }
        return chain
    }

    /// Converts a stretch and appends it to the line, after a gap or overlap before it.
    func place(
        _ stretch: SourceChain.Stretch, of chain: SourceChain, _ volume: VolumeCurve? = nil
    ) throws {
        if chain.nextTimestamp != stretch.timestamp {
            if chain.nextTimestamp != nil { try line.append(try chain.finish()) }
            let frame = frame(of: chain.time(of: stretch.timestamp))
            if try line.align(to: frame) { bridge?.start = frame }
        }
        try line.append(try chain.convert(stretch, gain: gain, volume: volume))
    }
}
