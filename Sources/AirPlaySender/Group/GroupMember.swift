import AirPlayMessages
import MediaTime

/// One speaker's membership in a group. Isolated to the group's actor.
final class GroupMember: @unchecked Sendable {
    // Safe to share: only code isolated to the owning SpeakerGroup reads or writes the variables;
    // other tasks only carry the reference.
    let target: SpeakerTarget
    var state = SpeakerState.connecting
    var session: (any SpeakerSession)? {
        didSet { if session !== oldValue { (shown, isPrepared) = (nil, false) } }
    }
    /// Tracks queued for the speaker's display, in order; a forced one is sent in full.
    var displays: [(track: ScheduledTrack, isForced: Bool)] = []
    /// Whether a task is sending ``displays``.
    var isShowing = false
    /// Text and picture that the session showed last.
    var shown: TrackMetadata?
    /// The speaker's description, once it has answered.
    var receiver: ReceiverDescription?
    var openedAt = HostTime(nanoseconds: 0)
    var task: Task<Void, Never>?
    /// Whether the first attempt to open a session has ended, with or without success.
    var hasTried = false
    /// Whether the speaker has an anchor of the running line.
    var isAnchored = false
    /// Whether the session was made ready for the start that is under way.
    var isPrepared = false
    /// The number of starts sent and not answered; starts of a stopped line may be among them.
    var startsUnderWay = 0
    var refusals = 0
    /// Whether the speaker has shown that it follows clock and anchor, or cannot show it.
    var hasShownClock = false
    /// Whether the speaker still holds packets whose cut it has missed.
    var hasMissedCut = false
    /// A session whose connection broke while the speaker correctly plays on. Its old connections stay open
    /// until a new session has resumed it, because closing them would end the speaker's session.
    private(set) var interrupted: (any SpeakerSession)?
    /// Whether the user has been warned that the speaker reads nothing.
    var hasUnreadWarning = false
    var volume: Volume?
    /// Whether the last attempt could not connect.
    var wasUnreachable = false
    /// Whether the speaker itself ended the last session: another sender may have taken it.
    var wasDropped = false
    /// Whether this member has ever had an open session.
    var hadSession = false
    /// Whether another sender took the speaker; that sender keeps it until the user starts playing again.
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

    /// Lets a displaced member take the speaker again, even from the other sender, because the user started playing.
    func recall() {
        guard isDisplaced else { return }
        (isDisplaced, wasDropped) = (false, false)
        recalling.yield()
    }

    /// Keeps a broken session to resume, and abandons the one kept before; `nil` only abandons.
    func interrupt(_ session: (any SpeakerSession)?) {
        interrupted?.abandon()
        interrupted = session
    }
}
