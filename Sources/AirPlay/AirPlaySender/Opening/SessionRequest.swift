import AirPlayMessages

/// A wish for a session, with what the opener has to know of the speaker's past.
struct SessionRequest: Sendable {
    var target: SpeakerTarget
    /// Whether the speaker was unreachable a moment ago, so that it gets time to come up.
    var isReturning = false
    /// Whether to leave the speaker to another sender, because the speaker ended the last session.
    var yieldsToOthers = false
    /// A clock in place of PTP; `nil` for the one that the speaker's announcements call for.
    var instead: SessionChoice.Alternative?
    /// A session whose connection broke while the speaker plays on, to be resumed.
    var interrupted: (any SpeakerSession)?
    /// The packets to send; `nil` for the group's own.
    var sound: (any PacketReading)?
    /// Receives the speaker's description, and the kind of session that follows from it.
    var onDescribed: @Sendable (ReceiverDescription, SessionChoice) async -> Void
    /// Receives the steps of the opening as they end, in order.
    var onStep: @Sendable (OpeningStep) -> Void = { _ in }
    /// Returns the wire format to send; `nil` when the group is gone.
    var format: @Sendable () async -> AudioWireFormat?
    /// Receives the speaker's buttons, on a queue of the session.
    var onCommand: @Sendable (EventCommand) -> Void
}

/// A maker of sessions, which chooses the kind of session for a speaker.
protocol SessionOpener: Sendable {
    /// - Throws: ``SpeakerFailure``; nothing is left open then.
    func open(_ request: SessionRequest) async throws -> any SpeakerSession
}
