import TuttiMediaTime

/// One open session of a group, as far as the plan needs it.
struct GroupSession: Sendable {
    /// The place of a speaker relative to the running line.
    enum Place: Equatable, Sendable {
        case off
        /// The speaker joins at this time, or when its start under way is answered.
        case joining(at: HostTime)
        /// The speaker has an anchor of the running line.
        case onLine
    }

    let id: SessionID
    let traits: SessionTraits
    let openedAt: HostTime
    var place: Place
    /// Whether the session was made ready for the start that is under way.
    var isPrepared = false
    /// The starts sent and not answered: the number of the line of each, by its round.
    var startsUnderWay: [Int: Int] = [:]
    var refusals = 0
    /// Whether the speaker has shown that it follows clock and anchor, or cannot show it.
    var hasShownClock: Bool
    /// Whether the speaker still holds packets whose cut it has missed.
    var hasMissedCut = false
    /// The cuts that the speaker was told of, and has not answered.
    var cutsUnderWay = 0
    /// The round in which the speaker falls silent, or drops its sound, before it rejoins the line.
    var rejoinRound: Int?
    /// The lead of its next start on the running line, if that is not the one of a first start.
    var lineLead: Duration?
    /// Whether the speaker was sent a start since the last request that makes it drop its sound.
    private(set) var mayHoldSound = false
    /// The round of that request, until it is answered.
    private var dropRound: Int?
    /// The time before which no start is sent, because the speaker may not have dropped its sound.
    private(set) var emptyTime: HostTime?
    /// The duration of the slowest recent answer.
    var answerTime = Duration.zero
    /// The frame at which the speaker begins a resume, because it has been heard up to there.
    var heardUntil: Int64?
    /// The round of a stop or a clear, until it is answered.
    private var stopRound: Int?
    /// Whether a stop or a clear was not answered: the speaker may play on.
    private(set) var hasMissedStop = false
    /// The oldest request that the speaker has not answered, and would have answered at once.
    private var unanswered: (round: Int, since: HostTime)?
    /// Whether a request had no answer in time, and no sign of life has come since.
    var isSilent = false

    init(_ id: SessionID, _ traits: SessionTraits, openedAt: HostTime) {
        (self.id, self.traits, self.openedAt) = (id, traits, openedAt)
        place = traits.hasResumed ? .onLine : .off
        hasShownClock = !traits.showsWhetherItFollows
    }

    /// Whether the speaker has not answered yet that it drops its sound, and needs some time after that.
    var isDropping: Bool { dropRound != nil && traits.stopTime > .zero }

    /// The time without an answer after which others no longer wait for the speaker.
    private static let longestWait = Duration.seconds(1)

    /// Whether the speaker does not answer, so that others need not wait for it.
    func isOutOfReach(at now: HostTime) -> Bool {
        isSilent || unanswered.map { now.since($0.since) >= Self.longestWait } ?? false
    }

    /// Notes that a request waits for its answer.
    mutating func wait(forAnswerTo request: GroupRequest, round: Int, since time: HostTime) {
        switch request {
        case .prepare, .start, .stop, .clear: unanswered = unanswered ?? (round, time)
        // The first waits for the sound to be sent, and the others may need nothing of the speaker.
        case .waitForBeginning, .move, .askWhetherItFollows, .refill: break
        }
    }

    /// Leaves the line until the speaker has dropped its sound.
    mutating func rejoinOnceEmpty() { (place, rejoinRound) = (.off, dropRound) }

    /// Notes a request that is sent.
    mutating func note(_ request: GroupRequest, round: Int) {
        switch request {
        case .start, .prepare: (stopRound, hasMissedStop) = (nil, false)
        case .stop, .clear: (stopRound, hasMissedStop) = (round, false)
        case .waitForBeginning, .move, .askWhetherItFollows, .refill: break
        }
        switch request {
        case .start: mayHoldSound = true
        case .prepare, .stop, .clear: if mayHoldSound { (mayHoldSound, dropRound) = (false, round) }
        case .waitForBeginning, .move, .askWhetherItFollows, .refill: break
        }
    }

