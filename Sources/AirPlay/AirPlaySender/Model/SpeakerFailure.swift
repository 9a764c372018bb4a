import TuttiClockService

/// The reason why a speaker does not play: a code for programs, and a message that a user can act on.
public struct SpeakerFailure: Error, Equatable, Sendable {
    /// The kind of failure.
    public enum Code: String, Sendable {
        /// No answer to a connection attempt, or no route.
        case unreachable
        /// The peer answers, but does not speak AirPlay.
        case notASpeaker = "not-a-speaker"
        /// The speaker has no buffered stream or no PTP clock.
        case unsupported
        /// The speaker requires a password, and none was given.
        case passwordNeeded = "password-needed"
        /// The given password is wrong.
        case passwordWrong = "password-wrong"
        /// The speaker requires pairing with a PIN, once.
        case pinNeeded = "pin-needed"
        /// The given PIN is wrong.
        case pinWrong = "pin-wrong"
        /// The pairings with speakers cannot be stored on this machine.
        case notStored = "not-stored"
        /// Access is limited to certain people or to the home.
        case forbidden
        /// Another sender uses the speaker.
        case busy
        /// The speaker answered a request with an error, or with an invalid answer.
        case refused
        /// The speaker did not answer in time.
        case silent
        /// The connection ended.
        case lost
        /// The speaker does not follow our clock.
        case clock
        /// This machine cannot serve the clock that the speaker needs.
        case noClock = "clock-ports"
        /// We closed the session.
        case closed
    }

    /// The kind of failure, for programs.
    public let code: Code
    /// A sentence for the user that names the speaker where it is known.
    public let message: String
    /// Whether the speaker itself ended the connection.
    let isOrderly: Bool
    /// The time for which the speaker accepts no other attempt; `nil` when it named none.
    public let retryDelay: Duration?

    /// Creates a failure with a message for the user.
    public init(_ code: Code, _ message: String) { self.init(code, message, isOrderly: false) }

    init(_ code: Code, _ message: String, isOrderly: Bool = false, retryDelay: Duration? = nil) {
        (self.code, self.message, self.isOrderly) = (code, message, isOrderly)
        self.retryDelay = retryDelay
    }

    /// An end that our side has caused.
    static let closed = SpeakerFailure(.closed, "closed")

    /// A speaker that does not follow our clock.
    init(clockOf speaker: String) {
        self.init(
            .clock,
            "\(speaker) does not follow our clock; restart it; if that does not help, try --clock ntp"
        )
    }

    /// A speaker that follows our clock, and refuses every start of a buffered stream on it.
    init(startOf speaker: String) {
        self.init(
            .clock,
            "\(speaker) asks for our clock but refuses every start; restart it; if that does not help, try --stream realtime"
        )
    }

    /// A speaker that another sender has.
    init(takenFromUs speaker: String) { self.init(.busy, "another sender has taken \(speaker)") }

    /// A clock that cannot serve a speaker.
    init(noClock error: any Error) {
        switch error as? ClockServiceError {
        // Temporary: a speaker may leave, and a group may be closed.
        case .tooManyPeers, .closed, nil: self.init(error)
        case .some(let error): self.init(.noClock, "\(error)")
        }
    }

    /// Wraps any error of a session. Sessions throw untyped: with a typed error an optimised build of Swift
    /// 6.3.1 overwrites the result of a child task (*observed*).
    init(_ error: any Error) {
        self = error as? SpeakerFailure ?? SpeakerFailure(.lost, "\(error)")
    }

    /// Whether the failure is temporary: the connection failed, or the speaker asked for a later attempt.
    var isPassing: Bool {
        if retryDelay != nil { return true }
        return switch code {
        case .unreachable, .silent, .lost: !isOrderly
        default: false
        }
    }

    /// Whether the speaker lets only some senders in.
    var isAboutAccess: Bool {
        switch code {
        case .passwordNeeded, .passwordWrong, .pinNeeded, .pinWrong, .forbidden: true
        default: false
        }
    }

    /// Whether a later attempt can succeed without action by the user.
    public var isWorthRetrying: Bool {
        switch code {
        case .unreachable, .busy, .refused, .silent, .lost, .clock: true
        case .notASpeaker, .unsupported, .passwordNeeded, .passwordWrong, .pinNeeded, .pinWrong, .notStored,
            .forbidden, .noClock, .closed:
            false
        }
    }
}

extension SpeakerFailure: CustomStringConvertible {
    /// The message for the user.
    public var description: String { message }
}
