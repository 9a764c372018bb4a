import AirPlayMessages
import TuttiMediaTime
import TuttiRTP

/// One speaker's realtime packets, without sockets and clocks: the line, the store's packets and times go in;
/// datagrams and one next deadline come out.
///
/// Every packet is sent ``RealtimeTraits/lead`` before it is heard. The sync packets repeat the line each second.
/// Call ``pump(at:from:)`` after every change, when the store has new packets, and at ``deadline``. Allocates
/// nothing per packet.
struct RealtimeSender: ~Copyable, Sendable {
    /// The receiver's port that a datagram is for.
    enum Port: Sendable { case data, control }

    /// Sends a datagram, which is valid during the call.
    typealias Send = (Port, UnsafeRawBufferPointer) -> Void
    /// Converts a host time near now to the time of the clock that the receiver plays by; `nil` while that is not known.
    typealias Stamps = @Sendable (HostTime) -> ClockStamp?

    /// The writer of packets.
    enum Coding: ~Copyable {
        /// In the clear, as in nearly all sessions of AirPlay 1.
        case clear
        /// With AirPlay 1's encryption.
        case blocks(RealtimePacketBlockCipher)
        /// With AirPlay 2's encryption.
        case sealed(RealtimePacketSealer)
    }

    private enum Phase {
        /// Nothing is heard.
        case silent
        case playing(FrameLine)
    }

    private static let syncInterval = Duration.seconds(1)
    /// The intervals after the first sync packet of a run, which may be lost, too.
    private static let firstSyncIntervals = [Duration.milliseconds(40), .milliseconds(160)]
    /// The pause before the next attempt of a sync packet for which there is no time.
    private static let syncRetry = Duration.milliseconds(100)
    /// The time before it is heard up to which a packet is urgent: a receiver that lacks it may ask for it too late
    /// (*observed*, shairport-sync), so it is sent three times, a few packets apart.
    private static let urgency = Duration.milliseconds(1200)
    private static let copyDistances: [UInt16] = [8, 16]
    /// The time before it is heard up to which a packet of a stream that catches up is sent three times at once. shairport-sync gives
    /// sound to a pipe a second before it is heard, and then passes over a missing packet as soon as it has the next one: a copy behind
    /// that comes too late (*observed*: 4 to 8 packets of each start at 5 % loss).
    private static let passedOver = Duration.milliseconds(1100)
    private static let copiesAtOnce = 2
    /// The time by which a packet of a stream that catches up leaves less ahead than ``RealtimeTraits/lead``.
    private static let behind = Duration.milliseconds(100)
    /// The longest gap, in seconds, that is filled with silence; over a longer one the receiver plays nothing.
    private static let longestGap: Int64 = 10

    let traits: RealtimeTraits
    private let silence: RealtimeSilence
    private let stamp: Stamps
    private var coding: Coding
    private var numbering: PacketNumbering
    private var history: RealtimeHistory
    private var pace = SendPace()
    private var phase = Phase.silent
    /// The line of a receiver whose RTP time runs on; `nil` before its first start.
    private var kept: FrameLine?
    private var nextSync: HostTime?
    /// Whether the next sync packet and the next packet are the first of a run.
    private var isFirstSync = true
    private var syncCount = 0
    /// The clock of the last sync packet.
    private var lastStamp: ClockStamp?
    /// The number after the last packet with copies some packets behind it, and how many before it have them, in a row.
    private var urgentEnd: UInt16 = 0
    private var urgentCount = 0
    /// The copies that the next packet sends with it.
    private var nextCopies = 0
    private var repeats = RealtimeRepeats()
    private var isFirstPacket = true
    /// The store's index of the next packet.
    private(set) var nextIndex: Int64 = 0
    /// The timeline frame after the last one sent.
    private(set) var sentEnd: Int64?
    /// Sound from this frame on is being replaced: send nothing of it until that is done, also after a stop and a start.
    private var heldFrom: Int64?
    /// Whether the store had no packet at the last look.
    private(set) var isDrained = true
    private var tail: RealtimeTail?
    private(set) var deadline: HostTime?

