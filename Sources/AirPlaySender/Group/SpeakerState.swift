import AirPlayMessages
import ClockService
import MediaTime

/// What a speaker of a group is doing.
public enum SpeakerState: Equatable, Sendable {
    case connecting
    /// The session is open; the speaker has not yet locked on to our clock.
    case waitingForClock
    /// Can start at once.
    case ready
    case playing
    /// Plays, but its sound comes slower than it is heard.
    case starved
    /// Not there; the cause is in words. It is tried again while ``SpeakerFailure/isWorthRetrying``.
    case lost(SpeakerFailure)
    case closed
}

/// What a group tells, in order.
public enum SpeakerGroupEvent: Sendable {
    case state(speaker: String, SpeakerState)
    /// A session was opened.
    case opened(speaker: String, address: String, receiver: ReceiverDescription, bufferBytes: Int)
    case clock(speaker: String, PeerClockState)
    /// Something to know that needs no action yet.
    case warning(speaker: String, code: String, message: String)
    /// A button was pressed on a speaker, or its volume changed.
    case command(speaker: String, EventCommand)
}

/// A track on the timeline, for displays.
public struct ScheduledTrack: Sendable, Equatable {
    /// Timeline frame at which it becomes audible.
    public var frame: Int64
    /// Length in frames; 0 when not known.
    public var frameCount: Int64
    public var metadata: TrackMetadata

    public init(frame: Int64, frameCount: Int64, metadata: TrackMetadata) {
        self.frame = frame
        self.frameCount = frameCount
        self.metadata = metadata
    }
}

/// How far ahead one speaker is filled.
public struct SpeakerDepth: Sendable {
    public var speaker: String
    public var state: SpeakerState
    /// Seconds of sound sent beyond the playhead.
    public var secondsAhead: Double
    /// Bytes the speaker holds, of ``bufferBytes``.
    public var bytesHeld: Int
    public var bufferBytes: Int
}
