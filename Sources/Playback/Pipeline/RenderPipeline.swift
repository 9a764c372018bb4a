import AirPlayMessages
import AirPlaySender
import Codecs
import CoreMedia
import MediaTime
import PCM

/// Turns sample buffers into the packets that go to the speakers: untouched where they can be, decoded and
/// encoded once where they cannot. Belongs to the codec queue.
///
/// What is made lies on one line of frames without a hole: sources follow each other where they end, a gap
/// between their times is silence of its length, an overlap is cut.
final class RenderPipeline {
    private enum Lane {
        case none
        case units(AccessUnitLane)
        case encoder(WireEncoder)
    }

    /// A stretch of decoded sound between what was before and access units that will pass through.
    private struct Bridge {
        /// Timeline frame at which it begins.
        var start: Int64
        /// Of the next unit, in the chain's count.
        var nextTimestamp: Int64?
    }

    /// Shorter stretches of ALAC between AAC are played as noise by some receivers, which look at the
    /// decoder's present state for sound decoded up to 0.85 s ago (*observed* in shairport-sync's source).
    private static let bridgeSeconds = 1.2
    /// A longer gap between times is left as a hole, and the sound begins anew after it.
    private static let longestSilence = 600.0
    /// Times of 30 years and more are none; sums of them stay far from the limits of 64 bits.
    private static let timeLimit = 1e9
    /// No buffer lasts longer.
    private static let longestBuffer = 86_400.0
    /// Rounding between time scales moves a join by this much at most.
    private static let joinTolerance: Int64 = 2

    let store: PacketStore
    var backlog = BufferBacklog()
    /// Nothing is processed while an answer of the speakers is awaited.
    var isSuspended = false
    var gain: Float = 1

    private(set) var isDecided = false
    private var policy: WireFormatPolicy
    private var lane = Lane.none
    private var source: CMFormatDescription?
    private var choice: WireChoice?
    private var chain: SourceChain?
    /// Timestamp in the chain that would follow without a gap.
    private var nextTimestamp: Int64?
    private var bridge: Bridge?
    /// Frames of an overlap, to be left out.
    private var dropping: Int64 = 0

    init(store: PacketStore, policy: WireFormatPolicy) {
        self.store = store
        self.policy = policy
    }

    /// What the speakers can play is known.
    func learn(of receivers: [ReceiverDescription]) {
        isDecided = true
        policy.playsHighResolution = !receivers.isEmpty && receivers.allSatisfy(\.quirks.playsALAC48000x24)
        isFixed = receivers.contains { $0.quirks.bufferedHeaderStyle != .formatCode23 }
        changesCodecCleanly = !isFixed && receivers.allSatisfy(\.quirks.changesCodecCleanly)
    }

    /// Some speakers learn the format at their set-up and cannot change it.
    private var isFixed = false
    /// The codec can change in the middle of a stream without a loss.
    private var changesCodecCleanly = true
    /// The last unit of a source, of which only a part is heard: what follows decides in which form it goes.
    private var tail: Tail?

    private struct Tail {
        var unit: [UInt8]
        var frameCount: Int
    }

    // MARK: Places

    var wireRate: SampleRate { laneFormat?.sampleRate ?? choice?.format.sampleRate ?? .hz44100 }

    private var laneFormat: AudioWireFormat? {
        switch lane {
        case .none: nil
        case .units(let units): units.format
        case .encoder(let encoder): encoder.format
        }
    }

    /// The frame that would follow without a gap; `nil` when nothing was made since the last flush.
    private var cursor: Int64? {
        switch lane {
        case .none: nil
        case .units(let units): units.cursor
        case .encoder(let encoder): encoder.cursor
        }
    }

    func frame(of time: CMTime) -> Int64 {
        time.convertScale(CMTimeScale(wireRate.hertz), method: .roundHalfAwayFromZero).value
    }

    /// Presentation time that is in packets.
    var encodedRange: (start: CMTime, end: CMTime)? {
        guard let start = store.startFrame, let end = store.endFrame else { return nil }
        let scale = CMTimeScale(wireRate.hertz)
        return (CMTime(value: start, timescale: scale), CMTime(value: end, timescale: scale))
    }

    var backlogSize: (seconds: Double, bytes: Int) { backlog.size }

    // MARK: Buffers

    /// - Returns: the choice for a source that begins with this buffer.
    func process(_ buffer: CMSampleBuffer) throws -> WireChoice? {
        if buffer.dataReadiness != .ready { try buffer.makeDataReady() }
        guard let format = buffer.formatDescription, Self.hasUsableTimes(buffer) else {
            throw RenderError("a buffer without a format or a time cannot be rendered")
        }
        if buffer.numSamples == 0 { return nil }
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
        policy.runningRate = laneFormat?.sampleRate
        if isFixed, let choice { policy.fixed = choice.format }
        var sound = try SourceFormat.sound(of: format)
        if gain != 1, sound.coding == .aacLC { sound.coding = .lossy }
        choice = policy.choose(for: sound)
        source = format
    }

