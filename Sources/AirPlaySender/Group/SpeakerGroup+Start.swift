import AirPlayMessages
import ClockService
import MediaTime
import SystemIO

/// The choice of the start instant, and each speaker's anchoring on the line.
extension SpeakerGroup {
    /// Flushes the speakers and sends them the first sound before an instant is chosen, because a slow
    /// speaker would lose the beginning.
    ///
    /// - Parameter begun: the host time that the lead counts from.
    func prepareStart(since begun: HostTime) async {
        guard case .starting(let frame, var plan, let started) = phase else { return }
        let sessions = members.map(\.session)
        await forEachSession { session in try await session.prepare(at: frame) }
        let preparing = SystemClock.now.since(begun)
        if plan.wanted == nil {
            let rate = sampleRate
            await forEachSession { session in await session.waitForBeginning(at: frame, sampleRate: rate) }
        }
        var answer = Duration.zero
        for member in members { answer = await max(answer, member.session?.answerTime ?? .zero) }
        guard case .starting = phase else { return }
        for member in members where sessions.contains(where: { $0 === member.session }) {
            member.isPrepared = member.session != nil
        }
        let spent = SystemClock.now.since(begun)
        plan.lead = Self.lead(plan.lead, after: spent, preparing: preparing, answer: answer)
        phase = .starting(frame: frame, plan: plan, started: started)
    }

    /// Returns the rest of a lead of which `spent` has elapsed. If the speakers were slow to prepare or to
    /// answer, they may be as slow for the anchor.
    static func lead(_ lead: Duration, after spent: Duration, preparing: Duration, answer: Duration)
        -> Duration
    {
        max(lead - spent, min(lead / 2 + max(preparing, answer * 2), Self.longestLead))
    }

    private static let longestLead = Duration.milliseconds(150)

    func tryStart() async {
        guard case .starting(let frame, let plan, let started) = phase else { return }
        let now = SystemClock.now
        dropClockless(since: plan.requestedAt, at: now)
        switch plan.decide(members.map { candidate($0) }, at: now) {
        case .nobody:
            return
        case .wait(let time):
            startRound += 1
            let round = startRound
            Task { [weak self] in
                try? await Task.sleep(for: time.since(now))
                await self?.tryStartAgain(round)
            }
        case .start where plan.wanted == nil && members.contains { $0.session != nil && !$0.isPrepared }:
            // These sessions opened after the start was requested.
            startRound += 1
            let round = startRound
            await prepareStart(since: now)
            await tryStartAgain(round)
        case .start(let host):
            let line = FrameLine(frame: frame, host: host, sampleRate: sampleRate)
            phase = .playing(line)
            started(host)
            if plan.wanted == nil { confirmStart(of: line, moved: started) }
            await play(line, moved: started, moves: plan.wanted == nil ? Self.lateMoves : 0)
        }
    }

    /// Returns the longest lead that any open speaker wants.
    func lead(_ kind: (SessionTraits.Leads) -> Duration) -> Duration {
        members.compactMap { $0.session.map { kind($0.traits.leads) } }.max() ?? kind(SessionTraits.Leads())
    }

    private func tryStartAgain(_ round: Int) async {
        if round == startRound { await tryStart() }
    }

    private func candidate(_ member: GroupMember) -> StartPlan.Candidate {
        if let session = member.session {
            let exact = session.readyTime
            let headStart = members.count == 1 ? session.traits.headStartAlone : .zero
            return .open(since: member.openedAt, readyAt: exact?.advanced(by: .zero - headStart))
        }
        return member.hasTried ? .lost : .connecting
    }

    /// Anchors every open speaker on the line. When no speaker takes the anchor yet, the whole line moves; a
    /// single speaker that does not take it joins the others later, further down the same line.
    ///
    /// - Parameter moves: The number of times that the line may move because speakers would lose their beginning.
    private func play(
        _ line: FrameLine, moved: @escaping @Sendable (HostTime) -> Void, moves: Int = 0
    ) async {
        var (line, moves) = (line, moves)
        var waiting = members.filter { $0.session != nil }
        var (taken, refused): ([GroupMember], [GroupMember]) = ([], [])
        while true {
            let answers = await anchor(waiting, on: line, needsBeginning: moves > 0)
            guard isPlaying(line) else { return }
            taken += answers.filter { $0.answer == .taken }.map { $0.member }
            refused += answers.filter { $0.answer == .refused }.map { $0.member }
            waiting = answers.filter { $0.answer.lateness != nil }.map { $0.member }
            guard let late = answers.compactMap({ $0.answer.lateness }).max() else { break }
            // A speaker that has begun must not begin again: the others join the same line.
            if !taken.isEmpty {
                moves = 0
                continue
            }
            moves -= 1
            let host = max(SystemClock.now, line.host).advanced(by: late + lead(\.seek))
            line = FrameLine(frame: line.frame, host: host, sampleRate: sampleRate)
            phase = .playing(line)
            moved(host)
            confirmStart(of: line, moved: moved)
        }
        if !taken.isEmpty {
            for member in refused { joinLater(member, after: timing.anchorRetry) }
        } else if !refused.isEmpty {
            moveStart(of: line, moved: moved)
        }
        presentTracks(isForced: true)
    }

