import AirPlayMessages
import TuttiMediaTime

/// The decisions of a group of speakers that play along one line, without sessions, clocks and tasks: commands,
/// answers and times go in; requests to sessions, reports and one next deadline come out.
///
/// After every call, take ``nextAction()`` until it is `nil`, and call ``receive(_:at:ready:)`` with `.time` at
/// ``deadline``. Every request has the number of its round. An answer counts for the round that waits for it; to
/// everything later it only says that the session is free again. That rule stands in ``receive(_:at:ready:)``.
struct GroupPlan: Sendable {
    /// Returns the host time from which a session's speaker can be heard; `nil` while that is unknown.
    typealias ReadyTimes = (SessionID) -> HostTime?

    enum Phase: Sendable {
        case idle
        case starting(StartPhase)
        case playing(PlayPhase)
        case paused(PausePhase)
    }

    let timing: SenderTiming
    var sampleRate = SampleRate.hz44100
    var phase = Phase.idle
    var sessions: GroupSessions
    /// Whether the store was emptied since the last start: the next start is a jump, not a resume.
    private var isCleared = false
    /// Whether a cut has been made and the new sound is not in the store yet.
    private(set) var isCutOpen = false
    /// Speakers that are about to drop all their sound.
    private var clearing: Round?

    init(timing: SenderTiming) { (self.timing, sessions) = (timing, GroupSessions(timing: timing)) }

    mutating func nextAction() -> GroupAction? { sessions.nextAction() }

    /// Whether nothing has been started.
    var isIdle: Bool { if case .idle = phase { true } else { false } }

    /// Whether a start is being prepared.
    var isStarting: Bool { if case .starting = phase { true } else { false } }

    /// Whether a command has to wait until the speakers have carried out the one before, or their time is over.
    var isBusy: Bool {
        if clearing != nil { return true }
        return switch phase {
        case .starting(let start): start.holdsUpCommands
        case .paused(let pause): pause.stopping != nil
        case .idle, .playing: false
        }
    }

    /// The next time to call ``receive(_:at:ready:)`` with `.time`; `nil` if only inputs matter.
    var deadline: HostTime? {
        var times = [clearing?.patience].compactMap { $0 }
        switch phase {
        case .idle: break
        case .starting(let start): times += [start.deadline].compactMap { $0 }
        case .playing(let play):
            times += play.deadlines
            if !isCutOpen { times += sessions.all.compactMap(\.joinTime) }
        case .paused(let pause): times += [pause.stopping?.patience, pause.refillAt].compactMap { $0 }
        }
        return times.min()
    }

    // MARK: Inputs

    /// Takes one input at its time.
    ///
    /// - Parameter ready: The speakers' clocks.
    mutating func receive(_ input: GroupInput, at now: HostTime, ready: ReadyTimes) {
        switch input {
        case .start(let frame, let wanted): begin(frame, wanted: wanted, at: now)
        case .startSuperseded:
            if case .starting(var start) = phase {
                start.stage = .superseded
                phase = .starting(start)
            }
        case .stop(let frame): stop(at: frame, now)
        case .clear: clear(at: now)
        case .anchorAgain:
            guard case .playing(let play) = phase else { break }
            isCleared = false
            play.anchorAgain(in: &sessions, at: now)
        case .cut: isCutOpen = true
        case .resume: resume(at: now)
        case .cutSent(let id): sessions.change(id) { $0.cutsUnderWay += 1 }
        case .cutTaken(let id): sessions.change(id) { $0.cutsUnderWay -= 1 }
        case .cutMissed(let id, let failure): missedCut(id, failure)
        case .joined(let id): sessions.add(id)
        case .left(let id):
            sessions.remove(id)
            decideAgain(at: now)
        case .lost(let id):
            sessions.lose(id)
            decideAgain(at: now)
        case .delayed(let id, let delay): changeDelay(of: id, to: delay)
        case .opened(let member, let id, let traits):
            sessions.open(member, GroupSession(id, traits, openedAt: now))
            if !traits.hasResumed { sessions.emit(.state(id, .waitingForClock)) }
            // It has not been told of the pause.
            if traits.mayPlay, case .paused = phase { sessions.send(.stop, to: [id]) }
        case .greeted(let id): greeted(id, at: now)
        case .silent(let id): sessions.change(id) { $0.isSilent = true }
        case .alive(let id, let slowest):
            sessions.change(id) { ($0.answerTime, $0.isSilent) = (slowest, false) }
            if !isCutOpen, sessions[id]?.hasMissedCut == true { refillMissed(id) }
            if case .paused = phase, sessions[id]?.hasMissedStop == true { sessions.send(.stop, to: [id]) }
        case .answered(let id, let round, let answer, let slowest):
            sessions.change(id) { $0.answerTime = slowest }
            answered(id, round, answer, at: now)
        case .time: break
        }
        handleTimes(at: now, ready: ready)
    }

