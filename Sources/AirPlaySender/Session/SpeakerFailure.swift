/// Why a speaker does not play, in a code for programs and in words a user can act on.
public struct SpeakerFailure: Error, Equatable, Sendable {
    public enum Code: String, Sendable {
        /// No answer to a connection attempt, or no route.
        case unreachable
        /// Something answers, but does not speak AirPlay.
        case notASpeaker = "not-a-speaker"
        /// The speaker has no buffered stream or no PTP clock.
        case unsupported
        case passwordNeeded = "password-needed"
        case passwordWrong = "password-wrong"
        case pinNeeded = "pin-needed"
        /// Access is limited to some people or to the home.
        case forbidden
        case busy
        /// The speaker answered a request with an error, or with something that is none of its answers.
        case refused
        /// No answer in time.
        case silent
        /// The connection ended.
        case lost
        /// The speaker does not follow our clock.
        case clock
        /// We closed the session.
        case closed
    }

    public let code: Code
    public let message: String
    /// The speaker ended it itself.
    let isOrderly: Bool
    /// The time for which the speaker takes no other attempt; `nil` when it named none.
    public let retryDelay: Duration?

    public init(_ code: Code, _ message: String) { self.init(code, message, isOrderly: false) }

    init(_ code: Code, _ message: String, isOrderly: Bool = false, retryDelay: Duration? = nil) {
        (self.code, self.message, self.isOrderly) = (code, message, isOrderly)
        self.retryDelay = retryDelay
    }

    /// Any error of a session in this form. Sessions throw untyped: with a typed error an optimised build
    /// of Swift 6.3.1 overwrites the result of a child task (*observed*).
    init(_ error: any Error) {
        self = error as? SpeakerFailure ?? SpeakerFailure(.lost, "\(error)")
    }

    /// Whether it is the connection that failed, or the speaker said "later", and not "no".
    var isPassing: Bool {
        if retryDelay != nil { return true }
        return switch code {
        case .unreachable, .silent, .lost: !isOrderly
        default: false
        }
    }

    /// Whether a later attempt can succeed without the user's doing something.
    public var isWorthRetrying: Bool {
        switch code {
        case .unreachable, .busy, .refused, .silent, .lost, .clock: true
        case .notASpeaker, .unsupported, .passwordNeeded, .passwordWrong, .pinNeeded, .forbidden, .closed:
            false
        }
    }
}

extension SpeakerFailure: CustomStringConvertible {
    public var description: String { message }
}
