import TuttiMediaTime

/// A line that runs, or begins soon.
struct PlayPhase: Sendable {
    /// The number of times that a start moves because it is too late for a speaker; after that the beginning is lost.
    static let lateMoves = 3
    static let anchorTries = 20
    /// The least time from now to the start of a speaker that joins, unless its session wants more, or of all after a
    /// refusal.
    private static let joinLead = Duration.milliseconds(300)
    private static let retryLead = Duration.milliseconds(250)
    /// The time before the beginning of a line by which a speaker that has refused its anchor is asked again: its
    /// lead, and some time in which the request is sent.
    static let leadAfterRefusal = joinLead + .milliseconds(20)
    /// The interval at which a speaker that is to join is looked at until it follows the clock.
    private static let clockInterval = Duration.milliseconds(100)

    /// The answers to the anchors with which a line begins.
    struct Anchoring: Sendable {
        var round: Round
        var isPatienceOver = false
        var refused: [SessionID] = []
        var late: [(id: SessionID, by: Duration)] = []
        /// Whether a speaker plays along the line, maybe one that has joined meanwhile.
        var isPlaying = false

        /// Once a speaker plays, refuses the anchor or is too late for it, the others have only some time to answer.
        var isOver: Bool {
            round.waiting.isEmpty || (isPatienceOver && (isPlaying || !late.isEmpty || !refused.isEmpty))
        }
    }

    /// The check, just before the first sound of a session, whether every speaker has found the clock.
    struct Confirmation: Sendable {
        /// The time of the next question, or of the last one.
        var at: HostTime
        /// The number of moves of the line so far.
        var moves = 0
        /// The questions without an answer: the round of each, by its speaker.
        var asking: [SessionID: Int] = [:]
        /// The speakers to ask again just before the first sound, because they did not follow earlier; `nil` before the
        /// first question.
        var again: [SessionID]?
        /// Whether a speaker that should follow by now has said that it does not.
        var isTooEarly = false

        /// The time of the next question; `nil` if there is no speaker to ask.
        var deadline: HostTime? { again?.isEmpty == true ? nil : at }
        var isOver: Bool { asking.isEmpty && again?.isEmpty == true }
    }

    var line: FrameLine
    /// The number of the line; another after each move.
    var number: Int
    /// The number of times that the line may move because speakers would lose their beginning.
    var movesLeft: Int
    /// The beginning of the line; `nil` once the speakers have answered.
    var anchoring: Anchoring?
    var confirmation: Confirmation?
    /// The speakers that have refused a line along which none plays, and the time at which all are tried again.
    var retry: (at: HostTime, refused: [SessionID])?

    var deadlines: [HostTime] {
        var times = [retry?.at, confirmation?.deadline].compactMap { $0 }
        if let anchoring, !anchoring.isPatienceOver { times.append(anchoring.round.patience) }
        return times
    }

    // MARK: The line

    /// Lets a line run, and tells its instant.
    ///
    /// - Parameter confirmation: The number of moves after which the line is confirmed; `nil` if it is not.
    init(_ line: FrameLine, movesLeft: Int, confirmation: Int?, in group: inout GroupSessions) {
        (self.line, self.movesLeft) = (line, movesLeft)
        number = group.newNumber()
        if let moves = confirmation, moves < Self.anchorTries,
            group.all.contains(where: { !$0.hasShownClock })
        {
            self.confirmation = Confirmation(at: lastQuestion(in: group), moves: moves)
        }
        group.emit(.started(line.host))
    }

    /// The time just before the first sound at which speakers are asked for the last time whether they follow.
    private func lastQuestion(in group: GroupSessions) -> HostTime {
        line.host.advanced(by: .zero - group.headroom - group.timing.confirmation)
    }