    private mutating func answered(
        _ id: SessionID, _ round: Int, _ answer: GroupAnswer, at now: HostTime
    ) {
        if case .failed(let failure) = answer { sessions.emit(.warn(id, failure)) }
        sessions.change(id) { $0.note(answer, to: round, at: now) }
        if clearing?.take(id, round) == true { return }
        let isRejoining = sessions[id]?.rejoinRound == round
        if isRejoining {
            sessions.change(id) {
                ($0.rejoinRound, $0.place) = (nil, .joining(at: now))
                // Its output begins anew, as after a pause.
                $0.lineLead = max($0.traits.leads.start, $0.traits.leads.resume)
            }
        }
        let startedLine = sessions.take(startOf: id, round)
        switch phase {
        case .idle: break
        case .starting(var start):
            start.take(id, round, answer)
            phase = .starting(start)
            decideAgain(at: now)
        case .paused(var pause):
            let isStop = pause.stopping?.take(id, round) ?? false
            if isStop { pause.answeredAt = now }
            if isStop, case .stopped(let end?) = answer {
                sessions.change(id) { $0.heardUntil = pause.place.resumeFrame(heardUntil: end) }
            }
            phase = .paused(pause)
        case .playing(var play):
            // The number of the line for an answer to a start, also one of an ended session.
            if let number = startedLine ?? (play.anchoring?.round.number == round ? play.number : nil) {
                play.startAnswered(id, round, of: number, answer, in: &sessions, at: now)
            } else {
                play.followAnswered(id, round, answer, in: &sessions, at: now)
            }
            phase = .playing(play)
        }
    }

    private mutating func handleTimes(at now: HostTime, ready: ReadyTimes) {
        if let round = clearing, round.isOver(at: now) { clearing = nil }
        switch phase {
        case .idle: break
        case .starting: continueStart(at: now, ready: ready)
        case .playing(var play):
            play.proceed(in: &sessions, mayJoin: !isCutOpen, at: now, ready: ready)
            phase = .playing(play)
        case .paused: continuePause(at: now)
        }
    }

    private mutating func greeted(_ id: SessionID, at now: HostTime) {
        guard let session = sessions[id], !session.traits.hasResumed else { return }
        switch phase {
        case .playing: sessions.join(id, at: now)
        case .paused(let pause):
            // The end of a cut refills all speakers.
            if !isCutOpen { sessions.send(.refill(frame: pause.frame), to: [id]) }
            sessions.emit(.present)
        case .starting: decideAgain(at: now)
        case .idle: break
        }
    }

    // MARK: Stop, clear and edits

    private mutating func stop(at frame: Int64, _ now: HostTime) {
        switch phase {
        case .idle: break
        case .paused(var pause):
            // Only the place of the next start changes.
            (pause.frame, pause.refillAt) = (frame, now.advanced(by: timing.refillDelay))
            phase = .paused(pause)
        case .starting, .playing:
            let place = StopPlace(frame: frame, heard: line?.frame(at: now), sampleRate: sampleRate)
            sessions.changeAll { ($0.place, $0.heardUntil) = (.off, nil) }
            let unbegun: StartKind? = if case .starting(let start) = phase { start.kind } else { nil }
            phase = .paused(
                PausePhase(
                    frame: frame, place: place, begun: now,
                    stopping: sessions.ask(.stop, of: sessions.ids, at: now),
                    unbegun: unbegun))
        }
    }