    /// The number of times that a start moves because it is too late for a speaker; after that the beginning is lost.
    private static let lateMoves = 3

    static let anchorTries = 20

    private func moveStart(of line: FrameLine, moved: @escaping @Sendable (HostTime) -> Void) {
        startRound += 1
        let round = startRound
        Task { [weak self, timing] in
            try? await Task.sleep(for: timing.anchorRetry)
            await self?.restart(line, round: round, moved: moved)
        }
    }

    private func restart(_ line: FrameLine, round: Int, moved: @escaping @Sendable (HostTime) -> Void) async {
        guard round == startRound, isPlaying(line) else { return }
        let host = SystemClock.now.advanced(by: .milliseconds(250))
        let next = FrameLine(frame: line.frame, host: max(host, line.host), sampleRate: line.sampleRate)
        phase = .playing(next)
        moved(next.host)
        await play(next, moved: moved)
    }

    /// Checks just before the first sound of a session whether every speaker has found the clock, because a
    /// speaker without the clock loses what is due. Moves the line until all have.
    private func confirmStart(
        of line: FrameLine, moved: @escaping @Sendable (HostTime) -> Void, moves: Int = 0
    ) {
        guard moves < Self.anchorTries, members.contains(where: { $0.session != nil && !$0.hasShownClock })
        else { return }
        let wait = line.host.since(SystemClock.now) - timing.confirmation
        Task { [weak self] in
            if wait > .zero { try? await Task.sleep(for: wait) }
            await self?.moveUnlessConfirmed(line, moved: moved, moves: moves)
        }
    }

    private func moveUnlessConfirmed(
        _ line: FrameLine, moved: @escaping @Sendable (HostTime) -> Void, moves: Int
    ) async {
        // A speaker has nothing to report before its answer to the anchor.
        while isPlaying(line), members.contains(where: { $0.startsUnderWay > 0 && !$0.hasShownClock }) {
            try? await Task.sleep(for: timing.confirmation)
        }
        guard isPlaying(line) else { return }
        let asked = members.compactMap { member in
            member.isAnchored && !member.hasShownClock
                ? member.session.map { session in (member, Task { await session.followsLine() }) } : nil
        }
        var isEarly = false
        for (member, task) in asked {
            member.hasShownClock = await task.value ?? true
            if !member.hasShownClock { isEarly = true }
        }
        guard isEarly, isPlaying(line) else { return }
        let host = SystemClock.now.advanced(by: timing.startMove * min(moves + 1, 3))
        let next = FrameLine(frame: line.frame, host: host, sampleRate: line.sampleRate)
        phase = .playing(next)
        moved(host)
        await forEachSession(of: members.filter(\.isAnchored)) { session in try await session.move(to: next) }
        confirmStart(of: next, moved: moved, moves: moves + 1)
    }

    private func isPlaying(_ line: FrameLine) -> Bool {
        if case .playing(let now) = phase { return now == line }
        return false
    }

    private enum AnchorAnswer: Equatable {
        case taken
        /// The speaker does not take the anchor yet.
        case refused
        /// The anchor came too late for the first frame, by this duration.
        case late(Duration)

        var lateness: Duration? { if case .late(let time) = self { time } else { nil } }
    }

    /// The answers of the speakers to one anchor so far.
    private final class AnchorAnswers {
        var given: [(member: GroupMember, answer: AnchorAnswer)] = []
        /// The number of speakers that have answered or failed.
        var count = 0
        var isPatienceOver = false
        /// Whether the group has stopped waiting for more answers.
        var isOver = false
    }

