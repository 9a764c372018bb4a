import AirPlayMessages
import TuttiMediaTime

/// A sender's command to the stream that plays.
package enum StreamCommand: Hashable, Sendable {
    /// Play along the line through this anchor, on this clock.
    case play(Anchor, ClockIdentity)
    /// Pause; keep the packets.
    case pause
    /// Flush packets of a buffered stream.
    case flush(FlushBuffered)
    /// Flush packets of a realtime stream before this RTP time.
    case flushBefore(RTPTime)
    /// The packets to come of a realtime stream begin with this number and RTP time.
    case begin(UInt16, RTPTime)
}