    private mutating func continuePause(at now: HostTime) {
        guard case .paused(var pause) = phase else { return }
        if let stopping = pause.stopping, stopping.isOver(at: now) {
            for id in sessions.ids { sessions.emit(.state(id, .ready)) }
            (pause.stopping, pause.stoppedAt) = (nil, pause.answeredAt ?? now)
            pause.refillAt = now.advanced(by: timing.refillDelay)
        }
        if let time = pause.refillAt, time <= now {
            pause.refillAt = nil
            if !isCutOpen { sessions.send(.refill(frame: pause.frame), to: sessions.ids) }
        }
        phase = .paused(pause)
    }

    private mutating func clear(at now: HostTime) {
        (isCleared, isCutOpen) = (true, false)
        sessions.changeAll { $0.place = .off }
        clearing = sessions.ask(.clear, of: sessions.ids, at: now)
    }

    private mutating func resume(at now: HostTime) {
        isCutOpen = false
        if case .paused(var pause) = phase {
            pause.refillAt = now
            phase = .paused(pause)
        }
        for session in sessions.all where session.hasMissedCut { refillMissed(session.id) }
    }

    /// Moves a speaker that plays to its new distance from the line: silences it, and lets it rejoin.
    private mutating func changeDelay(of member: MemberID, to delay: SpeakerDelay) {
        guard let session = sessions.setDelay(delay, of: member), case .playing = phase,
            session.place == .onLine || !session.startsUnderWay.isEmpty
        else { return }
        sessions.rejoin(session.id, after: .stop)
    }

    // MARK: Starts

    /// Begins a start: silences the speakers and drops what they hold of another place.
    private mutating func begin(_ frame: Int64, wanted: HostTime?, at now: HostTime) {
        var plan = StartPlan(requestedAt: now, wanted: wanted)
        let kind: StartKind =
            switch phase {
            case .idle: .first
            case .paused(let pause):
                max(!isCleared && !pause.isJump(at: now) ? .resume : .jump, pause.unbegun ?? .jump)
            case .starting(let start): start.kind
            case .playing: .jump
            }
        plan.lead =
            kind == .first ? sessions.firstLead(mayMove: wanted == nil) : sessions.lead(kind.lead)
        plan.leadOfDecision = sessions.realtimeLead(kind.lead)
        if !resumes(at: frame, now) { sessions.changeAll { $0.heardUntil = nil } }
        (isCleared, isCutOpen) = (false, false)
        sessions.changeAll { ($0.place, $0.isPrepared, $0.rejoinRound) = (.off, false, nil) }
        prepare(frame, kind, plan, isCommanded: true, at: now)
    }

    /// Whether a start continues where the speakers were stopped.
    private func resumes(at frame: Int64, _ now: HostTime) -> Bool {
        guard case .paused(let pause) = phase else { return false }
        // The last answer to the stop may be late, so that a start comes right behind it.
        return !isCleared && now.since(pause.begun) >= StopPlace.jumpTime && pause.place.playhead == frame
    }

    /// Flushes the speakers and sends them the first sound before an instant is chosen, because a slow
    /// speaker would lose the beginning.
    private mutating func prepare(
        _ frame: Int64, _ kind: StartKind, _ plan: StartPlan, isCommanded: Bool, at now: HostTime
    ) {
        let ids = sessions.ids
        phase = .starting(
            StartPhase(
                frame: frame, kind: kind, plan: plan,
                stage: .preparing(sessions.ask(.prepare(frame: frame), of: ids, at: now)),
                begun: now, prepared: ids, isCommanded: isCommanded))
    }

    private mutating func continueStart(at now: HostTime, ready: ReadyTimes) {
        guard case .starting(var start) = phase else { return }
        if case .preparing(let round) = start.stage, round.isOver(at: now) {
            let spent = now.since(start.begun)
            if start.plan.wanted == nil {
                let next = sessions.ask(.waitForBeginning(frame: start.frame), of: sessions.ids, at: now)
                start.stage = .buffering(next, preparing: spent)
            } else {
                finishPreparing(&start, preparing: spent, at: now)
            }
        }
        if case .buffering(let round, let preparing) = start.stage, round.isOver(at: now) {
            finishPreparing(&start, preparing: preparing, at: now)
        }
        phase = .starting(start)
        if case .deciding(let time?) = start.stage, time <= now { decide(start, at: now, ready: ready) }
    }