    init(
        _ traits: RealtimeTraits, coding: consuming Coding, numbers: SessionNumbers,
        stamp: @escaping Stamps
    ) {
        (self.traits, self.stamp) = (traits, stamp)
        self.coding = coding
        numbering = PacketNumbering(
            firstSequence: numbers.firstSequence, firstTime: numbers.firstTime)
        silence = RealtimeSilence(of: traits.format)
        // No packet is longer than one without compression.
        let longest = silence.byteCount(frames: traits.format.framesPerPacket)
        history = RealtimeHistory(longestPacket: longest + RealtimePacket.overhead)
    }

    /// The number and the RTP time before which a receiver drops everything at a flush.
    var flushPoint: (sequence: UInt16, time: RTPTime) {
        (UInt16(truncatingIfNeeded: numbering.end.sequence.rawValue), numbering.end.time)
    }

    /// Whether the receiver has been sent sound since the last flush.
    var hasSent: Bool { sentEnd != nil }

    var line: FrameLine? { if case .playing(let line) = phase { line } else { nil } }

    func time(of frame: Int64) -> RTPTime { numbering.time(of: frame) }

    // MARK: Commands

    /// Plays along a line, with the packets of the store from `index` on; or moves the line if nothing of it has
    /// been heard.
    mutating func start(_ line: FrameLine, from index: Int64) {
        if let kept {
            // The same RTP time at the same host time as before, to the frame.
            let here = kept.position(at: line.host)
            let time = numbering.time(of: here)
            let behind = sentEnd.map { numbering.time(of: $0) }
            numbering.place(line.frame, at: time)
            sentEnd = behind.map { line.frame - time.frames(since: $0) }
            let fixed = line.moved(to: kept.host(of: here))
            (phase, self.kept) = (.playing(fixed), fixed)
        } else {
            // The receiver drops what is older than the beginning that it was told.
            numbering.begin(at: line.frame - traits.silentFrames)
            phase = .playing(line)
            if traits.keepsLine { kept = line }
            (isFirstSync, syncCount, nextSync) = (true, 0, nil)
        }
        (nextIndex, isDrained) = (index, false)
        pace.restart()
    }

    /// Moves a line of which nothing has been heard.
    mutating func move(to line: FrameLine) {
        guard case .playing = phase else { return }
        guard kept == nil else { return start(line, from: nextIndex) }
        phase = .playing(line)
        (isFirstSync, syncCount, nextSync) = (true, 0, nil)
    }

    /// Ends the sound; the caller flushes the receiver, unless its line is kept.
    mutating func stop() {
        phase = .silent
        guard kept == nil else { return }
        numbering.restart()
        history.removeAll()
        repeats.removeAll()
        tail = nil
        (sentEnd, isFirstPacket, nextSync, deadline, urgentCount) = (nil, true, nil, nil, 0)
    }

    /// Holds back the sound from `frame` on; what was sent is sent.
    ///
    /// - Returns: Whether nothing from `frame` on was sent.
    mutating func hold(from frame: Int64) -> Bool {
        heldFrom = frame
        return (sentEnd ?? .min) <= frame
    }

    /// Holds nothing back any more: the store was emptied.
    mutating func endHold() { heldFrom = nil }

    /// Sends again, from this index of the store on.
    mutating func resume(from index: Int64) {
        (nextIndex, heldFrom, isDrained) = (min(nextIndex, index), nil, false)
    }

    /// Reads on from this index of another store, which has the same frames.
    mutating func change(to index: Int64) { nextIndex = index }

    // MARK: Sending

    /// Sends what is due.
    mutating func pump(at now: HostTime, from store: any PacketReading, _ send: Send) {
        guard let line = kept ?? line else { return deadline = nil }
        let isSilent = if case .silent = phase { true } else { false }
        repeatTail(at: now, send)
        repeatAnswers(at: now, send)
        if nextSync.map({ now >= $0 }) ?? true { sync(line, at: now, send) }
        let next = isSilent ? fillSilence(line, at: now, send) : sendSound(line, at: now, store, send)
        deadline = [next, nextSync, tail?.next, repeats.next].compactMap { $0 }.min()
    }

