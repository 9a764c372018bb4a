import TuttiMediaTime
import TuttiPTP
import TuttiSystemIO

/// One followed address and its clock.
struct FollowedPeer {
    /// The silence after which another clock at the same address replaces the present one.
    static let sourceLifetime = Duration.seconds(1)
    /// The answers, or the messages in one direction if there are no answers, after which a line is good enough to play by.
    static let settlingAnswers = 4
    static let settlingMessages = 8

    /// The greatest number of local addresses from which one clock is asked, as a guard.
    static let mostLocalAddresses = 16

    let address: IPAddress
    /// The local ends of the sessions, each once, the newest last: the sender judges every speaker by the requests that
    /// come from that speaker's own address.
    private(set) var localAddresses: [IPAddress?]
    /// The local addresses from which the present request has not been sent yet.
    private var unasked: [IPAddress?] = []
    /// Whether the address is one of this service's own: messages from there are our own clock's.
    let isOwn: Bool
    /// The number of sessions that want the address followed.
    var userCount = 1
    /// The host time at which the address is dropped, once no session wants it; else `nil`.
    var lingersUntil: HostTime?
    var questions: DelayRequestScheduler
    /// The rate limit of answers to the peer's own Pdelay_Req.
    var budget: AnswerBudget
    private(set) var clock = FollowedClock()
    /// The clock identity that sends the Syncs.
    private(set) var source: ClockIdentity?
    /// The grandmaster in the source's Announce; until an Announce arrives, the source counts as its own grandmaster.
    private var announced: ClockIdentity?
    private var lastSync: HostTime?
    private var halves = TwoStepSyncMatcher()
    private var changeCount = 0
    /// The restarts of the estimates before the present one.
    private var earlierRestarts = 0
    /// The answers of the present clock.
    private var answersOfClock = 0
    /// The host time since which the line is good enough to play by; `nil` until then.
    private(set) var settledSince: HostTime?

    init(_ address: IPAddress, localAddress: IPAddress?, isOwn: Bool, at now: HostTime) {
        self.address = address
        localAddresses = [localAddress]
        self.isOwn = isOwn
        questions = DelayRequestScheduler(at: now)
        budget = AnswerBudget(at: now)
    }

    var grandmaster: ClockIdentity? { announced ?? source }

    /// Counts the clocks and epochs so far.
    var generation: Int { changeCount &+ earlierRestarts &+ clock.restartCount }

    var deadline: HostTime? { lingersUntil ?? questions.nextTime }

    // MARK: Sessions

    /// Adds a session with the same sender, which waits for a Delay_Req.
    mutating func join(localAddress: IPAddress?, at now: HostTime) {
        if lingersUntil == nil { userCount += 1 } else { localAddresses = [] }
        lingersUntil = nil
        localAddresses.removeAll { $0 == localAddress }
        if localAddresses.count >= Self.mostLocalAddresses { localAddresses.removeFirst() }
        localAddresses.append(localAddress)
        questions.restart(at: now)
    }

    // MARK: Requests

    /// Returns the local address and the number of a request that is due; `nil` if none is.
    ///
    /// Each due request leaves once from each local address.
    mutating func takeQuestion(at now: HostTime) -> (from: IPAddress?, sequence: UInt16)? {
        if unasked.isEmpty {
            guard questions.take(at: now, isInDoubt: clock.isInDoubt) else { return nil }
            unasked = localAddresses
        }
        return (unasked.removeFirst(), questions.nextSequence())
    }

    // MARK: Messages

    /// - Returns: Whether the line may have changed.
    mutating func receive(_ announce: PTPAnnounce, at now: HostTime) -> Bool {
        guard admit(announce.header.source.clock, at: now) else { return false }
        let before = grandmaster
        announced = announce.grandmaster
        guard before != grandmaster else { return false }
        takeUp(at: now)
        return true
    }

    mutating func receive(_ sync: PTPSync, at now: HostTime) -> Bool {
        guard admit(sync.header.source.clock, at: now) else { return false }
        lastSync = now
        return use(halves.take(sync, at: now))
    }

    mutating func receive(_ followUp: PTPFollowUp, at now: HostTime) -> Bool {
        guard admit(followUp.header.source.clock, at: now) else { return false }
        return use(halves.take(followUp))
    }

    mutating func receive(_ response: PTPDelayResponse, at now: HostTime) -> Bool {
        guard admit(response.header.source.clock, at: now),
            let departure = questions.answered(response.header.sequence)
        else { return false }
        let arrival = NetworkTime(
            nanoseconds: response.receiveTimestamp.networkTime.nanoseconds
                &- response.header.correction.nanoseconds)
        clock.receive(departure: departure, arrival: arrival, answeredAt: now)
        answersOfClock += 1
        settle(at: now)
        return true
    }

    private mutating func use(_ sync: TwoStepSyncMatcher.TimedSync?) -> Bool {
        guard let sync else { return false }
        clock.receive(departure: sync.departure, arrival: sync.arrival)
        if clock.isInDoubt { questions.hasten(at: sync.arrival) }
        settle(at: sync.arrival)
        return true
    }

    /// Notes when the line is good enough to play by; a peer that answers no request gets twice as many messages.
    private mutating func settle(at now: HostTime) {
        guard settledSince == nil, clock.line != nil else { return }
        guard answersOfClock >= Self.settlingAnswers || clock.sampleCount >= Self.settlingMessages else {
            return
        }
        settledSince = now
    }

    /// Returns whether a message of this source counts: only the clock whose Syncs come, until it falls silent.
    private mutating func admit(_ sender: ClockIdentity, at now: HostTime) -> Bool {
        if sender == source { return true }
        if source != nil, let lastSync, now.since(lastSync) < Self.sourceLifetime { return false }
        source = sender
        announced = nil
        takeUp(at: now)
        return true
    }

    /// Starts over with another clock.
    private mutating func takeUp(at now: HostTime) {
        let isFirst = clock.lastSample == nil
        earlierRestarts &+= clock.restartCount
        clock = FollowedClock()
        (answersOfClock, settledSince) = (0, nil)
        lastSync = nil
        halves.removeAll()
        // Keep outstanding requests if this is the first clock: its answers may be on their way.
        if !isFirst {
            changeCount &+= 1
            questions.forgetOutstanding()
        }
        questions.restart(at: now)
    }

    // MARK: Status

    func status(at now: HostTime, own: ClockIdentity, timescale: NetworkTimescale) -> FollowedClockStatus {
        let mapping =
            isOwn
            ? ClockMapping(host: now, network: timescale.networkTime(at: now)) : clock.mapping(at: now)
        return FollowedClockStatus(
            address: address, source: isOwn ? own : source, grandmaster: isOwn ? own : grandmaster,
            isOwn: isOwn, isUsable: mapping != nil,
            offset: mapping.map { $0.network.nanoseconds &- now.nanoseconds },
            pathDelay: isOwn ? .zero : clock.pathDelay, drift: clock.drift * 1e6,
            age: isOwn ? .zero : clock.lastSample.map { max(.zero, now.since($0)) },
            sampleCount: clock.sampleCount, answerCount: questions.answerCount,
            restartCount: generation)
    }
}