    /// The resampler's rest belongs to the source that ends.
    private func endSource() throws {
        if let chain, case .encoder(let encoder) = lane { try append(try chain.finish(), to: encoder) }
        (chain, nextTimestamp, bridge) = (nil, nil, nil)
    }

    /// No more buffers: everything that is there becomes packets.
    func finish() throws {
        try endSource()
        source = nil
        switch lane {
        case .encoder(let encoder): try encoder.finish()
        case .units(let units):
            // Nothing follows: the unit goes as it is, its padding is heard as the silence it is.
            if let tail { tail.unit.withUnsafeBytes { units.append($0) } }
        case .none: break
        }
        tail = nil
    }

    func flush() {
        backlog.removeAll()
        (lane, source, chain, nextTimestamp, bridge) = (.none, nil, nil, nil, nil)
        tail = nil
        dropping = 0
    }

    // MARK: Encoding

    private func encode(_ buffer: CMSampleBuffer, as format: AudioWireFormat) throws {
        let encoder = try encoder(for: format, at: buffer.outputPresentationTimeStamp)
        let chain = try chain(for: buffer, to: encoder)
        for stretch in try chain.decode(buffer) { try place(stretch, of: chain, in: encoder) }
    }

    private func encoder(for format: AudioWireFormat, at time: CMTime) throws -> WireEncoder {
        if case .encoder(let encoder) = lane {
            if encoder.format == format { return encoder }
            try encoder.finish()
        }
        if case .units(let units) = lane { return try encoder(for: format, after: units) }
        let scale = CMTimeScale(format.sampleRate.hertz)
        let start = cursor ?? time.convertScale(scale, method: .roundHalfAwayFromZero).value
        let encoder = try WireEncoder(format: format, at: start, store: store)
        lane = .encoder(encoder)
        return encoder
    }

    /// Goes on where access units end; the heard part of the last one comes with it.
    private func encoder(for format: AudioWireFormat, after units: AccessUnitLane) throws -> WireEncoder {
        let history = format.codec == .aacLC ? try decodedUnits(before: .max, format: units.format) : nil
        let encoder = try WireEncoder(format: format, at: units.cursor, store: store, history: history)
        if let tail {
            let frames = try tail.unit.withUnsafeBytes { try units.decode($0) }
            try encoder.append(converted(frames, to: encoder.input)[0..<tail.frameCount])
        }
        tail = nil
        lane = .encoder(encoder)
        return encoder
    }

    /// What the last units before a packet sound like.
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

    private func chain(for buffer: CMSampleBuffer, to encoder: WireEncoder) throws -> SourceChain {
        if let chain { return chain }
        guard let source else { throw RenderError("no source") }
        let chain = try SourceChain(source, origin: buffer.outputPresentationTimeStamp, to: encoder.input)
        self.chain = chain
        return chain
    }

