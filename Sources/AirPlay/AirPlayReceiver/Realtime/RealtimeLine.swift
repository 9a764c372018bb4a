import TuttiMediaTime
import TuttiRTP

/// The presentation line of a realtime stream, from the packets with which its sender repeats it every
/// second.
///
/// Ignores repetitions within the tolerance: moving a stream by a millisecond every second sounds worse than
/// a constant error of a millisecond. A sender whose sound runs at another pace than its clock is followed in
/// steps so small that the playout takes them by resampling.
struct RealtimeLine: Sendable {
    /// Frames that receivers add to a PTP sender's line (*observed*).
    static let latencyPTP: Int64 = 11_035
    /// The tolerance for a PTP sender's own jitter: it calculates its line.
    static let tolerancePTP = Duration.milliseconds(1)
    /// A pseudo identity for the sender's NTP time; no hardware address has these bits.
    static let ntpIdentity = ClockIdentity(rawValue: 0x4E54_5000_0000_0001)

    private(set) var anchor: Anchor?
    private(set) var clock: ClockIdentity?
    /// A point of the line before, until the packet after the one that began another.
    private var previous: Anchor?
    private let sampleRate: SampleRate
    private let reading: NTPReading
    private var drift = SyncDrift()

    /// The way to read an NTP sender's sync packets.
    struct NTPReading: Sendable {
        /// Frames to add to the line if a packet asks for it.
        var latency: Int64
        /// The tolerance for the sender's own jitter: it reports the position of its sending loop.
        var tolerance: Duration

        /// Receivers add the latency in AirPlay 2 too. A sender may end the session by its own count, without it (*observed*,
        /// pyatv): the stream is then silenced that much later.
        static let airPlay2 = NTPReading(
            latency: Int64(RAOPSession.latencyFrames), tolerance: .milliseconds(30))
        /// All receivers add the latency in AirPlay 1. PipeWire sends up to 2048 frames at a time, 46 ms
        /// (*observed*).
        static let airPlay1 = NTPReading(
            latency: Int64(RAOPSession.latencyFrames), tolerance: .milliseconds(60))
    }

    init(sampleRate: SampleRate, reading: NTPReading = .airPlay2) {
        (self.sampleRate, self.reading) = (sampleRate, reading)
    }

    /// - Returns: The new line; `nil` if it is the current one.
    mutating func receive(_ announce: RealtimeControlPacket.TimeAnnounce) -> (Anchor, ClockIdentity)? {
        let anchor = Anchor(
            rtpTime: announce.frame.advanced(by: -Self.latencyPTP), networkTime: announce.networkTime)
        return set(anchor, announce.clock, isNew: announce.isFirst, tolerance: Self.tolerancePTP)
    }

    mutating func receive(_ sync: RealtimeControlPacket.NTPSync) -> (Anchor, ClockIdentity)? {
        let frame = sync.frame.advanced(by: sync.addsLatency ? -reading.latency : 0)
        let new = Anchor(rtpTime: frame, networkTime: sync.networkTime)
        let moved = set(new, Self.ntpIdentity, isNew: sync.isFirst, tolerance: reading.tolerance)
        if moved != nil { drift = SyncDrift() }
        guard moved == nil, let anchor else { return moved }
        // The same line, from its place near the packet.
        let line = AnchoredTimeline(anchor: anchor, sampleRate: sampleRate)
        let time = line.networkTime(of: frame)
        guard let step = drift.step(after: new.networkTime.since(time)) else { return nil }
        let next = Anchor(rtpTime: frame, networkTime: time.advanced(by: step))
        self.anchor = next
        return (next, Self.ntpIdentity)
    }

    /// Returns an anchor of the line of this frame: the line before is that of frames nearer to it, which may still
    /// be on their way.
    func anchor(near time: RTPTime) -> Anchor? {
        guard let anchor, let previous else { return anchor }
        return abs(time.frames(since: previous.rtpTime)) < abs(time.frames(since: anchor.rtpTime))
            ? previous : anchor
    }

    /// Forgets the line when the stream pauses or restarts, so that the next packet sets it.
    mutating func forget() { (anchor, previous, clock, drift) = (nil, nil, nil, SyncDrift()) }

    private mutating func set(
        _ new: Anchor, _ clock: ClockIdentity, isNew: Bool, tolerance: Duration
    ) -> (Anchor, ClockIdentity)? {
        previous = nil
        if let anchor, self.clock == clock {
            let line = AnchoredTimeline(anchor: anchor, sampleRate: sampleRate)
            let difference = new.networkTime.since(line.networkTime(of: new.rtpTime))
            // The first packet after a flush may repeat the line exactly.
            if (isNew ? .zero : tolerance) >= (difference < .zero ? .zero - difference : difference) {
                return nil
            }
            if isNew {
                previous = Anchor(rtpTime: line.rtpTime(at: new.networkTime), networkTime: new.networkTime)
            }
        }
        (anchor, self.clock) = (new, clock)
        return (new, clock)
    }
}

/// The deviation of an NTP sender's sync packets from its line: jitter, which is left alone, or drift.
private struct SyncDrift: Sendable {
    /// Packets that have to deviate in one direction: some 16 seconds.
    private static let count = 16
    /// Deviation that is left alone, and the step of one packet. A step each second is half of what the
    /// playout corrects by resampling.
    private static let (slack, step) = (Duration.milliseconds(5), Duration.microseconds(500))

    private var latest: [Duration] = []

    /// Takes the deviation of a packet, positive when it is late.
    ///
    /// - Returns: By how much to move the line; `nil` if it may stay.
    mutating func step(after deviation: Duration) -> Duration? {
        latest = latest.suffix(Self.count - 1) + [deviation]
        guard latest.count == Self.count, let least = latest.min(), let most = latest.max() else {
            return nil
        }
        let step = least > Self.slack ? Self.step : most < .zero - Self.slack ? .zero - Self.step : nil
        guard let step else { return nil }
        for index in latest.indices { latest[index] -= step }
        return step
    }
}