    /// Sends the packets of the store that are due; returns when the next ones are.
    private mutating func sendSound(
        _ line: FrameLine, at now: HostTime, _ store: any PacketReading, _ send: Send
    ) -> HostTime? {
        while let packet = store.packet(atOrAfter: nextIndex) {
            isDrained = false
            if packet.format != traits.format || packet.endFrame <= sentEnd ?? .min {
                nextIndex = packet.index + 1
                continue
            }
            if let heldFrom, packet.endFrame > heldFrom { return fillSilence(line, at: now, send) }
            if line.host(of: packet.endFrame).since(now) < RealtimeTraits.latest {
                nextIndex = packet.index + 1
                continue
            }
            if let due = fillGap(line, to: packet.frame, at: now, send) { return due }
            if let due = due(line, packet.frame, at: now) { return due }
            packet.withPayload { payload in
                transmit(frame: packet.frame, frameCount: packet.frameCount, payload: payload, send)
            }
            nextIndex = packet.index + 1
        }
        isDrained = true
        guard kept == nil else { return fillSilence(line, at: now, send) }
        let end = UInt16(truncatingIfNeeded: numbering.nextSequence.rawValue)
        if sentEnd != nil, tail?.end != end { tail = RealtimeTail(end: end, at: now) }
        return nil
    }

    /// Repeats the last packets, unless others have followed.
    private mutating func repeatTail(at now: HostTime, _ send: Send) {
        guard isDrained, tail?.end == UInt16(truncatingIfNeeded: numbering.nextSequence.rawValue) else {
            return tail = nil
        }
        for sequence in tail?.take(at: now) ?? [] {
            if let packet = history.packet(sequence) { send(.data, packet) }
        }
    }

    /// Returns when a packet is due; `nil` if it may be sent now, for which it has taken leave.
    private mutating func due(_ line: FrameLine, _ frame: Int64, at now: HostTime) -> HostTime? {
        let due = line.host(of: frame).advanced(by: .zero - traits.lead)
        // Several packets share a wake-up.
        guard now >= due else {
            return due.advanced(by: traits.format.packetDuration * (SendPace.burst - 1) + .microseconds(100))
        }
        let ahead = line.host(of: frame).since(now)
        let isPassedOver = ahead < Self.passedOver && ahead + Self.behind < traits.lead
        let isUrgent = ahead < Self.urgency && !isPassedOver
        let copies = isPassedOver ? Self.copiesAtOnce : isUrgent ? Self.copyDistances.count : 0
        guard pace.take(1 + copies, at: now) else { return pace.next(after: now) }
        nextCopies = isPassedOver ? copies : 0
        let sequence = UInt16(truncatingIfNeeded: numbering.nextSequence.rawValue)
        if isUrgent {
            urgentCount = urgentEnd == sequence ? urgentCount + 1 : 1
            urgentEnd = sequence &+ 1
        }
        return nil
    }

    /// Sends silence from the end of what was sent to `frame`, or the silence with which a run begins; returns when the
    /// rest of it is due.
    private mutating func fillGap(
        _ line: FrameLine, to frame: Int64, at now: HostTime, _ send: Send
    ) -> HostTime? {
        let beginning = traits.silentPackets > 0 ? frame - traits.silentFrames : nil
        guard let end = sentEnd ?? beginning, end < frame,
            frame - end < Self.longestGap * Int64(traits.format.sampleRate.hertz)
        else { return nil }
        var next = max(end, line.position(at: now.advanced(by: RealtimeTraits.latest)))
        if sentEnd == nil {
            // In whole packets, on the grid of those of the sound.
            let frames = Int64(traits.format.framesPerPacket)
            next = frame - (frame - next) / frames * frames
        }
        while next < frame {
            if let due = due(line, next, at: now) { return due }
            next = sendSilence(from: next, to: frame, send)
        }
        return nil
    }

    /// Sends silence to a receiver whose line runs on, as far ahead as sound; returns when more is due.
    private mutating func fillSilence(_ line: FrameLine, at now: HostTime, _ send: Send) -> HostTime? {
        guard kept != nil else { return nil }
        var next = max(sentEnd ?? line.frame, line.position(at: now))
        while true {
            if let due = due(line, next, at: now) { return due }
            next = sendSilence(from: next, to: next + Int64(traits.format.framesPerPacket), send)
        }
    }

