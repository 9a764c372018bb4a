internal import AirPlayMessages
internal import MediaTime

/// The packets of a stream and what of them is decoded.
///
/// Packets come in by number and go out as blocks of sound by place. What is decoded can be cut off again at any
/// packet, because its packets are held until they were heard.
struct PacketLane {
    /// Deferred flushes that wait for their packets; the oldest goes first. *Observed*: shairport-sync has 10.
    static let flushLimit = 32

    /// Packets that may be decoded again for late ones, at once and for each packet that comes in order: enough for a
    /// fifth of all packets to be late by the whole of what is decoded ahead.
    static let mostDecodedAgain = 4096
    static let decodedAgainForEach = 32

    private(set) var store = PacketStore()
    private(set) var timeline = DecodedTimeline()
    private var counter: SequenceCounter
    private let byteLimit: Int
    private let makeDecoder: (AudioWireFormat) -> (any PacketDecoder)?

    /// Extends RTP times: the packet that came last.
    private var reference: (rtpTime: RTPTime, position: Int64)?
    /// Packets with lower numbers were flushed.
    private var floor: Int64?
    /// Packets that end at or before this were flushed.
    private var positionFloor: Int64?
    private var flushed: [Range<Int64>] = []

    /// The number from which on packets are decoded next.
    private var cursor: Int64 = .min
    private var decoder: (any PacketDecoder)?
    private var decoderFormat: AudioWireFormat?
    /// The packet that the decoder had last.
    private var decodedSequence: Int64?

    private var mayDecodeAgain = PacketLane.mostDecodedAgain

    private(set) var refusedPackets = 0
    /// From this place to the end of this packet there is no hole.
    private var reach: (from: Int64, sequence: Int64)?

    init(
        configuration: PlayoutConfiguration,
        makeDecoder: @escaping (AudioWireFormat) -> (any PacketDecoder)?
    ) {
        counter = SequenceCounter(bits: configuration.sequenceBits)
        byteLimit = max(0, configuration.bufferBytes)
        self.makeDecoder = makeDecoder
    }

    var room: Int { store.count < PacketStore.packetLimit ? max(0, byteLimit - store.heldBytes) : 0 }

    /// Extends an RTP time by the packets so far; `nil` before the first one.
    func position(of rtpTime: RTPTime) -> Int64? {
        reference.map { $0.position + rtpTime.frames(since: $0.rtpTime) }
    }

    // MARK: Coming in

    /// Takes a packet.
    ///
    /// - Parameter mixed: The place up to which sound has left for the output; what lies before it is late.
    mutating func append(_ packet: ReceivedPacket, mixed: Int64?) {
        let sequence = counter.take(packet.sequenceNumber)
        let isInOrder = store.last.map { $0.sequence < sequence } ?? true
        if isInOrder {
            mayDecodeAgain = min(Self.mostDecodedAgain, mayDecodeAgain + Self.decodedAgainForEach)
        }
        let start = position(of: packet.rtpTime) ?? Int64(packet.rtpTime.rawValue)
        reference = (packet.rtpTime, start)
        var stored = StoredPacket(
            sequence: sequence, position: start, frameCount: Self.frameCount(of: packet), packet: packet)
        if isFlushed(stored) { return }
        var isLate = sequence < cursor && (mixed.map { stored.position < $0 } ?? false)
        if sequence < cursor, !isLate {
            // The packets in between are decoded again for each late packet, so their number is limited.
            let again = store.index(from: cursor) - store.index(from: sequence) + 1
            if again > mayDecodeAgain { isLate = true } else { mayDecodeAgain -= again }
        }
        // Room that its maker reserved and did not use would be held for minutes.
        if packet.payload.capacity > packet.payload.count * 5 / 4 + 64 {
            stored.packet.payload = packet.payload.withUnsafeBufferPointer { Array($0) }
        }
        guard packet.byteCount <= room, !isLate, store.insert(stored) else {
            refusedPackets += 1
            return
        }
        // Its place was decoded as a hole.
        if sequence < cursor { rewind(to: sequence, notBefore: mixed ?? .min) }
        if let reach, sequence < reach.sequence { self.reach = nil }
    }

    private func isFlushed(_ packet: StoredPacket) -> Bool {
        if let floor, packet.sequence < floor { return true }
        if let positionFloor, packet.end <= positionFloor { return true }
        return flushed.contains { $0.contains(packet.sequence) }
    }