    /// Lets several speakers be asked earlier, too, if their line is far enough: those that follow by then are not disturbed
    /// just before their first sound.
    mutating func askEarly(in group: GroupSessions, at now: HostTime) {
        guard confirmation != nil, group.members.count > 1 else { return }
        let early = lastQuestion(in: group).advanced(by: .zero - group.timing.earlyConfirmation)
        if now < early { confirmation?.at = early }
    }

    private mutating func move(
        to host: HostTime, movesLeft: Int = 0, confirmation: Int? = nil, in group: inout GroupSessions
    ) {
        self = PlayPhase(
            line.moved(to: host), movesLeft: movesLeft, confirmation: confirmation, in: &group)
    }

    /// Sends the anchor to several speakers at the same time. When no speaker takes the anchor yet, the whole
    /// line moves; a single speaker that does not take it joins the others later, further down the same line.
    /// So does one that has not answered yet that it drops its sound: it would begin at once.
    /// One that is late for the beginning, while another has taken it, plays what is left of it: a speaker that
    /// has begun must not begin again.
    mutating func anchor(
        _ ids: [SessionID], refused: [SessionID] = [], in group: inout GroupSessions, at now: HostTime
    ) {
        let ids = ids.filter { !group.leavesUntilEmpty($0) }
        let round = group.ask(.start(line, needsBeginning: movesLeft > 0), of: ids, at: now)
        for id in ids {
            group.change(id) {
                $0.startsUnderWay[round.number] = number
                $0.place = .off
            }
        }
        anchoring = Anchoring(round: round, refused: refused)
    }

    /// Does what is due, and what the answers so far lead to.
    ///
    /// - Parameter mayJoin: Whether speakers may join now; not while a cut is open, because a start would send a
    ///   speaker the sound that is about to be replaced.
    mutating func proceed(
        in group: inout GroupSessions, mayJoin: Bool, at now: HostTime, ready: GroupPlan.ReadyTimes
    ) {
        if var current = anchoring {
            if now >= current.round.patience { current.isPatienceOver = true }
            anchoring = current.isOver ? nil : current
            if current.isOver { finish(current, in: &group, at: now) }
        }
        if let retry, retry.at <= now {
            move(to: max(now.advanced(by: Self.retryLead + group.headroom), line.host), in: &group)
            anchor(group.ids, in: &group, at: now)
        }
        confirm(in: &group, at: now)
        guard mayJoin else { return }
        for session in group.all {
            if let time = session.joinTime, time <= now {
                join(session, in: &group, at: now, ready: ready)
            }
        }
    }

    private mutating func finish(
        _ anchoring: Anchoring, in group: inout GroupSessions, at now: HostTime
    ) {
        if let lateness = anchoring.late.map({ $0.by }).max(), !anchoring.isPlaying {
            // The lateness counts from the line, also if the answer has come long after it.
            let host = max(now, line.host.advanced(by: lateness)).advanced(by: group.lead(\.seek))
            move(to: host, movesLeft: movesLeft - 1, confirmation: 0, in: &group)
            return anchor(anchoring.late.map { $0.id }, refused: anchoring.refused, in: &group, at: now)
        }
        if anchoring.isPlaying {
            for id in anchoring.refused { group.join(id, at: retryTime(of: id, in: group, after: now)) }
        } else if !anchoring.refused.isEmpty {
            retry = (now.advanced(by: group.timing.anchorRetry), anchoring.refused)
        }
        group.emit(.present)
    }

    // MARK: Answers

