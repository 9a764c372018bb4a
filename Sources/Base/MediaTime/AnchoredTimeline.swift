/// The pair that fixes a line: the frame at `rtpTime` is heard at `networkTime`.
public struct Anchor: Hashable, Sendable {
    /// The RTP time of the anchor's frame.
    public var rtpTime: RTPTime
    /// The network time at which the anchor's frame is heard.
    public var networkTime: NetworkTime

    /// Creates an anchor.
    public init(rtpTime: RTPTime, networkTime: NetworkTime) {
        self.rtpTime = rtpTime
        self.networkTime = networkTime
    }
}

/// A straight line from RTP time to network time.
///
///     network(rtp) = anchor.network + (rtp − anchor.rtp) ⁄ sampleRate
///
/// RTP time wraps after 2³² frames, 27 hours at 44.1 kHz. Differences take the shorter way around, so the
/// line holds for ±2³¹ frames from its anchor.
public struct AnchoredTimeline: Hashable, Sendable {
    /// A point of the line; moving it moves the line.
    public var anchor: Anchor
    /// The slope of the line.
    public let sampleRate: SampleRate

    /// Creates a line through `anchor`.
    public init(anchor: Anchor, sampleRate: SampleRate) {
        self.anchor = anchor
        self.sampleRate = sampleRate
    }

    /// Returns the network time at which a frame is heard, in nanoseconds rounded toward the anchor.
    public func networkTime(of rtpTime: RTPTime) -> NetworkTime {
        let frames = rtpTime.frames(since: anchor.rtpTime)
        return NetworkTime(nanoseconds: anchor.networkTime.nanoseconds &+ sampleRate.nanoseconds(of: frames))
    }

    /// Returns the frame that is heard at `time`, rounded down.
    public func rtpTime(at time: NetworkTime) -> RTPTime {
        anchor.rtpTime.advanced(
            by: sampleRate.frames(in: time.nanoseconds &- anchor.networkTime.nanoseconds))
    }
}
