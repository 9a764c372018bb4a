import AirPlayMessages
import TuttiMediaTime

/// The packets of a stream and their decoded audio.
///
/// Takes packets by sequence number and gives blocks of audio by position. Keeps packets until they have been
/// heard, so that decoded audio can be discarded from any packet on.
struct StreamDecoder {
    /// Most deferred flushes; evicts the oldest. *Observed*: shairport-sync has 10.
    static let flushLimit = 32

    /// Budget of packets to decode again for late ones: its maximum, and its refill for each packet in order.
    /// Enough if a fifth of all packets are late by everything that is decoded ahead.
    static let mostDecodedAgain = 4096
    static let decodedAgainForEach = 32

    private(set) var store = JitterBuffer()
    private(set) var timeline = DecodedTimeline()
    private var counter: SequenceCounter
    private let byteLimit: Int
    private let makeDecoder: (AudioWireFormat) -> (any PacketDecoder)?

    /// The last packet that arrived: the reference to extend RTP times.
    private var reference: (rtpTime: RTPTime, position: Int64, sequence: Int64, end: Int64)?
    /// Whether RTP time may leap from one packet to the next.
    let mayLeap: Bool
    /// The position of the first packet after the latest leap of RTP time.
    private(set) var leap: Int64?
    /// Packets with lower sequence numbers were flushed.
    private var floor: Int64?
    /// Packets that end at or before this position were flushed.
    private var positionFloor: Int64?
    private var flushed: [Range<Int64>] = []

    /// The sequence number from which to decode next.
    private var cursor: Int64 = .min
    private var decoder: (any PacketDecoder)?
    private var decoderFormat: AudioWireFormat?
    /// The last packet that the decoder has seen.
    private var decodedSequence: Int64?

    private var mayDecodeAgain = StreamDecoder.mostDecodedAgain

    private(set) var refusedPackets = 0
    /// Cached start position and last packet of a range without a hole.
    private var reach: (from: Int64, sequence: Int64)?

    init(
        configuration: PlayoutConfiguration,
        makeDecoder: @escaping (AudioWireFormat) -> (any PacketDecoder)?
    ) {
        counter = SequenceCounter(bits: configuration.sequenceBits)
        byteLimit = max(0, configuration.bufferBytes)
        mayLeap = configuration.mayLeap
        self.makeDecoder = makeDecoder
    }

    var room: Int { store.count < JitterBuffer.packetLimit ? max(0, byteLimit - store.heldBytes) : 0 }

    /// Extends an RTP time relative to the last packet; `nil` before the first.
    func position(of rtpTime: RTPTime) -> Int64? {
        reference.map { $0.position + rtpTime.frames(since: $0.rtpTime) }
    }

    /// Returns the frames between an RTP time and the last packet, either way; `nil` before the first.
    func distance(to rtpTime: RTPTime) -> Int64? {
        reference.map { abs(rtpTime.frames(since: $0.rtpTime)) }
    }

    // MARK: Packets in

    /// Stores a packet. Ignores a flushed packet; refuses and counts one that is late, a duplicate or beyond
    /// the room.
    ///
    /// - Parameter mixed: The position up to which audio has been mixed; earlier packets are late.
    mutating func append(_ packet: ReceivedPacket, mixed: Int64?) {
        let sequence = counter.take(packet.sequenceNumber)
        let isInOrder = store.last.map { $0.sequence < sequence } ?? true
        if isInOrder {
            mayDecodeAgain = min(Self.mostDecodedAgain, mayDecodeAgain + Self.decodedAgainForEach)
        }
        let (start, leaps) = place(packet, sequence, isInOrder: isInOrder)
        var stored = StoredPacket(
            sequence: sequence, position: start, frameCount: Self.frameCount(of: packet), packet: packet)
        reference = (packet.rtpTime, start, sequence, stored.end)
        if isFlushed(stored) { return }
        if leaps { leap = start }
        var isLate = sequence < cursor && (mixed.map { stored.position < $0 } ?? false)
        if sequence < cursor, !isLate {
            // Each late packet makes all following ones decode again, so a budget limits their number.
            let again = store.index(from: cursor) - store.index(from: sequence) + 1
            if again > mayDecodeAgain { isLate = true } else { mayDecodeAgain -= again }
        }
        // Drop excess capacity: packets stay for minutes.
        if packet.payload.capacity > packet.payload.count * 5 / 4 + 64 {
            stored.packet.payload = packet.payload.withUnsafeBufferPointer { Array($0) }
        }
        guard packet.byteCount <= room, !isLate, store.insert(stored) else {
            refusedPackets += 1
            return
        }
        // The packet's position was decoded as a hole.
        if sequence < cursor { rewind(to: sequence, notBefore: mixed ?? .min) }
        if let reach, sequence < reach.sequence { self.reach = nil }
    }

    /// Extends the RTP time of a packet, and tells whether it leaps: back, or further forward than missing packets
    /// explain.
    ///
    /// A leap also skips the whole range of RTP times once, so that the packets behind it lie far from the line of
    /// those before it, which stay where they are.
    private func place(_ packet: ReceivedPacket, _ sequence: Int64, isInOrder: Bool) -> (Int64, leaps: Bool) {
        guard let last = reference, let natural = position(of: packet.rtpTime) else {
            return (Int64(packet.rtpTime.rawValue), false)
        }
        guard mayLeap, isInOrder, last.position < Self.farthestLeap else { return (natural, false) }
        let steps = max(1, min(sequence - last.sequence, Int64(UInt16.max)))
        let isFar = natural - last.end > steps * Int64(packet.format.framesPerPacket)
        guard natural < last.position || isFar else { return (natural, false) }
        return (natural + Self.rtpRange, true)
    }

