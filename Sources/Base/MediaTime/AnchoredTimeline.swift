/// The pair that fixes a line: the frame at `rtpTime` is heard at `networkTime`.
package struct Anchor: Hashable, Sendable {
    /// The RTP time of the anchor's frame.
    package var rtpTime: RTPTime
    /// The network time at which the anchor's frame is heard.
    package var networkTime: NetworkTime

    /// Creates an anchor.
    package init(rtpTime: RTPTime, networkTime: NetworkTime) {
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
package struct AnchoredTimeline: Hashable, Sendable {
    /// A point of the line; moving it moves the line.
    package var anchor: Anchor
    /// The slope of the line.
    package let sampleRate: SampleRate

    /// Creates a line through `anchor`.
    package init(anchor: Anchor, sampleRate: SampleRate) {
        self.anchor = anchor
        self.sampleRate = sampleRate
    }

    /// Returns the network time at which a frame is heard, in nanoseconds rounded toward the anchor.
    package func networkTime(of rtpTime: RTPTime) -> NetworkTime {
        let frames = rtpTime.frames(since: anchor.rtpTime)
        return NetworkTime(nanoseconds: anchor.networkTime.nanoseconds &+ sampleRate.nanoseconds(of: frames))
    }

    /// Returns the frame that is heard at `time`, rounded down.
    package func rtpTime(at time: NetworkTime) -> RTPTime {
        anchor.rtpTime.advanced(
            by: sampleRate.frames(in: time.nanoseconds &- anchor.networkTime.nanoseconds))
    }
}
