import AirPlayMessages
import TuttiClockService
import TuttiMediaTime

/// The state of one speaker of a group.
public enum SpeakerState: Equatable, Sendable {
    /// The control connection is being opened and paired.
    case connecting
    /// The session is open; the speaker has not yet locked on to our clock.
    case waitingForClock
    /// The speaker is paused and can start at once.
    case ready
    /// The speaker plays.
    case playing
    /// The speaker plays, but receives sound more slowly than it plays.
    case starved
    /// The speaker has no session; the cause is in words. The group retries while
    /// ``SpeakerFailure/isWorthRetrying``, and where our clock had no port, when playback starts again.
    case lost(SpeakerFailure)
    /// The speaker was removed from the group.
    case closed
}

/// An event of a group.
public enum SpeakerGroupEvent: Sendable {
    /// The state of a speaker changed.
    case state(speaker: NamedSpeaker, SpeakerState)
    /// The kind of session that a speaker gets, before the session is opened.
    case chosen(speaker: NamedSpeaker, SessionChoice)
    /// A step of the opening of a session has ended.
    case opening(speaker: NamedSpeaker, OpeningStep)
    /// A session was opened.
    case opened(speaker: NamedSpeaker, address: String, receiver: ReceiverDescription, bufferBytes: Int)
    /// The speaker's clock state changed.
    case clock(speaker: NamedSpeaker, PeerClockState)
    /// A fact that needs no action yet; `code` is for programs, `message` for the user.
    case warning(speaker: NamedSpeaker, code: String, message: String)
    /// A button was pressed on a speaker, or its volume changed.
    case command(speaker: NamedSpeaker, EventCommand)
}

/// The fill level of one speaker's buffer.
public struct SpeakerDepth: Sendable {
    /// The speaker.
    public var speaker: NamedSpeaker
    /// The state of the speaker.
    public var state: SpeakerState
    /// Seconds of sound sent beyond the playhead.
    public var secondsAhead: Double
    /// Bytes that the speaker holds, of ``bufferBytes``.
    public var bytesHeld: Int
    /// The size of the buffer in bytes; 0 without a session.
    public var bufferBytes: Int
    /// The volume in percent of the speaker's maximum; `nil` if the program has set none, or does not know.
    public var volume: Double?
}