    private mutating func finishPreparing(
        _ start: inout StartPhase, preparing: Duration, at now: HostTime
    ) {
        for id in start.prepared { sessions.change(id) { $0.isPrepared = true } }
        start.plan.lead = StartPlan.lead(
            start.plan.lead, after: now.since(start.begun), preparing: preparing,
            answer: sessions.all.map(\.answerTime).max() ?? .zero)
        start.stage = .deciding(again: now)
    }

    /// Makes a start be decided again at once, because a speaker has come, gone or answered.
    private mutating func decideAgain(at now: HostTime) {
        guard case .starting(var start) = phase, case .deciding = start.stage else { return }
        start.stage = .deciding(again: now)
        phase = .starting(start)
    }

    private mutating func decide(_ start: StartPhase, at now: HostTime, ready: ReadyTimes) {
        var start = start
        if let time = sessions.emptyTime, now < time {
            // The instant is chosen after the wait, so that the beginning has its whole lead.
            start.stage = .deciding(again: time)
            phase = .starting(start)
            return
        }
        if !sessions.all.isEmpty, sessions.all.allSatisfy(\.isDropping) {
            // A start would have nobody to begin; each answer, also a failure, decides again.
            start.stage = .deciding(again: nil)
            phase = .starting(start)
            return
        }
        start.plan.headroom = sessions.headroom
        failClockless(since: start.plan.requestedAt, at: now, ready: ready)
        if sessions.all.contains(where: { !$0.isPrepared }) {
            // These sessions opened after the start was requested, so its lead does not cover them yet.
            start.plan.lead = max(start.plan.lead, sessions.firstLead(mayMove: start.plan.wanted == nil))
            start.plan.leadOfDecision = max(start.plan.leadOfDecision, sessions.realtimeLead(\.start))
        }
        switch start.plan.decide(sessions.members.map { candidate($0, at: now, ready) }, at: now) {
        case .nobody: start.stage = .deciding(again: nil)
        case .wait(let time): start.stage = .deciding(again: time)
        case .start where start.plan.wanted == nil && sessions.all.contains { !$0.isPrepared }:
            return prepare(start.frame, start.kind, start.plan, isCommanded: false, at: now)
        case .start(let host):
            let isFree = start.plan.wanted == nil
            var play = PlayPhase(
                FrameLine(frame: start.frame, host: host, sampleRate: sampleRate),
                movesLeft: isFree ? PlayPhase.lateMoves : 0, confirmation: isFree ? 0 : nil, in: &sessions)
            play.askEarly(in: sessions, at: now)
            play.anchor(sessions.ids, in: &sessions, at: now)
            play.proceed(in: &sessions, mayJoin: !isCutOpen, at: now, ready: ready)
            phase = .playing(play)
            return
        }
        phase = .starting(start)
    }

    private func candidate(
        _ member: GroupSessions.Member, at now: HostTime, _ ready: ReadyTimes
    ) -> StartPlan.Candidate {
        guard let session = member.session else { return member.hasTried ? .lost : .connecting }
        // Speakers that answer begin without one that does not.
        if session.isOutOfReach(at: now), sessions.all.contains(where: { !$0.isOutOfReach(at: now) }) {
            return .lost
        }
        let (isAlone, traits) = (sessions.members.count == 1, session.traits)
        // A speaker alone may begin early, or moves the line by its refusals; others would begin without it.
        let refuses = !traits.isRealtime && traits.receiver.quirks.refusesEarlyAnchors
        let wait =
            isAlone ? .zero - traits.headStartAlone : refuses ? PlayPhase.leadAfterRefusal : .zero
        return .open(
            since: session.openedAt,
            readyAt: ready(session.id).map { member.delay.undone(at: $0).advanced(by: wait) })
    }

    /// Fails the speakers without a clock for which a start has waited too long.
    private mutating func failClockless(since start: HostTime, at now: HostTime, ready: ReadyTimes) {
        for session in sessions.all
        where ready(session.id) == nil && now.since(max(start, session.openedAt)) > timing.clockPatience {
            sessions.emit(.fail(session.id, nil))
        }
    }
}
