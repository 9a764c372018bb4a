import AirPlayMessages
import TuttiMediaTime

/// The number of one speaker's membership in a group; never reused.
struct MemberID: Hashable, Sendable { let number: Int }

/// The number of one open session of a group; never reused, so that an answer of an ended session finds nobody.
struct SessionID: Hashable, Sendable { let number: Int }

/// A command, an answer or an event for a ``GroupPlan``.
enum GroupInput: Sendable {
    /// `wanted` is the instant that the program named.
    case start(frame: Int64, wanted: HostTime?)
    /// A later start or stop waits that makes the start under way meaningless.
    case startSuperseded
    case stop(frame: Int64)
    /// The store was emptied; a running line continues.
    case clear
    /// The store has sound for the running line again.
    case anchorAgain
    /// Sound was taken back; the store still has it until `resume`.
    case cut
    case resume
    /// A session's speaker is told of the cut.
    case cutSent(SessionID)
    case cutTaken(SessionID)
    case cutMissed(SessionID, SpeakerFailure)
    case joined(MemberID)
    case left(MemberID)
    /// The program changed a speaker's delay.
    case delayed(MemberID, SpeakerDelay)
    /// An attempt to open a session has failed, or the session has ended.
    case lost(MemberID)
    case opened(MemberID, SessionID, SessionTraits)
    /// The session has metadata and volume.
    case greeted(SessionID)
    /// The speaker has given no sign of life when it was asked for one.
    case silent(SessionID)
    /// A sign of life. `slowest` is the duration of the slowest recent answer, here and below.
    case alive(SessionID, slowest: Duration)
    case answered(SessionID, round: Int, GroupAnswer, slowest: Duration)
    case time
}

/// A request of a ``GroupPlan`` to one session.
enum GroupRequest: Equatable, Sendable {
    case prepare(frame: Int64)
    case waitForBeginning(frame: Int64)
    case start(FrameLine, needsBeginning: Bool)
    case move(FrameLine)
    case askWhetherItFollows
    case stop
    case refill(frame: Int64)
    case clear
}

extension GroupRequest {
    /// Returns the request for a speaker that has been heard up to this frame: the speaker begins there, further down
    /// the same line.
    func behind(_ frame: Int64) -> GroupRequest {
        switch self {
        case .waitForBeginning(let first): .waitForBeginning(frame: max(first, frame))
        case .start(let line, let needsBeginning):
            .start(line.advanced(toFrame: frame), needsBeginning: needsBeginning)
        case .move(let line): .move(line.advanced(toFrame: frame))
        case .prepare, .askWhetherItFollows, .stop, .refill, .clear: self
        }
    }
}

/// The answer of a session to a ``GroupRequest``.
enum GroupAnswer: Equatable, Sendable {
    case done
    /// The beginning has been sent; meanwhile the connection took no sound for so long.
    case sent(blocked: Duration)
    /// The first frame that has not been heard; `nil` if the speaker does not tell.
    case stopped(at: Int64?)
    case start(StartAnswer)
    case follows(Bool?)
    case failed(SpeakerFailure)
}

/// A task of a ``GroupPlan`` for its driver.
enum GroupAction: Equatable, Sendable {
    case send(GroupRequest, to: SessionID, round: Int)
    /// Tell the program when the start is heard; again if it moved.
    case started(HostTime)
    case state(SessionID, SpeakerState)
    case warn(SessionID, SpeakerFailure)
    /// End the session; without a failure, because it does not follow our clock.
    case fail(SessionID, SpeakerFailure?)
    /// Show the current track on every speaker.
    case present
}

/// The place of an edit relative to what is heard.
enum CutPlace: Equatable, Sendable {
    /// So far ahead of the playhead.
    case playing(Duration)
    /// So far ahead of the place of the pause.
    case paused(Duration)
    /// Nothing is heard, or an instant is not chosen yet.
    case silent

    var margin: Duration? {
        switch self {
        case .playing(let margin), .paused(let margin): margin
        case .silent: nil
        }
    }
}