    /// Notes an answer: after one to a request that makes the speaker drop its sound, the speaker needs some time.
    mutating func note(_ answer: GroupAnswer, to round: Int, at now: HostTime) {
        // The wait for a beginning is answered on this side.
        let isSpeakers = if case .sent = answer { false } else { true }
        if isSpeakers, let first = unanswered?.round, round >= first { unanswered = nil }
        if case .failed(let failure) = answer, failure.code == .silent { isSilent = true }
        if stopRound == round {
            stopRound = nil
            if case .failed(let failure) = answer { hasMissedStop = failure.code != .refused }
        }
        guard dropRound == round else { return }
        (dropRound, emptyTime) = (nil, now.advanced(by: traits.stopTime))
    }

    var joinTime: HostTime? {
        if case .joining(let time) = place, startsUnderWay.isEmpty { time } else { nil }
    }
}

/// A request to several sessions, whose answers are waited for.
struct Round: Sendable {
    let number: Int
    private(set) var waiting: Set<SessionID>
    /// The time at which the others continue without those that have not answered.
    let patience: HostTime

    init(number: Int, waiting: Set<SessionID>, patience: HostTime) {
        (self.number, self.waiting, self.patience) = (number, waiting, patience)
    }

    mutating func remove(_ id: SessionID, _ round: Int) { _ = take(id, round) }

    /// Takes an answer; returns whether it was one of this round.
    mutating func take(_ id: SessionID, _ round: Int) -> Bool {
        guard round == number else { return false }
        waiting.remove(id)
        return true
    }

    func isOver(at now: HostTime) -> Bool { waiting.isEmpty || now >= patience }
}

/// A start before its instant is known.
struct StartPhase: Sendable {
    enum Stage: Sendable {
        /// The speakers drop what they hold of another place.
        case preparing(Round)
        /// The speakers are sent the beginning; preparing took so long, or one connection took no sound for so long.
        case buffering(Round, preparing: Duration)
        /// All are prepared; the plan decides again at this time.
        case deciding(again: HostTime?)
        /// A later command waits that makes this start meaningless.
        case superseded
    }

    let frame: Int64
    let kind: StartKind
    var plan: StartPlan
    var stage: Stage
    /// The host time that the lead counts from.
    var begun: HostTime
    /// The sessions that are being prepared.
    var prepared: [SessionID]
    /// Whether a command has caused the preparing, and the next one waits for it.
    var isCommanded: Bool

    var holdsUpCommands: Bool {
        switch stage {
        case .preparing, .buffering: isCommanded
        case .deciding, .superseded: false
        }
    }

    var deadline: HostTime? {
        switch stage {
        case .preparing(let round), .buffering(let round, _): round.patience
        case .deciding(let time): time
        case .superseded: nil
        }
    }

    /// Takes the answer of one session.
    mutating func take(_ id: SessionID, _ number: Int, _ answer: GroupAnswer) {
        switch stage {
        case .preparing(var round):
            round.remove(id, number)
            stage = .preparing(round)
        case .buffering(var round, var time):
            if round.take(id, number), case .sent(let blocked) = answer { time = max(time, blocked) }
            stage = .buffering(round, preparing: time)
        case .deciding, .superseded: break
        }
    }
}

/// A pause.
struct PausePhase: Sendable {
    /// The frame at which a resume begins.
    var frame: Int64
    /// The place of the stop.
    let place: StopPlace
    /// The time at which the stop was asked for.
    let begun: HostTime
    /// The speakers that have not confirmed the stop yet.
    var stopping: Round?
    var stoppedAt: HostTime?
    /// The time of the last answer to the stop.
    var answeredAt: HostTime?
    /// The time at which speakers that dropped their sound are refilled.
    var refillAt: HostTime?
    /// The kind of the start that the stop has ended before it began; `nil` if the group played.
    let unbegun: StartKind?

    init(frame: Int64, place: StopPlace, begun: HostTime, stopping: Round, unbegun: StartKind?) {
        (self.frame, self.place, self.begun) = (frame, place, begun)
        (self.stopping, self.unbegun) = (stopping, unbegun)
    }

    /// Whether a start follows the stop so closely that it is a jump: no speaker has released its output.
    func isJump(at now: HostTime) -> Bool {
        stoppedAt.map { now.since($0) < StopPlace.jumpTime } ?? false
    }
}
