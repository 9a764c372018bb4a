internal import MediaTime
import RTP

/// The line of a realtime stream, from the packets with which its sender repeats it every second.
///
/// Repetitions that say the same change nothing: a stream that is moved by a millisecond back and forth every
/// second sounds worse than one that is a millisecond off.
struct RealtimeLine: Sendable {
    /// Frames that receivers add to what a PTP sender says (*observed*). Others add 11,025 to what an NTP sender says
    /// too; pyatv, the one that does so in AirPlay 2, ends the session when its own latency is over, and its last
    /// fifth of a second would be lost (*observed*).
    static let latencyPTP: Int64 = 11_035
    /// Differences below these are the sender's own jitter: PTP senders calculate their line, NTP senders say
    /// where their sending loop is.
    static let tolerancePTP = Duration.milliseconds(1)
    static let toleranceNTP = Duration.milliseconds(30)
    /// Times that are no PTP clock's: the sender's NTP time. The bits are no hardware address's.
    static let ntpIdentity = ClockIdentity(rawValue: 0x4E54_5000_0000_0001)

    private(set) var anchor: Anchor?
    private(set) var clock: ClockIdentity?
    private let sampleRate: SampleRate

    init(sampleRate: SampleRate) { self.sampleRate = sampleRate }

    /// - Returns: The new line; `nil` when it is the one that is known.
    mutating func receive(_ announce: RealtimeControlPacket.TimeAnnounce) -> (Anchor, ClockIdentity)? {
        let anchor = Anchor(
            rtpTime: announce.frame.advanced(by: -Self.latencyPTP), networkTime: announce.networkTime)
        return set(anchor, announce.clock, isNew: announce.isFirst, tolerance: Self.tolerancePTP)
    }

    mutating func receive(_ sync: RealtimeControlPacket.NTPSync) -> (Anchor, ClockIdentity)? {
        let anchor = Anchor(rtpTime: sync.frame, networkTime: sync.networkTime)
        return set(anchor, Self.ntpIdentity, isNew: sync.isFirst, tolerance: Self.toleranceNTP)
    }

    /// The stream stands still or begins anew; the next packet counts whatever it says.
    mutating func forget() { (anchor, clock) = (nil, nil) }

    private mutating func set(
        _ new: Anchor, _ clock: ClockIdentity, isNew: Bool, tolerance: Duration
    ) -> (Anchor, ClockIdentity)? {
        if let anchor, self.clock == clock {
            let line = AnchoredTimeline(anchor: anchor, sampleRate: sampleRate)
            let difference = new.networkTime.since(line.networkTime(of: new.rtpTime))
            // The first packet after a flush says it again.
            if (isNew ? .zero : tolerance) >= (difference < .zero ? .zero - difference : difference) {
                return nil
            }
        }
        (anchor, self.clock) = (new, clock)
        return (new, clock)
    }
}