    /// The number of RTP times.
    private static let rtpRange: Int64 = 1 << 32
    /// The position from which leaps back are late packets, so that a sender that keeps leaping overflows nothing.
    private static let farthestLeap: Int64 = 1 << 60

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
        // Audio of a packet that has begun to play is kept to its end.
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
        guard var limit = position(of: rtpTime) else { return }
        // A time far before the packets held is that of packets to come, after a leap.
        if mayLeap, let first = firstPosition ?? store.last?.position, first - limit > Self.longestFlush,
            limit < Self.farthestLeap
        {
            limit += Self.rtpRange
        }
        store.remove(endingBy: limit)
        (positionFloor, reach) = (limit, nil)
        restart(from: store.isEmpty ? cursor : store[0].sequence)
    }

    /// Frames that a flush of a realtime stream may lie before the packets held: more than any sender's lead.
    private static let longestFlush: Int64 = 10 * 48_000

    /// Discards all decoded audio; the next block may have any position.
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

    /// Restarts decoding so that audio begins at `position`, unless that is decoded already.
    mutating func seek(to position: Int64) {
        if timeline.covers(position) { return }
        // No packet has arrived beyond the end: the next one shows what is missing.
        if let end = timeline.end, position >= end, !hasMore { return }
        let index = store.index(atPosition: position)
        restart(from: index < store.count ? store[index].sequence : cursor)
    }

    var hasMore: Bool { store.index(from: cursor) < store.count }

    /// Decodes one packet.
    ///
    /// - Parameter mixed: Packets that end at or before this position become silence.
    /// - Returns: The position from which the timeline is now filled, with audio or a gap; `nil` if nothing
    ///   was added.
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

    /// Returns whether packets before this one are missing for another reason than a flush.
    private func isLoss(before index: Int) -> Bool {
        if store[index].position == leap { return false }
        // After an outage, all earlier packets may be gone.
        let next = index > 0 ? store[index - 1].sequence + 1 : timeline.end == nil ? nil : cursor
        guard let next, next < store[index].sequence else { return false }
        let gap = next..<store[index].sequence
        return flushed.reduce(0) { $0 + $1.clamped(to: gap).count } < gap.count
    }

    private mutating func appendSilence(to end: Int64, like packet: StoredPacket, isMissing: Bool) {
        let start = timeline.end ?? packet.position
        guard end > start else { return }
        // Silence before a packet has its sequence number, to be decoded again with it, but the rate of the
        // block before.
        let rate = end <= packet.position ? timeline.last?.rate : packet.sampleRate
        timeline.append(
            SoundBlock(
                position: start, frameCount: end - start, sequence: packet.sequence,
                rate: rate ?? packet.sampleRate, samples: [], isGap: true, isMissing: isMissing))
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
        // Cut the overlap with the packet before.
        let skip = Int(min(max(0, (timeline.end ?? packet.position) - packet.position), Int64(frames)))
        let kept = skip == 0 ? samples : Array(samples[skip..<frames] + samples[(frames + skip)...])
        timeline.append(
            SoundBlock(
                position: packet.position + Int64(skip), frameCount: Int64(frames - skip),
                sequence: packet.sequence, rate: packet.sampleRate, samples: Self.isSilent(kept) ? [] : kept))
    }

    /// Detects digital silence, which needs neither memory nor resampling. For audio the first sample
    /// decides.
    private static func isSilent(_ samples: [Float]) -> Bool {
        samples.withUnsafeBufferPointer { samples in
            var index = 0
            while index < samples.count, samples[index] == 0 { index += 1 }
            return index == samples.count
        }
    }

    /// Primes the decoder with the packets directly before this one.
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

    /// Returns whether the audio of one packet continues in the other.
    private func isJoint(_ left: Int, _ right: Int) -> Bool {
        let (left, right) = (store[left], store[right])
        return left.packet.format == right.packet.format && left.end == right.position
    }

    // MARK: Releasing

    mutating func removeAll() {
        store = JitterBuffer()
        (decoder, decoderFormat, decodedSequence, reach) = (nil, nil, nil, nil)
        timeline = DecodedTimeline()
    }

    /// Marks packets before the heard position as played, and drops decoded audio before `mixed`.
    ///
    /// - Parameter kept: Frames of encoded audio before the heard position to keep.
    mutating func release(heard: Int64, mixed: Int64?, kept: Int64) {
        var index = store.index(from: (store.lastPlayed?.sequence ?? .min + 1) + 1)
        var sequence: Int64?
        while index < store.count, store[index].end <= heard {
            sequence = store[index].sequence + 1
            index += 1
        }
        if let mixed {
            timeline.drop(before: mixed)
            // If a sender jumped without a flush, packets with later positions come before these.
            sequence = max(sequence ?? .min, timeline.firstSequence ?? .min)
        }
        store.markPlayed(before: sequence ?? .min, keepingFrom: heard - kept)
        if let played = store.lastPlayed?.sequence { flushed.removeAll { $0.upperBound <= played } }
    }

    /// Returns the position of the first hole after `position`, among the packets held; `position` if it lies
    /// in a hole.
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
        store[index].position > store[index - 1].end
            && (isLoss(before: index) || store[index].position == leap)
    }

    var firstPosition: Int64? { store.firstUnplayed?.position }

    /// Returns the sample rate of the packet at a position, or of the last one before it.
    func rate(at position: Int64) -> SampleRate? {
        let index = store.index(atPosition: position)
        return (index < store.count ? store[index] : store.last)?.sampleRate
    }

    /// Returns the first packet after the line's position with another rate than the line's.
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