    private func place(_ stretch: SourceChain.Stretch, of chain: SourceChain, in encoder: WireEncoder) throws
    {
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

    /// - Returns: the encoder that goes on at `frame`.
    private func align(_ encoder: WireEncoder, to frame: Int64) throws -> WireEncoder {
        let gap = frame - encoder.cursor
        dropping = gap < -Self.joinTolerance ? -gap : 0
        if gap > Int64(Self.longestSilence) * Int64(encoder.format.sampleRate.hertz) {
            try encoder.finish()
            let next = try WireEncoder(format: encoder.format, at: frame, store: store)
            lane = .encoder(next)
            bridge?.start = frame
            return next
        }
        if gap > Self.joinTolerance { try encoder.appendSilence(frameCount: gap) }
        return encoder
    }

    private func append(_ frames: PCMBuffer, to encoder: WireEncoder) throws {
        guard !frames.isEmpty else { return }
        let skip = Int(min(dropping, Int64(frames.frameCount)))
        dropping -= Int64(skip)
        try encoder.append(skip == 0 ? frames : frames[skip..<frames.frameCount])
    }

    // MARK: Passing through

    /// What of a buffer of access units is heard, on the wire's line of frames.
    private struct Heard {
        var start: Int64
        var end: Int64
        var trims: Trims

        init(_ buffer: CMSampleBuffer, rate: SampleRate) {
            let scale = CMTimeScale(rate.hertz)
            trims = Trims(of: buffer, sampleRate: rate)
            let time = buffer.outputPresentationTimeStamp
            start = time.convertScale(scale, method: .roundHalfAwayFromZero).value
            end = (time + buffer.outputDuration).convertScale(scale, method: .roundHalfAwayFromZero).value
        }

        /// The first frame of the first unit.
        var firstUnit: Int64 { start - trims.start }
    }

    private func pass(_ buffer: CMSampleBuffer) throws {
        guard let choice, let data = buffer.dataBuffer else { throw RenderError("the buffer has no data") }
        let heard = Heard(buffer, rate: choice.format.sampleRate)
        if case .none = lane {
            lane = .units(AccessUnitLane(format: choice.format, at: heard.firstUnit, store: store))
        }
        guard try isPassing(from: heard.firstUnit) else {
            return try encode(buffer, as: self.choice?.format ?? choice.format)
        }
        if case .encoder(let encoder) = lane { try goOnWithBridge(buffer, heard, encoder) }
        try data.withContiguousStorage { bytes in
            for packet in buffer.packets {
                let isThere =
                    packet.offset >= 0 && packet.size > 0 && packet.offset <= bytes.count - packet.size
                // A unit that is missing keeps its place.
                let place = isThere ? packet.offset..<packet.offset + packet.size : 0..<0
                try pass(UnsafeRawBufferPointer(rebasing: bytes[place]), heard)
            }
        }
    }

    /// A buffer that does not follow the one before it, such as the next track's, has its own place.
    private func goOnWithBridge(_ buffer: CMSampleBuffer, _ heard: Heard, _ encoder: WireEncoder) throws {
        guard let bridge else { return }
        let chain = try chain(for: buffer, to: encoder)
        let timestamp = chain.timestamp(of: buffer.outputPresentationTimeStamp) - heard.trims.start
        if let next = bridge.nextTimestamp, abs(next - timestamp) <= Self.joinTolerance { return }
        self.bridge?.nextTimestamp = timestamp
    }

    /// Whether units from `frame` on can follow; else a bridge is begun, or the choice is changed.
    private func isPassing(from frame: Int64) throws -> Bool {
        if bridge != nil { return true }
        switch lane {
        case .none: return true
        case .units(let units):
            if tail == nil, abs(units.cursor - frame) <= Self.joinTolerance { return true }
        case .encoder: break
        }
        guard let choice, let lossless = lossless(at: choice.format.sampleRate) else {
            // No form of sound fits between: the source is encoded like the one before it.
            let format = laneFormat ?? .aac44100
            self.choice = WireChoice(
                format: format, passesThrough: false, reason: "encoded again, so that the join has no gap")
            return false
        }
        if case .units(let units) = lane {
            _ = try encoder(for: lossless, after: units)
        } else if laneFormat != lossless, case .encoder(let encoder) = lane {
            try encoder.finish()
            lane = .encoder(try WireEncoder(format: lossless, at: encoder.cursor, store: store))
        }
        bridge = Bridge(start: cursor ?? frame)
        return true
    }

    private func lossless(at rate: SampleRate) -> AudioWireFormat? {
        if !changesCodecCleanly { return nil }
        if rate == .hz44100 { return .alac44100x16 }
        return policy.playsHighResolution ? .alac48000x24 : nil
    }

    private func pass(_ unit: UnsafeRawBufferPointer, _ heard: Heard) throws {
        switch lane {
        case .units(let units):
            let place = units.cursor
            if heard.trims.end > 0, tail != nil || place >= heard.end { return }
            if heard.trims.end > 0, place + AccessUnitLane.framesPerUnit > heard.end {
                tail = Tail(unit: Array(unit), frameCount: Int(heard.end - place))
                // Where the codec can change, the heard part goes on as ALAC, which can be cut anywhere.
                if let format = lossless(at: units.format.sampleRate) {
                    _ = try encoder(for: format, after: units)
                }
            } else {
                let unheard = max(0, heard.start - place) / AccessUnitLane.framesPerUnit
                units.append(unit, unheard: Int(unheard))
            }
        case .encoder(let encoder):
            try cross(unit, heard, encoder)
        case .none:
            break
        }
    }

    private func converted(_ frames: PCMBuffer, to format: PCMFormat) -> PCMBuffer {
        var converter = SampleConverter(to: format.sampleFormat)
        return converter.convert(frames)
    }

    /// One unit of the bridge: decoded, and passed through again once the bridge is long enough.
    private func cross(_ unit: UnsafeRawBufferPointer, _ heard: Heard, _ encoder: WireEncoder) throws {
        guard let chain, let bridge, let timestamp = bridge.nextTimestamp, let choice else { return }
        let length = AccessUnitLane.framesPerUnit
        let origin = frame(of: chain.origin)
        let skipStart = min(length, max(0, heard.start - origin - timestamp))
        let skipEnd = heard.trims.end > 0 ? min(length, max(0, timestamp + length - (heard.end - origin))) : 0
        let decoded = chain.decode(
            EncodedPacket(
                payload: Array(unit), timestamp: timestamp, duration: Int(length),
                skipAtStart: Int(skipStart),
                skipAtEnd: Int(skipEnd)))
        if let decoded { try place(decoded, of: chain, in: encoder) }
        guard case .encoder(let encoder) = lane else { return }
        let count = decoded?.frames.frameCount ?? 0
        self.bridge?.nextTimestamp = timestamp + length
        let enough = Int64(Self.bridgeSeconds * Double(encoder.format.sampleRate.hertz))
        // Not while an overlap is still being left out: the units have to lie where they are heard.
        let isInPlace = abs(encoder.cursor - (origin + timestamp + length)) <= Self.joinTolerance
        let begin = self.bridge?.start ?? bridge.start
        guard encoder.cursor - begin >= enough, count == Int(length), isInPlace, !unit.isEmpty else { return }
        try encoder.finish()
        let units = AccessUnitLane(format: choice.format, at: encoder.cursor, store: store)
        units.prime(with: Array(unit))
        lane = .units(units)
        (self.bridge, self.chain, nextTimestamp) = (nil, nil, nil)
    }

    // MARK: Cutting

    /// The frame from which the speakers must drop, so that sound from `time` on can be replaced; `nil` when
    /// none of it is in packets.
    func cutFrame(for time: CMTime) -> Int64? {
        let frame = frame(of: time)
        guard let end = store.endFrame, frame < end else { return nil }
        return store.packet(holding: frame)?.frame
    }

    /// Forgets what waits to be encoded from `time` on.
    func dropBacklog(from time: CMTime) {
        backlog.drop(from: time)
        guard case .encoder(let encoder) = lane else { return }
        if cutFrame(for: time) == nil {
            guard let end = takenEnd, time < end else { return }
            keepTail(before: frame(of: time), in: encoder)
            (source, chain, nextTimestamp, bridge) = (nil, nil, nil, nil)
        }
        encoder.truncate(at: frame(of: time))
    }

    /// Presentation time after the last sound that the chain was given.
    private var takenEnd: CMTime? {
        guard let chain, let nextTimestamp else { return nil }
        return chain.origin
            + CMTime(value: nextTimestamp, timescale: CMTimeScale(chain.sampleRate.hertz))
    }

    /// The part before `frame` of what the resampler still holds.
    private func keepTail(before frame: Int64, in encoder: WireEncoder) {
        // Without it there is a hole of some milliseconds before the new sound.
        guard let tail = try? chain?.finish() else { return }
        let left = max(0, min(frame - encoder.cursor + dropping, Int64(tail.frameCount)))
        try? append(tail[0..<Int(left)], to: encoder)
    }

    /// Forgets the packets from `time` on. The part of a packet before it is made anew.
    func cut(at time: CMTime) throws {
        let frame = frame(of: time)
        (source, chain, nextTimestamp, bridge) = (nil, nil, nil, nil)
        (dropping, tail) = (0, nil)
        guard let packet = store.truncate(at: frame) else { return }
        let keep = Int(min(max(0, frame - packet.frame), Int64(packet.frameCount)))
        let payload = packet.withPayload { Array($0) }
        if packet.format.codec == .alac {
            let encoder = try WireEncoder(format: packet.format, at: packet.frame, store: store)
            let frames = try ALACPacketDecoder(WireEncoder.configuration(of: packet.format)).decode(payload)
            try encoder.append(frames[0..<min(keep, frames.frameCount)])
            lane = .encoder(encoder)
        } else {
            try cutUnit(payload, of: packet, keeping: keep)
        }
    }

    private func cutUnit(_ payload: [UInt8], of packet: PacketStore.Packet, keeping count: Int) throws {
        let format = lossless(at: packet.format.sampleRate) ?? packet.format
        let before =
            store.packets(before: packet.index, count: 1).first.map { $0.withPayload { Array($0) } } ?? []
        let history = format.codec == .aacLC ? try decodedUnits(before: packet.index, format: format) : nil
        let encoder = try WireEncoder(format: format, at: packet.frame, store: store, history: history)
        let decoded = try payload.withUnsafeBytes {
            try AccessUnitLane.decode($0, after: before, format: packet.format)
        }
        let frames = converted(decoded, to: encoder.input)
        try encoder.append(frames[0..<min(count, frames.frameCount)])
        lane = .encoder(encoder)
    }
}
