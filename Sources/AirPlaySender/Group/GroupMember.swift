import AirPlayMessages
import MediaTime

/// One speaker's place in a group. Belongs to the group's actor.
final class GroupMember: @unchecked Sendable {
    // Safe to share: only code isolated to the owning SpeakerGroup reads or writes the variables;
    // other tasks only carry the reference.
    let target: SpeakerTarget
    var state = SpeakerState.connecting
    var session: SpeakerSession?
    /// What it says of itself, once reached.
    var receiver: ReceiverDescription?
    var openedAt = HostTime(nanoseconds: 0)
    var task: Task<Void, Never>?
    /// Whether the first attempt to open a session has ended, well or badly.
    var hasTried = false
    /// Whether the speaker has an anchor of the line that runs.
    var isAnchored = false
    /// Starts that have been sent to it and not answered; one of a stopped line may still be among them.
    var startsUnderWay = 0
    var refusals = 0
    /// Whether the speaker has shown that it follows clock and anchor, or shows no such thing.
    var hasShownClock = false
    /// Whether it holds packets that were cut without its knowing.
    var hasMissedCut = false
    /// A session whose connection broke and whose sound plays on, as it should; its old connections are left open until
    /// a new one has gone on with it, because their end would end it.
    private(set) var interrupted: SpeakerSession?
    var volume: Volume?
    /// Whether the last attempt found nobody listening.
    var wasUnreachable = false
    /// Whether the speaker ended the last session by itself: another sender may have taken it.
    var wasDropped = false

    init(target: SpeakerTarget) { self.target = target }

    /// Keeps a session to go on with, or lets go of the one that is kept.
    func interrupt(_ session: SpeakerSession?) {
        interrupted?.abandon()
        interrupted = session
    }
}
