import TuttiMediaTime

/// One step of the opening of a session with a speaker, for reports.
public struct OpeningStep: Equatable, Sendable {
    /// The steps, in the order in which they are taken. AirPlay 1 has neither ``events`` nor ``record``.
    public enum Kind: String, Sendable, CaseIterable {
        /// The connection to the speaker's port.
        case port
        /// The speaker's description: `GET /info`; in AirPlay 1 `OPTIONS`.
        case info
        /// The pairing, or the proof of an earlier one.
        case access
        /// The session and its clock: the first `SETUP`, in AirPlay 1 `ANNOUNCE`.
        case session
        /// The connection by which the speaker sends its buttons.
        case events
        /// The beginning of the session: `RECORD` and the list of clocks.
        case record
        /// The stream, and its connection or ports.
        case stream
    }

    /// The step.
    public let kind: Kind
    /// The time that it took.
    public let duration: Duration
    /// The reason why the session was not opened; `nil` if the step succeeded.
    public let failure: SpeakerFailure?

    /// Creates a step that has ended.
    public init(_ kind: Kind, duration: Duration, failure: SpeakerFailure? = nil) {
        (self.kind, self.duration, self.failure) = (kind, duration, failure)
    }
}

/// The step that is being taken, and when it began.
struct OpeningStepTimer: Sendable {
    private var current: (kind: OpeningStep.Kind, since: HostTime)?

    /// Begins with a step; `nil` for none.
    mutating func begin(_ kind: OpeningStep.Kind?, at now: HostTime) { current = kind.map { ($0, now) } }

    /// Continues with a step; `nil` if the current one lasts until its end is reported.
    ///
    /// - Returns: The step that has ended with this; `nil` if there is none.
    mutating func enter(_ kind: OpeningStep.Kind?, at now: HostTime) -> OpeningStep? {
        guard let kind, kind != current?.kind else { return nil }
        defer { begin(kind, at: now) }
        return end(at: now)
    }

    /// Ends the step that is taken, with or without success; returns `nil` if there is none.
    ///
    /// A speaker that admits only some senders may also say so at another step: in its description, or when it
    /// refuses the session.
    mutating func end(_ failure: SpeakerFailure? = nil, at now: HostTime) -> OpeningStep? {
        defer { current = nil }
        return current.map { current in
            let kind = failure?.isAboutAccess == true ? .access : current.kind
            return OpeningStep(kind, duration: now.since(current.since), failure: failure)
        }
    }
}