    /// Sends the anchor to `members` at the same time, and returns the answers of those that should still play.
    ///
    /// Once a speaker has taken the anchor, or is too late for it, the other speakers have
    /// ``SenderTiming/promptness`` to answer. A speaker that answers later joins the line, if it must.
    private func anchor(
        _ members: [GroupMember], on line: FrameLine, needsBeginning: Bool = false
    ) async -> [(member: GroupMember, answer: AnchorAnswer)] {
        let asked = members.compactMap { member in member.session.map { (member, $0) } }
        guard !asked.isEmpty else { return [] }
        let answers = AnchorAnswers()
        let (news, tell) = AsyncStream<Void>.makeStream()
        for (member, session) in asked {
            member.startsUnderWay += 1
            let task = Task { try await session.start(line, needsBeginning: needsBeginning) }
            Task {
                defer { tell.yield() }
                let result = await task.result
                member.startsUnderWay -= 1
                answers.count += 1
                // The session has ended; the member's next session may have waited for this answer to join.
                guard member.session === session else {
                    return joinLater(member, after: .zero)
                }
                let answer = take(result, of: member)
                if answers.isOver {
                    if let answer { comeLate(member, on: line, with: answer) }
                } else if let answer {
                    answers.given.append((member, answer))
                }
            }
        }
        let timer = Task {
            try? await Task.sleep(for: timing.promptness)
            answers.isPatienceOver = true
            tell.yield()
        }
        for await _ in news
        where answers.count == asked.count
            || (answers.isPatienceOver && answers.given.contains { $0.answer != .refused })
        {
            break
        }
        timer.cancel()
        answers.isOver = true
        return answers.given
    }

    /// Handles an answer that came after the others play.
    private func comeLate(_ member: GroupMember, on line: FrameLine, with answer: AnchorAnswer) {
        if answer != .taken || !isPlaying(line) {
            member.isAnchored = false
            joinLater(member, after: timing.anchorRetry)
        }
        presentTracks(isForced: true)
    }

    /// - Returns: `nil` for a speaker that should no longer play, or should not be asked again.
    private func take(_ result: Result<StartAnswer, any Error>, of member: GroupMember)
        -> AnchorAnswer?
    {
        switch result {
        case .success(.accepted):
            // A stop that came in between has told the speaker already.
            guard case .playing = phase else { return nil }
            (member.isAnchored, member.refusals) = (true, 0)
            set(.playing, of: member)
            return .taken
        case .success(.notYet):
            refuse(member)
            return .refused
        case .success(.late(let time)):
            return .late(time)
        case .success(.superseded):
            return nil
        case .failure(let error):
            let failure = SpeakerFailure(error)
            warn(member, failure)
            // Retry a speaker that is still there.
            guard failure.code == .refused || failure.code == .silent else { return nil }
            refuse(member, because: failure)
            return .refused
        }
    }

    private func refuse(_ member: GroupMember, because failure: SpeakerFailure? = nil) {
        member.refusals += 1
        set(.waitingForClock, of: member)
        guard member.refusals >= Self.anchorTries else { return }
        member.session?.fail(failure ?? clockFailure(of: member))
    }

    private func clockFailure(of member: GroupMember) -> SpeakerFailure {
        let words =
            "\(member.target.name) does not follow our clock: are UDP ports 319 and 320 blocked by a firewall?"
        return SpeakerFailure(.clock, words)
    }

    /// Fails the speakers without a clock for which a start has waited too long.
    private func dropClockless(since start: HostTime, at now: HostTime) {
        for member in members {
            guard let session = member.session, session.readyTime == nil,
                now.since(max(start, member.openedAt)) > timing.clockPatience
            else { continue }
            session.fail(clockFailure(of: member))
        }
    }

    /// Lets a speaker join while the others play, at a later point of the same line.
    func joinLater(_ member: GroupMember, after delay: Duration) {
        Task { [weak self] in
            try? await Task.sleep(for: delay)
            await self?.join(member)
        }
    }

    private func join(_ member: GroupMember) async {
        // A speaker with a start under way joins, if it must, after its answer.
        guard case .playing(let line) = phase, let session = member.session, !member.isAnchored,
            member.startsUnderWay == 0
        else { return }
        let now = SystemClock.now
        guard let readyAt = session.readyTime else {
            if now.since(member.openedAt) > timing.clockPatience { member.refusals = Self.anchorTries }
            return member.refusals >= Self.anchorTries
                ? refuse(member) : joinLater(member, after: .milliseconds(100))
        }
        let instant = max(readyAt, now.advanced(by: .milliseconds(300)))
        let answers = await anchor([member], on: line.advanced(to: instant))
        guard isPlaying(line) else { return }
        if answers.contains(where: { $0.answer != .taken }) { joinLater(member, after: timing.anchorRetry) }
        presentTracks(isForced: true)
    }

    func anchorAll() async {
        guard case .playing(let line) = phase else { return }
        let instant = SystemClock.now.advanced(by: lead(\.seek))
        let waiting = members.filter { $0.session != nil && !$0.isAnchored }
        for (member, answer) in await anchor(waiting, on: line.advanced(to: instant))
        where answer != .taken {
            joinLater(member, after: timing.anchorRetry)
        }
    }
}