    /// Takes the answer to a start.
    ///
    /// - Parameter number: The number of the line for which the start was sent.
    mutating func startAnswered(
        _ id: SessionID, _ round: Int, of number: Int, _ answer: GroupAnswer,
        in group: inout GroupSessions,
        at now: HostTime
    ) {
        let isCurrent = number == self.number
        var isRefused = false
        switch answer {
        case .start(.accepted) where isCurrent:
            group.change(id) { ($0.place, $0.refusals, $0.lineLead) = (.onLine, 0, nil) }
            group.emit(.state(id, .playing))
            keepLine(in: &group, at: now)
        case .start(.notYet):
            isRefused = true
            refuse(id, in: &group)
        // Retry a speaker that is still there.
        case .failed(let failure) where failure.code == .refused || failure.code == .silent:
            isRefused = true
            refuse(id, because: failure, in: &group)
        default: break
        }
        if anchoring?.round.take(id, round) == true {
            if case .start(.late(let time)) = answer { anchoring?.late.append((id, time)) }
            if isRefused {
                anchoring?.refused.append(id)
                group.change(id) { $0.place = .off }
            }
            return startLate(in: &group)
        }
        switch answer {
        case .start(.accepted) where isCurrent: group.emit(.present)
        // The speaker plays along a line that has moved since, or waits for one.
        case .start(.accepted), .start(.late): group.join(id, at: now)
        default:
            guard isRefused else { return }
            group.join(id, at: retryTime(of: id, in: group, after: now))
            group.emit(.present)
        }
    }

    /// Keeps the line where it is, because a speaker plays along it: those that have refused it join it later.
    private mutating func keepLine(in group: inout GroupSessions, at now: HostTime) {
        anchoring?.isPlaying = true
        startLate(in: &group)
        guard let refused = retry?.refused else { return }
        retry = nil
        for id in refused where group[id]?.place == .off {
            group.join(id, at: retryTime(of: id, in: group, after: now))
        }
    }

    /// Starts speakers that are too late for the beginning of a line along which another one plays. At once, although others have
    /// not answered yet: each moment is one that they lose.
    private mutating func startLate(in group: inout GroupSessions) {
        guard let current = anchoring, current.isPlaying, !current.late.isEmpty else { return }
        anchoring?.late = []
        for late in current.late {
            // It may have been anchored again meanwhile.
            guard let session = group[late.id], session.place != .onLine, session.startsUnderWay.isEmpty
            else {
                continue
            }
            start(late.id, line, needsBeginning: false, in: &group)
        }
    }

    /// Returns the time to ask a speaker again that has refused its anchor: after the usual pause, but if the line has not
    /// begun yet, soon enough for the speaker to be heard from its beginning.
    private func retryTime(of id: SessionID, in group: GroupSessions, after now: HostTime) -> HostTime {
        let usual = now.advanced(by: group.timing.anchorRetry)
        let lead = Self.leadAfterRefusal + group.delay(of: id).headroom
        let last = line.host.advanced(by: .zero - lead)
        return now.advanced(by: Self.clockInterval) < last ? min(usual, last) : usual
    }

    private func refuse(
        _ id: SessionID, because failure: SpeakerFailure? = nil, in group: inout GroupSessions
    ) {
        group.change(id) { $0.refusals += 1 }
        group.emit(.state(id, .waitingForClock))
        if let session = group[id], session.refusals >= Self.anchorTries {
            group.emit(.fail(id, failure))
        }
    }

    // MARK: Joining

    private func join(
        _ session: GroupSession, in group: inout GroupSessions, at now: HostTime,
        ready: GroupPlan.ReadyTimes
    ) {
        if session.mayHoldSound, session.traits.stopTime > .zero {
            // It plays along a line that has moved. A start would make it drop its sound, and begin at once.
            return group.rejoin(session.id, after: .stop)
        }
        if group.leavesUntilEmpty(session.id) { return }
        if let time = session.emptyTime, now < time { return group.join(session.id, at: time) }
        if let readyAt = ready(session.id) {
            let delay = group.delay(of: session.id)
            let leads = session.traits.leads
            let own = session.mayHoldSound ? max(leads.start, leads.resume) : leads.start
            let lead = max(Self.joinLead, session.lineLead ?? own)
            let soonest = now.advanced(by: lead + delay.headroom)
            let next = line.advanced(to: max(delay.undone(at: readyAt), soonest))
            return start(session.id, next, needsBeginning: false, in: &group)
        }
        if now.since(session.openedAt) > group.timing.clockPatience {
            group.change(session.id) { ($0.place, $0.refusals) = (.off, Self.anchorTries) }
            refuse(session.id, in: &group)
        } else {
            group.join(session.id, at: now.advanced(by: Self.clockInterval))
        }
    }

