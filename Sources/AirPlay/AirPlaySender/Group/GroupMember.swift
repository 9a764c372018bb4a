import AirPlayMessages
import TuttiMediaTime

/// One speaker's membership in a group. Isolated to the group's actor.
final class GroupMember: @unchecked Sendable {
    // Safe to share: only code isolated to the owning SpeakerGroup reads or writes the variables;
    // other tasks only carry the reference.
    let id: MemberID
    let target: SpeakerTarget
    /// The packets as the speaker gets them.
    let sound: SpeakerSound
    var state = SpeakerState.connecting
    /// The open session.
    private(set) var session: (any SpeakerSession)?
    private(set) var sessionID: SessionID?
    /// The host time since which the session is open.
    private var openedAt = HostTime(nanoseconds: 0)
    var attempts: SessionAttempts
    /// The report of an open session of a speaker that was said to find no clock: it is made once it has found one.
    var keptBack: SpeakerGroupEvent?
    /// The clocks that it is offered.
    var clockTrial = ClockTrial()
    /// The failure with which the session ends so that another clock can be tried.
    private(set) var changeOfClock: SpeakerFailure?
    /// Whether the first attempt to open a session has ended, with or without success.
    var hasTried = false
    /// Tracks queued for the speaker's display, in order.
    var displays: [ScheduledTrack] = []
    /// Whether a task is sending ``displays``.
    var isShowing = false
    /// Text and picture that the session showed last.
    var shown: TrackMetadata?
    /// The speaker's description, once it has answered.
    var receiver: ReceiverDescription?
    /// Whether it has described itself in the present attempt to open a session.
    var hasDescribed = false
    /// The kind of its sessions, once it has answered.
    var choice: SessionChoice?
    var volume: Volume?
    /// The volume that the session is sent next; `nil` if it has been sent all.
    var volumeToSend: Volume?
    /// Whether a task is sending volumes to the session.
    var isSendingVolumes = false
    /// The distance from the group's line.
    private(set) var delay: SpeakerDelay
    /// The frame from which its sound was withdrawn while the program's edit is under way; `nil` if it was not.
    var withdrawnFrom: Int64?
    var task: Task<Void, Never>?
    /// A session whose connection broke while the speaker correctly plays on. Its old connections stay open
    /// until a new session has resumed it, because closing them would end the speaker's session.
    private(set) var interrupted: (any SpeakerSession)?
    /// Whether another sender has the speaker, or another program the port of our clock, until the user starts playing again.
    private(set) var waitsForRecall = false
    private let recalls: AsyncStream<Void>
    private let recalling: AsyncStream<Void>.Continuation

