import AirPlayMessages
import TuttiClockService
import TuttiMediaTime
import TuttiRTP

/// The packets and the line of a realtime stream, without its sockets: takes datagrams, and gives packets in order
/// and the line along which they play.
struct RealtimeIntake: ~Copyable, Sendable {
    /// A line to play along.
    struct Line: Hashable, Sendable {
        var anchor: Anchor
        var clock: ClockIdentity
        /// Whether the sender starts again with the packets to come: their line differs from that of earlier packets.
        var isNext: Bool
    }

    /// The end of what was flushed: its RTP time, and the number of the first packet behind it if that is known.
    private struct Flushed {
        var time: RTPTime
        var next: UInt16?
    }

    private var reader: RealtimeReader
    private var window: RealtimeWindow
    private(set) var line: RealtimeLine
    private let sampleRate: SampleRate
    /// Paused: ignore sync packets until one is marked as the first.
    private var isHeld = false
    /// Set by a pause or a flush until the first packet after it.
    private var isSilent = false
    private var flushed: Flushed?
    private(set) var lastBytes: HostTime
    private(set) var unreadableCount = 0

    init(
        reader: consuming RealtimeReader, reading: RealtimeLine.NTPReading, sampleRate: SampleRate,
        framesPerPacket: Int = 352, settles: Bool = false, at now: HostTime
    ) {
        self.reader = reader
        window = RealtimeWindow(framesPerPacket: framesPerPacket, settles: settles)
        line = RealtimeLine(sampleRate: sampleRate, reading: reading)
        (self.sampleRate, lastBytes) = (sampleRate, now)
    }

    /// Drops packets that wait for their order, and the line.
    mutating func flush(before time: RTPTime) {
        // The sender may name a later number (``begin(at:_:)``).
        flushed = Flushed(time: time, next: window.end ?? flushed?.next)
        window.flush()
        line.forget()
        (isHeld, isSilent) = (false, true)
    }

    /// Notes the packet with which the sender begins, so that it is requested if it is lost.
    mutating func begin(at number: UInt16, _ time: RTPTime) {
        if flushed?.time == time { flushed?.next = number }
        window.begin(with: RealtimeWindow.Beginning(number: number, rtpTime: time))
    }

    /// Number of packets lost before the first one that came.
    var lostAtBeginning: Int { window.lostAtBeginning }

    /// Pauses until the sender starts again.
    mutating func hold() {
        (isHeld, isSilent, flushed) = (true, true, nil)
        line.forget()
    }

    /// Takes a datagram of sound.
    ///
    /// - Returns: The packets that are now in order, and whether a paused stream plays again.
    mutating func receive(_ datagram: ArraySlice<UInt8>, at now: HostTime) -> (
        ready: [RealtimePacket], resumes: Bool
    ) {
        guard let packet = try? reader.read(datagram) else {
            unreadableCount += 1
            return ([], false)
        }
        lastBytes = now
        guard let flushed else { return take(packet, at: now) }
        let frames = packet.rtpTime.frames(since: flushed.time)
        // Another time than that of the flushed sound, also because a day has passed.
        if sampleRate.duration(of: abs(frames)) >= RealtimeWindow.longestLead { self.flushed = nil }
        guard self.flushed != nil, frames < 0 else { return take(packet, at: now) }
        // A packet of the flushed sound, or its copy, that comes late. To the empty window it would be the first of the sound to come.
        if let next = flushed.next, RealtimeWindow.distance(from: next, to: packet.sequenceNumber) < 0 {
            return ([], false)
        }
        return (window.receive(packet, at: now), false)
    }

    private mutating func take(_ packet: RealtimePacket, at now: HostTime) -> (
        ready: [RealtimePacket], resumes: Bool
    ) {
        let resumes = isSilent
        isSilent = false
        return (window.receive(packet, at: now), resumes)
    }

    /// Takes a control packet.
    ///
    /// - Returns: The line that it changes; `nil` if there is no change.
    mutating func receive(_ packet: RealtimeControlPacket, at now: HostTime) -> Line? {
        lastBytes = now
        let (found, isFirst): ((Anchor, ClockIdentity)?, Bool)
        switch packet {
        case .timeAnnounce(let announce):
            guard !isHeld || announce.isFirst else { return nil }
            (found, isFirst) = (line.receive(announce), announce.isFirst)
        case .sync(let sync):
            guard !isHeld || sync.isFirst else { return nil }
            (found, isFirst) = (line.receive(sync), sync.isFirst)
        case .resendRequest, .resent: return nil
        }
        isHeld = false
        return found.map { Line(anchor: $0.0, clock: $0.1, isNext: isFirst) }
    }

    /// Gives up holes past their deadline, and returns the packets to request again.
    mutating func handleTime(
        _ now: HostTime, due: (RTPTime) -> HostTime?
    ) -> (ready: [RealtimePacket], requests: [RealtimeControlPacket.ResendRequest]) {
        window.handleTime(now, due: due)
    }

    /// Returns the time of the next call of ``handleTime(_:due:)``; `nil` if none is needed before another packet.
    func nextDeadline(due: (RTPTime) -> HostTime?) -> HostTime? { window.nextDeadline(due: due) }
}

extension StreamSink {
    /// Appends a packet in this format.
    func append(_ packet: RealtimePacket, in format: AudioWireFormat) {
        append(
            ReceivedPacket(
                sequenceNumber: UInt32(packet.sequenceNumber), rtpTime: packet.rtpTime, format: format,
                payload: packet.payload))
    }

    /// Plays along a line of a realtime stream.
    func play(along line: RealtimeIntake.Line) {
        if line.isNext {
            playNext(along: line.anchor, on: line.clock)
        } else {
            play(along: line.anchor, on: line.clock)
        }
    }
}