    /// Anchors every speaker that dropped its sound on the running line.
    func anchorAgain(in group: inout GroupSessions, at now: HostTime) {
        for session in group.all where session.place != .onLine && !group.leavesUntilEmpty(session.id) {
            if let time = session.emptyTime, now < time {
                group.change(session.id) { $0.lineLead = $0.traits.leads.seek }
                group.join(session.id, at: time)
                continue
            }
            let lead = group.lead(\.seek) + group.delay(of: session.id).headroom
            let next = line.advanced(to: now.advanced(by: lead))
            start(session.id, next, needsBeginning: false, in: &group)
        }
    }

    /// Starts one speaker on the running line.
    private func start(
        _ id: SessionID, _ line: FrameLine, needsBeginning: Bool, in group: inout GroupSessions
    ) {
        let round = group.send(.start(line, needsBeginning: needsBeginning), to: [id])
        group.change(id) {
            $0.startsUnderWay[round] = number
            $0.place = .off
        }
    }

    // MARK: Confirmation

    /// Checks just before the first sound of a session whether every speaker has found the clock, because a
    /// speaker without the clock loses what is due. Moves the line until all have, but not once it has begun: other
    /// speakers play by then, and an answer that comes so late says how things were before.
    private mutating func confirm(in group: inout GroupSessions, at now: HostTime) {
        guard var check = confirmation else { return }
        guard now < line.host.advanced(by: group.timing.confirmationLimit - group.headroom) else {
            confirmation = nil
            return
        }
        if check.isTooEarly { return postpone(after: check.moves, in: &group, at: now) }
        if let time = check.deadline, time <= now { askWhetherAllFollow(&check, in: &group, at: now) }
        confirmation = check.isOver ? nil : check
    }

    private func askWhetherAllFollow(
        _ check: inout Confirmation, in group: inout GroupSessions, at now: HostTime
    ) {
        if group.all.contains(where: { !$0.startsUnderWay.isEmpty && !$0.hasShownClock }) {
            // A speaker has nothing to report before its answer to the anchor.
            check.at = now.advanced(by: group.timing.confirmation)
            return
        }
        let open = group.all.filter { $0.place == .onLine && !$0.hasShownClock }.map(\.id)
        // The others may not have answered the question before.
        let asked = check.again.map { again in open.filter { again.contains($0) } } ?? open
        (check.again, check.at) = ([], lastQuestion(in: group))
        guard !asked.isEmpty else { return }
        let round = group.send(.askWhetherItFollows, to: asked)
        for id in asked { check.asking[id] = round }
    }

    mutating func followAnswered(
        _ id: SessionID, _ round: Int, _ answer: GroupAnswer, in group: inout GroupSessions, at now: HostTime
    ) {
        guard let check = confirmation, check.asking[id] == round else { return }
        confirmation?.asking[id] = nil
        let follows = if case .follows(let follows?) = answer { follows } else { true }
        group.change(id) { $0.hasShownClock = follows }
        if follows { return }
        if now < check.at { confirmation?.again?.append(id) } else { confirmation?.isTooEarly = true }
    }

    private mutating func postpone(after moves: Int, in group: inout GroupSessions, at now: HostTime) {
        let playing = group.all.filter { $0.place == .onLine }.map(\.id)
        let old = anchoring
        move(
            to: now.advanced(by: group.timing.startMove * min(moves + 1, 3) + group.headroom),
            confirmation: moves + 1, in: &group)
        group.send(.move(line), to: playing)
        // The answers so far were for the line before.
        for id in (old?.refused ?? []) + (old?.late ?? []).map({ $0.id }) {
            group.join(id, at: now.advanced(by: group.timing.anchorRetry))
        }
    }
}
