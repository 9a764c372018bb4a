/// The pair that fixes a line: the frame at `rtpTime` is heard at `networkTime`.
public struct Anchor: Hashable, Sendable {
    public var rtpTime: RTPTime
    public var networkTime: NetworkTime

    public init(rtpTime: RTPTime, networkTime: NetworkTime) {
        self.rtpTime = rtpTime
        self.networkTime = networkTime
    }
}

/// Maps RTP time to network time along one straight line.
///
///     network(rtp) = anchor.network + (rtp − anchor.rtp) ⁄ sampleRate
///
/// RTP time wraps after 2³² frames, 27 hours at 44.1 kHz; differences are taken the short way
/// around, so the line holds for ±2³¹ frames from its anchor.
public struct AnchoredTimeline: Hashable, Sendable {
    public var anchor: Anchor
    public let sampleRate: SampleRate

    public init(anchor: Anchor, sampleRate: SampleRate) {
        self.anchor = anchor
        self.sampleRate = sampleRate
    }

    /// The network time at which a frame is to be heard, in nanoseconds rounded toward the anchor.
    public func networkTime(of rtpTime: RTPTime) -> NetworkTime {
        let frames = rtpTime.frames(since: anchor.rtpTime)
        return NetworkTime(nanoseconds: anchor.networkTime.nanoseconds &+ sampleRate.nanoseconds(of: frames))
    }

    /// The frame that is heard at `time`, rounded down.
    public func rtpTime(at time: NetworkTime) -> RTPTime {
        anchor.rtpTime.advanced(
            by: sampleRate.frames(in: time.nanoseconds &- anchor.networkTime.nanoseconds))
    }
}