    init(id: MemberID, target: SpeakerTarget, sound: SpeakerSound, timing: SenderTiming) {
        (self.id, self.target, self.sound, delay) = (id, target, sound, target.delay)
        volume = target.volume.map { Volume(percent: $0 * target.maximumVolume / 100) }
        attempts = SessionAttempts(timing)
        (recalls, recalling) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func open(_ session: any SpeakerSession, as id: SessionID, at now: HostTime) {
        (self.session, sessionID, shown, hasTried) = (session, id, nil, true)
        (openedAt, withdrawnFrom) = (now, nil)
        (volumeToSend, isSendingVolumes) = (nil, false)
        endInterrupted(isResumed: true)
    }

    /// Ends the session for this failure, or because the speaker finds no clock.
    func fail(_ failure: SpeakerFailure?, at now: HostTime) {
        guard let session else { return }
        let elapsed = now.since(openedAt)
        let report = session.clockReport
        // A realtime stream has no anchor to refuse.
        let refusesStarts = report.isProven && session.readyTime != nil && !session.traits.isRealtime
        let unstarted =
            refusesStarts ? SpeakerFailure(startOf: target.name) : SpeakerFailure(clockOf: target.name)
        session.fail(failure ?? report.trouble(of: target.name, after: elapsed) ?? unstarted)
    }

    /// Notes that the speaker of a session has used its clock.
    static func noteUse(
        of clock: SessionChoice.Clock, by id: SessionID, in group: isolated SpeakerGroup
    ) {
        guard let member = group.member(id) else { return }
        member.clockTrial.settle(on: clock)
        member.attempts.clockFound()
        member.tellKeptBack(in: group)
    }

    /// Makes the report that was kept back, if there is one.
    func tellKeptBack(in group: isolated SpeakerGroup) {
        guard let event = keptBack else { return }
        keptBack = nil
        group.tell(event)
    }

    /// Ends the session of a speaker that does not use its clock, if another is to be tried.
    ///
    /// - Returns: Whether the session ends.
    func triesOtherClock(after trouble: ClockTrouble, in group: isolated SpeakerGroup) -> Bool {
        guard let session, let choice, let receiver, changeOfClock == nil else { return false }
        let report = session.clockReport
        if group.members.count == 1, target.triesOtherClock,
            let next = clockTrial.next(after: trouble, report),
            SessionChoice(receiver, override: target.override, instead: next).clock == next.clock
        {
            changeOfClock = clockTrial.begin(next, name: target.name)
        } else {
            changeOfClock = clockTrial.end(after: trouble, with: choice.clock, name: target.name)
        }
        if let changeOfClock { session.fail(changeOfClock) }
        return changeOfClock != nil
    }

    func end() {
        (session, sessionID, shown, hasTried, changeOfClock) = (nil, nil, nil, true, nil)
        keptBack = nil
    }

    /// Sets the distance from the line if the member has this key.
    func setDelay(_ delay: SpeakerDelay, ofOne key: String, in group: isolated SpeakerGroup) {
        guard target.key == key, delay != self.delay else { return }
        self.delay = delay
        // A session to resume would keep its old line.
        endInterrupted()
        group.receive(.delayed(id, delay))
    }

    /// Suspends until ``recall()`` or cancellation. On the group's actor, so that no recall comes before the wait has begun.
    func waitForRecall(in group: isolated SpeakerGroup) async {
        waitsForRecall = true
        for await _ in recalls { return }
    }

    /// Lets a member that waits try its speaker again, even if another sender has it, because the user started playing.
    func recall() {
        guard waitsForRecall else { return }
        waitsForRecall = false
        attempts.recall()
        recalling.yield()
    }

    /// Keeps a broken session to resume.
    func interrupt(_ session: any SpeakerSession) {
        endInterrupted()
        interrupted = session
    }

    /// Ends the session that was kept to resume, if there is one. Its speaker, which still plays what it holds, is told so
    /// unless another session has taken its place.
    func endInterrupted(isResumed: Bool = false) {
        guard let session = interrupted.take() else { return }
        if isResumed { session.abandon() } else { session.leave() }
    }
}

extension [GroupMember] {
    /// The descriptions that decide the wire format. A realtime session and a device of this machine take every one.
    var formatReceivers: [ReceiverDescription] {
        let buffered = filter { $0.choice?.stream == .buffered }
        return (buffered.isEmpty ? self : buffered).compactMap(\.receiver)
    }

    /// See ``SpeakerGroup/playsALAC``.
    var playsALAC: Bool {
        allSatisfy { $0.choice?.stream != .buffered || $0.receiver?.quirks.playsBufferedALAC != false }
    }

    /// See ``SpeakerGroup/liveLatency``.
    var liveLatency: Duration? {
        compactMap { member in
            member.session.map { $0.traits.liveLatency + member.delay.headroom }
        }.max()
    }

    /// See ``SpeakerGroup/realtimeFormat``.
    var realtimeFormat: AudioWireFormat? {
        let formats = compactMap { member in
            member.choice.map { choice in
                switch choice.stream {
                case .realtime: member.target.override.realtimeFormat
                case .airPlay1: AudioWireFormat.alac44100x16
                case .buffered, .local: nil as AudioWireFormat?
                }
            }
        }
        guard let first = formats.first, !formats.contains(nil) else { return nil }
        // Streams of other formats, and PCM, are converted for themselves.
        let isCommon = first?.codec == .alac && formats.allSatisfy { $0 == first }
        return isCommon ? first : .alac44100x16
    }
}
