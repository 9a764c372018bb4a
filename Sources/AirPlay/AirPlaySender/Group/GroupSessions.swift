import TuttiMediaTime

/// The members of a group with their open sessions, and what is to be asked of them.
struct GroupSessions: Sendable {
    struct Member: Sendable {
        let id: MemberID
        /// Whether the first attempt to open a session has ended, with or without success.
        var hasTried = false
        var session: GroupSession?
        /// The speaker's distance from the line.
        var delay = SpeakerDelay.zero
    }

    let timing: SenderTiming
    private(set) var members: [Member] = []
    private var lastRound = 0
    private var actions: [GroupAction] = []

    init(timing: SenderTiming) { self.timing = timing }

    var all: [GroupSession] { members.compactMap(\.session) }
    var ids: [SessionID] { all.map(\.id) }

    subscript(id: SessionID) -> GroupSession? { all.first { $0.id == id } }

    /// Returns the longest lead that any open speaker wants.
    func lead(_ kind: (SessionTraits.Leads) -> Duration) -> Duration {
        all.map { kind($0.traits.leads) }.max() ?? kind(SessionTraits.Leads())
    }

    /// Returns the lead of a first start; zero while no speaker is open.
    ///
    /// - Parameter mayMove: Whether the line moves if a speaker would miss its beginning.
    func firstLead(mayMove: Bool) -> Duration {
        if mayMove, members.count == 1, let lead = members[0].session?.traits.startLeadAlone { return lead }
        return all.map(\.traits.leads.start).max() ?? .zero
    }

    /// Returns the longest lead that any open speaker with a realtime stream wants; zero without one.
    func realtimeLead(_ kind: (SessionTraits.Leads) -> Duration) -> Duration {
        all.filter(\.traits.isRealtime).map { kind($0.traits.leads) }.max() ?? .zero
    }

    /// The time before which no start is sent, because a speaker may not have dropped its sound; `nil` if none had any.
    var emptyTime: HostTime? { all.compactMap(\.emptyTime).max() }

    // MARK: Delays

    /// Returns how much later than the line a session's speaker plays.
    func delay(of id: SessionID) -> SpeakerDelay {
        members.first { $0.session?.id == id }?.delay ?? .zero
    }

    /// The time by which the earliest open speaker plays before the line: leads of the group must cover it.
    var headroom: Duration {
        members.map { $0.session == nil ? .zero : $0.delay.headroom }.max() ?? .zero
    }

    /// Sets the delay of a member; returns its session if the delay is another one.
    mutating func setDelay(_ delay: SpeakerDelay, of id: MemberID) -> GroupSession? {
        guard let index = members.firstIndex(where: { $0.id == id }), members[index].delay != delay else {
            return nil
        }
        members[index].delay = delay
        return members[index].session
    }

    // MARK: Members

    mutating func add(_ id: MemberID) { members.append(Member(id: id)) }
    mutating func remove(_ id: MemberID) { members.removeAll { $0.id == id } }

    /// Notes that a member has no session, after an attempt or a session has ended.
    mutating func lose(_ id: MemberID) {
        guard let index = members.firstIndex(where: { $0.id == id }) else { return }
        (members[index].hasTried, members[index].session) = (true, nil)
    }

    mutating func open(_ member: MemberID, _ session: GroupSession) {
        guard let index = members.firstIndex(where: { $0.id == member }) else { return }
        (members[index].hasTried, members[index].session) = (true, session)
    }

    mutating func change(_ id: SessionID, _ body: (inout GroupSession) -> Void) {
        guard let index = members.firstIndex(where: { $0.session?.id == id }),
            var session = members[index].session
        else { return }
        body(&session)
        members[index].session = session
    }

    mutating func changeAll(_ body: (inout GroupSession) -> Void) {
        for id in ids { change(id, body) }
    }

    /// Lets a speaker join while the others play, at a later point of the same line.
    mutating func join(_ id: SessionID, at time: HostTime) {
        change(id) { if $0.place != .onLine { $0.place = .joining(at: time) } }
    }

    /// Lets one speaker rejoin the line once it has answered a request.
    mutating func rejoin(_ id: SessionID, after request: GroupRequest) {
        let round = send(request, to: [id])
        change(id) { ($0.place, $0.rejoinRound) = (.off, round) }
    }

    /// Lets a speaker that has not answered yet that it drops its sound rejoin the line later; returns whether it is one.
    mutating func leavesUntilEmpty(_ id: SessionID) -> Bool {
        guard self[id]?.isDropping == true else { return false }
        change(id) { $0.rejoinOnceEmpty() }
        return true
    }

    /// Ends the wait for a session's start; returns the number of the line for which it was; `nil` for an answer
    /// to another request.
    mutating func take(startOf id: SessionID, _ round: Int) -> Int? {
        var line: Int?
        change(id) { line = $0.startsUnderWay.removeValue(forKey: round) }
        return line
    }

    // MARK: Actions

    mutating func nextAction() -> GroupAction? { actions.isEmpty ? nil : actions.removeFirst() }
    mutating func emit(_ action: GroupAction) { actions.append(action) }

    mutating func newNumber() -> Int {
        lastRound += 1
        return lastRound
    }

    /// Sends a request to sessions; returns its round's number.
    @discardableResult
    mutating func send(_ request: GroupRequest, to ids: [SessionID]) -> Int {
        let round = newNumber()
        for id in ids {
            let own = self[id]?.heardUntil.map(request.behind) ?? request
            change(id) { $0.note(request, round: round) }
            emit(.send(own, to: id, round: round))
        }
        return round
    }

    /// Sends a request to sessions, and waits for their answers, but not longer than their patience, and not for speakers
    /// out of reach: while one is away, the others carry out each command at once. If all are away, it waits for all.
    mutating func ask(_ request: GroupRequest, of ids: [SessionID], at now: HostTime) -> Round {
        let near = ids.filter { self[$0]?.isOutOfReach(at: now) == false }
        let round = askAll(request, of: ids, at: now)
        return near.isEmpty
            ? round : Round(number: round.number, waiting: Set(near), patience: round.patience)
    }

    /// Sends a request to sessions, and waits for the answers of all, but not longer than their patience.
    mutating func askAll(_ request: GroupRequest, of ids: [SessionID], at now: HostTime) -> Round {
        let number = send(request, to: ids)
        for id in ids { change(id) { $0.wait(forAnswerTo: request, round: number, since: now) } }
        return Round(
            number: number, waiting: Set(ids), patience: now.advanced(by: timing.groupAnswerTimeout))
    }
}
