import AirPlayMessages
import MediaTime

/// One speaker's place in a group. Belongs to the group's actor.
final class GroupMember: @unchecked Sendable {
    // Safe to share: only code isolated to the owning SpeakerGroup reads or writes the variables;
    // other tasks only carry the reference.
    let target: SpeakerTarget
    var state = SpeakerState.connecting
    var session: SpeakerSession? {
        didSet { if session !== oldValue { shown = nil } }
    }
    /// Tracks that are to be shown on the speaker's display, in this order, and whether that must be whole.
    var displays: [(track: ScheduledTrack, isForced: Bool)] = []
    /// Whether a task works on ``displays``.
    var isShowing = false
    /// Text and picture that the session has shown last.
    var shown: TrackMetadata?
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
    /// Whether the user has been told that it reads nothing.
    var hasUnreadWarning = false
    var volume: Volume?
    /// Whether the last attempt found nobody listening.
    var wasUnreachable = false
    /// Whether the speaker ended the last session by itself: another sender may have taken it.
    var wasDropped = false
    /// Whether a session of this member has been open.
    var hadSession = false
    /// Another sender took the speaker from this member; it keeps the speaker until the user starts playing anew.
    private(set) var isDisplaced = false
    private let recalls: AsyncStream<Void>
    private let recalling: AsyncStream<Void>.Continuation

    init(target: SpeakerTarget) {
        self.target = target
        (recalls, recalling) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Notes that another sender has the speaker.
    func displace() { isDisplaced = true }

    /// Suspends a displaced member until ``recall()`` or cancellation.
    func recalled() async {
        for await _ in recalls { return }
    }

    /// The user started playing: a displaced member takes the speaker again, also from the other sender.
    func recall() {
        guard isDisplaced else { return }
        (isDisplaced, wasDropped) = (false, false)
        recalling.yield()
    }

    /// Keeps a session to go on with, or lets go of the one that is kept.
    func interrupt(_ session: SpeakerSession?) {
        interrupted?.abandon()
        interrupted = session
    }
}