    private static func frameCount(of packet: ReceivedPacket) -> Int {
        guard packet.format.codec == .pcm else { return packet.format.framesPerPacket }
        let bytesPerFrame = packet.format.bitDepth == 32 ? 8 : 4
        return min(packet.payload.count / bytesPerFrame, WireDecoders.frameLimit)
    }

    // MARK: Flushing

    mutating func flush(until point: FlushBuffered.Point) {
        let until = counter.take(point.sequenceNumber)
        store.remove(sequences: .min..<until)
        (floor, positionFloor, reach) = (until, nil, nil)
        flushed.removeAll()
        restart(from: until)
    }

    mutating func flush(from: FlushBuffered.Point, until: FlushBuffered.Point, mixed: Int64?) {
        let first = counter.extended(from.sequenceNumber)
        let end = counter.extended(until.sequenceNumber)
        guard first < end else { return }
        flushed.append(first..<end)
        if flushed.count > Self.flushLimit { flushed.removeFirst() }
        // A packet that has begun to sound is played to its end.
        let began = mixed ?? .min
        var keep = store.index(from: first)
        while keep < store.count, store[keep].position < began { keep += 1 }
        guard keep < store.count else { return }
        let cut = min(store[keep].sequence, end)
        store.remove(sequences: cut..<end)
        reach = nil
        if cursor > cut { rewind(to: cut, notBefore: began) }
    }

    mutating func flush(before rtpTime: RTPTime) {
        guard let limit = position(of: rtpTime) else { return }
        store.remove(endingBy: limit)
        (positionFloor, reach) = (limit, nil)
        restart(from: store.isEmpty ? cursor : store[0].sequence)
    }

    /// Everything decoded is forgotten; the next block may have any place.
    private mutating func restart(from sequence: Int64) {
        timeline.removeAll()
        cursor = sequence
    }

    /// Decodes again from this packet on.
    private mutating func rewind(to sequence: Int64, notBefore position: Int64) {
        timeline.cut(fromSequence: sequence, notBefore: position)
        cursor = min(cursor, sequence)
    }

    // MARK: Decoding

    /// Makes `position` the place from which on there is sound, if it is not among what is decoded.
    mutating func seek(to position: Int64) {
        if timeline.covers(position) { return }
        // Nothing has come for what lies behind the end: the next packet tells what is missing.
        if let end = timeline.end, position >= end, !hasMore { return }
        let index = store.index(atPosition: position)
        restart(from: index < store.count ? store[index].sequence : cursor)
    }

    var hasMore: Bool { store.index(from: cursor) < store.count }

    /// Decodes one packet.
    ///
    /// - Parameter mixed: Packets that end before this place are passed over.
    /// - Returns: The place from which on something is now there, sound or the lack of it; `nil` when nothing is.
    mutating func decodeNext(mixed: Int64) -> Int64? {
        let index = store.index(from: cursor)
        guard index < store.count else { return nil }
        let packet = store[index]
        let isLoss = isLoss(before: index)
        cursor = packet.sequence + 1
        var start = packet.position
        if let end = timeline.end {
            if packet.end <= end { return nil }
            if packet.position > end { appendSilence(to: packet.position, like: packet, isMissing: isLoss) }
            if isLoss || packet.position < end { start = end }
        }
        if packet.end <= mixed {
            appendSilence(to: packet.end, like: packet, isMissing: true)
        } else {
            appendSound(of: packet, at: index)
        }
        return start
    }

    /// Whether packets before this one are missing, other than by a flush.
    private func isLoss(before index: Int) -> Bool {
        // What came before may be gone, after an outage.
        let next = index > 0 ? store[index - 1].sequence + 1 : timeline.end == nil ? nil : cursor
        guard let next, next < store[index].sequence else { return false }
        let gap = next..<store[index].sequence
        return flushed.reduce(0) { $0 + $1.clamped(to: gap).count } < gap.count
    }

    private mutating func appendSilence(to end: Int64, like packet: StoredPacket, isMissing: Bool) {
        let start = timeline.end ?? packet.position
        guard end > start else { return }
        // Silence before a packet goes with it when it is decoded anew, but is counted at the rate of what was before.
        let rate = end <= packet.position ? timeline.last?.rate : packet.sampleRate
        timeline.append(
            SoundBlock(
                position: start, frameCount: end - start, sequence: packet.sequence,
                rate: rate ?? packet.sampleRate, samples: [], isMissing: isMissing))
    }