    private mutating func sendSilence(from frame: Int64, to end: Int64, _ send: Send) -> Int64 {
        let count = min(Int(end - frame), traits.format.framesPerPacket)
        let byteCount = silence.byteCount(frames: count)
        withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 8) { room in
            silence.write(frames: count, to: room)
            transmit(
                frame: frame, frameCount: Int32(count),
                payload: UnsafeRawBufferPointer(rebasing: room[..<byteCount]), send)
        }
        return frame + Int64(count)
    }

    private mutating func transmit(
        frame: Int64, frameCount: Int32, payload: UnsafeRawBufferPointer, _ send: Send
    ) {
        let sequence = UInt16(truncatingIfNeeded: numbering.nextSequence.rawValue)
        let header = RealtimePacketHeader(
            sequenceNumber: sequence, rtpTime: numbering.time(of: frame), isFirst: isFirstPacket,
            source: traits.source)
        let datagram = history.write(sequence) { room in coding.write(payload, header, to: room) }
        for _ in 0...nextCopies where datagram.count > 0 { send(.data, datagram) }
        for distance in Self.copyDistances {
            let old = sequence &- distance
            // Unsigned: a number that is not urgent is far behind.
            if Int(urgentEnd &- 1 &- old) < urgentCount, let copy = history.packet(old) { send(.data, copy) }
        }
        isFirstPacket = false
        numbering.count(frame: frame, frameCount: frameCount)
        sentEnd = frame + Int64(frameCount)
    }

    // MARK: Sync and resends

    /// Tells the receiver the line.
    private mutating func sync(_ line: FrameLine, at now: HostTime, _ send: Send) {
        let rate = line.sampleRate
        let added = rate.duration(of: traits.addedFrames)
        // A frame that is heard about when the receiver has added its frames to now.
        let frame = line.position(at: now.advanced(by: added))
        guard let stamp = stamp(line.host(of: frame).advanced(by: .zero - added)) else {
            nextSync = now.advanced(by: Self.syncRetry)
            return
        }
        // The receiver must not take the times of a new clock or epoch for a move of the line.
        if let lastStamp, lastStamp.clock != stamp.clock || lastStamp.generation != stamp.generation {
            (isFirstSync, syncCount) = (true, 0)
        }
        lastStamp = stamp
        let time = numbering.time(of: frame)
        let packet: RealtimeControlPacket =
            switch traits.clock {
            case .ptp:
                .timeAnnounce(
                    .init(
                        isFirst: isFirstSync, frame: time, networkTime: stamp.time,
                        nextFrame: time.advanced(by: Self.announcedLatency), clock: stamp.clock))
            case .ntp:
                .sync(
                    .init(
                        isFirst: isFirstSync, frame: time, ntpTime: NTPTimestamp(stamp.time).rawValue,
                        nextFrame: time.advanced(by: Self.announcedLatency)))
            }
        packet.encoded.withUnsafeBytes { send(.control, $0) }
        isFirstSync = false
        let isEarly = syncCount < Self.firstSyncIntervals.count
        nextSync = now.advanced(by: isEarly ? Self.firstSyncIntervals[syncCount] : Self.syncInterval)
        syncCount += 1
    }

    /// The frames between the two frames of a sync packet: with ``RealtimeTraits/addedFrames`` two seconds.
    private static let announcedLatency: Int64 = 77_175

    /// Sends packets again that the receiver has asked for: to its control port with the head of a resent one, or to
    /// its data port as they were, depending on which port the request came to. Call ``pump(at:from:)`` afterwards: the answers are
    /// repeated.
    mutating func resend(
        _ request: RealtimeControlPacket.ResendRequest, to port: Port, at now: HostTime, _ send: Send
    ) {
        for offset in 0..<min(request.count, UInt16(RealtimeHistory.capacity)) {
            let sequence = request.first &+ offset
            if sendAgain(sequence, to: port, send) {
                repeats.add(sequence, to: port, at: now)
            } else {
                // No longer kept: the form in which Apple's senders say so (*observed*).
                let gone: UInt64 = 0x80D6_0001_0000_0000 | UInt64(sequence) << 16
                withUnsafeBytes(of: gone.bigEndian) { send(.control, $0) }
            }
        }
    }

    private mutating func repeatAnswers(at now: HostTime, _ send: Send) {
        while let answer = repeats.take(at: now) { _ = sendAgain(answer.sequence, to: answer.port, send) }
    }

    /// Sends one packet again; returns `false` if it is not kept.
    private func sendAgain(_ sequence: UInt16, to port: Port, _ send: Send) -> Bool {
        guard let packet = history.resent(sequence) else { return false }
        if port == .data {
            send(.data, UnsafeRawBufferPointer(rebasing: packet[RealtimeHistory.headByteCount...]))
        } else {
            send(.control, packet)
        }
        return true
    }
}
