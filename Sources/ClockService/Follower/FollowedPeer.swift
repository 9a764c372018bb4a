import MediaTime
import PTP
import SystemIO

/// One address whose clock is followed.
struct FollowedPeer {
    /// Another clock at the same address is taken up when the present one has been silent for this long.
    static let sourceLifetime = Duration.seconds(1)

    let address: IPAddress
    var localAddress: IPAddress?
    /// The address is one of this service's own: what comes from there is our own clock.
    let isOwn: Bool
    /// How many sessions want it followed.
    var userCount = 1
    /// When it is forgotten, once nobody wants it.
    var lingersUntil: HostTime?
    var questions: DelayQuestions
    /// Answers to its own questions about the link.
    var budget: AnswerBudget
    private(set) var clock = FollowedClock()
    /// Who sends the Syncs.
    private(set) var source: ClockIdentity?
    /// What that one's Announce says; until then it counts as its own.
    private var announced: ClockIdentity?
    private var lastSync: HostTime?
    private var halves = SyncHalves()
    private var changeCount = 0

    init(_ address: IPAddress, localAddress: IPAddress?, isOwn: Bool, at now: HostTime) {
        self.address = address
        self.localAddress = localAddress
        self.isOwn = isOwn
        questions = DelayQuestions(at: now)
        budget = AnswerBudget(at: now)
    }

    var grandmaster: ClockIdentity? { announced ?? source }

    var deadline: HostTime? { lingersUntil ?? questions.nextTime }

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
        return true
    }

    private mutating func use(_ whole: SyncHalves.Whole?) -> Bool {
        guard let whole else { return false }
        clock.receive(departure: whole.departure, arrival: whole.arrival)
        if clock.isInDoubt { questions.hasten(at: whole.arrival) }
        return true
    }

    /// Whether a message of this source counts: the one whose Syncs come, until it falls silent.
    private mutating func admit(_ sender: ClockIdentity, at now: HostTime) -> Bool {
        if sender == source { return true }
        if source != nil, let lastSync, now.since(lastSync) < Self.sourceLifetime { return false }
        source = sender
        announced = nil
        takeUp(at: now)
        return true
    }

    /// Another clock from now on.
    private mutating func takeUp(at now: HostTime) {
        let isFirst = clock.lastSample == nil
        clock = FollowedClock()
        lastSync = nil
        halves.removeAll()
        // Answers on their way still count for a clock that has only now been given its name.
        if !isFirst {
            changeCount += 1
            questions.forgetOutstanding()
        }
        questions.restart(at: now)
    }

    // MARK: What is told of it

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
            restartCount: changeCount + clock.restartCount)
    }
}