    private mutating func appendSound(of packet: StoredPacket, at index: Int) {
        prepareDecoder(for: packet, at: index)
        let samples = decoder?.decode(packet.packet.payload)
        decodedSequence = packet.sequence
        guard let samples else {
            decoder?.reset()
            decodedSequence = nil
            return appendSilence(to: packet.end, like: packet, isMissing: true)
        }
        let frames = samples.count / 2
        // What overlaps the packet before is cut off.
        let skip = Int(min(max(0, (timeline.end ?? packet.position) - packet.position), Int64(frames)))
        let kept = skip == 0 ? samples : Array(samples[skip..<frames] + samples[(frames + skip)...])
        timeline.append(
            SoundBlock(
                position: packet.position + Int64(skip), frameCount: Int64(frames - skip),
                sequence: packet.sequence, rate: packet.sampleRate, samples: Self.isSilent(kept) ? [] : kept))
    }

    /// Digital silence takes neither memory nor the resampler's time. Sound says no at its first sample.
    private static func isSilent(_ samples: [Float]) -> Bool {
        samples.withUnsafeBufferPointer { samples in
            var index = 0
            while index < samples.count, samples[index] == 0 { index += 1 }
            return index == samples.count
        }
    }

    /// Brings the decoder to where it has seen what comes directly before this packet in the store.
    private mutating func prepareDecoder(for packet: StoredPacket, at index: Int) {
        if decoderFormat != packet.packet.format {
            decoder = makeDecoder(packet.packet.format)
            (decoderFormat, decodedSequence) = (packet.packet.format, nil)
        }
        guard let decoder, decoder.primingPacketCount > 0 else { return }
        var first = index
        while first > max(0, index - decoder.primingPacketCount), isJoint(first - 1, first) { first -= 1 }
        if first < index, decodedSequence == store[index - 1].sequence { return }
        decoder.reset()
        for earlier in first..<index { _ = decoder.decode(store[earlier].packet.payload) }
    }

    /// Whether one packet's sound goes on in the other.
    private func isJoint(_ left: Int, _ right: Int) -> Bool {
        let (left, right) = (store[left], store[right])
        return left.packet.format == right.packet.format && left.end == right.position
    }

    // MARK: Letting go

    mutating func removeAll() {
        store = PacketStore()
        (decoder, decoderFormat, decodedSequence, reach) = (nil, nil, nil, nil)
        timeline = DecodedTimeline()
    }

    /// Packets before the place that is heard count no longer; sound before `mixed` is not needed any more.
    ///
    /// - Parameter kept: Frames behind the heard place that stay, encoded.
    mutating func release(heard: Int64, mixed: Int64?, kept: Int64) {
        var index = store.index(from: (store.lastPlayed?.sequence ?? .min + 1) + 1)
        var sequence: Int64?
        while index < store.count, store[index].end <= heard {
            sequence = store[index].sequence + 1
            index += 1
        }
        if let mixed {
            timeline.drop(before: mixed)
            // Of a sender that jumped without a flush, packets with later places lie before these.
            sequence = max(sequence ?? .min, timeline.firstSequence ?? .min)
        }
        store.markPlayed(before: sequence ?? .min, keepingFrom: heard - kept)
        if let played = store.lastPlayed?.sequence { flushed.removeAll { $0.upperBound <= played } }
    }

    /// The place where the first hole behind `position` begins, among what is held; `position` when it lies in one.
    mutating func endOfSound(from position: Int64) -> Int64 {
        var index: Int
        if let reach, reach.from <= position, let known = knownReach(reach.sequence),
            store[known].end > position
        {
            index = known
        } else {
            index = store.index(atPosition: position)
            guard index < store.count, store[index].position <= position else { return position }
        }
        while index + 1 < store.count, !isHole(before: index + 1) { index += 1 }
        reach = (position, store[index].sequence)
        return store[index].end
    }

    private func knownReach(_ sequence: Int64) -> Int? {
        let index = store.index(from: sequence)
        return index < store.count && store[index].sequence == sequence ? index : nil
    }

    private func isHole(before index: Int) -> Bool {
        store[index].position > store[index - 1].end && isLoss(before: index)
    }

    var firstPosition: Int64? { store.firstUnplayed?.position }

    /// The first place behind the line's own, among what is held, where the rate is another one.
    func rateChange(on line: PlayLine) -> DecodedTimeline.RateChange? {
        var index = store.index(atPosition: line.position)
        while index < store.count {
            let packet = store[index]
            if packet.sampleRate != line.rate, packet.position > line.position {
                return DecodedTimeline.RateChange(position: packet.position, rate: packet.sampleRate)
            }
            index += 1
        }
        return nil
    }
}
