public import AirPlayMessages
public import MediaTime

/// What a sender asks of the stream that plays.
public enum StreamCommand: Hashable, Sendable {
    case play(Anchor, ClockIdentity)
    case pause
    case flush(FlushBuffered)
    /// Of a realtime stream.
    case flushBefore(RTPTime)
}
