internal import MediaTime
import RTP

/// The presentation line of a realtime stream, from the packets with which its sender repeats it every
/// second.
///
/// Ignores repetitions within the tolerance: moving a stream by a millisecond every second sounds worse than
/// a constant error of a millisecond.
struct RealtimeLine: Sendable {
    /// Frames that receivers add to a PTP sender's line (*observed*).
    static let latencyPTP: Int64 = 11_035
    /// Tolerances for the sender's own jitter: PTP senders calculate their line, NTP senders report the
    /// position of their sending loop.
    static let tolerancePTP = Duration.milliseconds(1)
    static let toleranceNTP = Duration.milliseconds(30)
    /// A pseudo identity for the sender's NTP time; no hardware address has these bits.
    static let ntpIdentity = ClockIdentity(rawValue: 0x4E54_5000_0000_0001)

    private(set) var anchor: Anchor?
    private(set) var clock: ClockIdentity?
    private let sampleRate: SampleRate
    private let latencyNTP: Int64

    /// - Parameter latencyNTP: Frames to add to an NTP sender's line if its packets ask for it. All receivers
    ///   add 11,025 in AirPlay 1. In AirPlay 2, pyatv, the sender with NTP, ends the session after its own
    ///   latency; with the addition its last fifth of a second would be lost (*observed*).
    init(sampleRate: SampleRate, latencyNTP: Int64 = 0) {
        (self.sampleRate, self.latencyNTP) = (sampleRate, latencyNTP)
    }

    /// - Returns: The new line; `nil` if it is the current one.
    mutating func receive(_ announce: RealtimeControlPacket.TimeAnnounce) -> (Anchor, ClockIdentity)? {
        let anchor = Anchor(
            rtpTime: announce.frame.advanced(by: -Self.latencyPTP), networkTime: announce.networkTime)
        return set(anchor, announce.clock, isNew: announce.isFirst, tolerance: Self.tolerancePTP)
    }

    mutating func receive(_ sync: RealtimeControlPacket.NTPSync) -> (Anchor, ClockIdentity)? {
        let frame = sync.frame.advanced(by: sync.addsLatency ? -latencyNTP : 0)
        let anchor = Anchor(rtpTime: frame, networkTime: sync.networkTime)
        return set(anchor, Self.ntpIdentity, isNew: sync.isFirst, tolerance: Self.toleranceNTP)
    }

    /// Forgets the line when the stream pauses or restarts, so that the next packet sets it.
    mutating func forget() { (anchor, clock) = (nil, nil) }

    private mutating func set(
        _ new: Anchor, _ clock: ClockIdentity, isNew: Bool, tolerance: Duration
    ) -> (Anchor, ClockIdentity)? {
        if let anchor, self.clock == clock {
            let line = AnchoredTimeline(anchor: anchor, sampleRate: sampleRate)
            let difference = new.networkTime.since(line.networkTime(of: new.rtpTime))
            // The first packet after a flush may repeat the line exactly.
            if (isNew ? .zero : tolerance) >= (difference < .zero ? .zero - difference : difference) {
                return nil
            }
        }
        (anchor, self.clock) = (new, clock)
        return (new, clock)
    }
}
