import TuttiMediaTime
import TuttiPTP
import TuttiSystemIO

/// One receiver that the clock serves.
struct ClockPeer: Identifiable {
    /// The time after the first Follow_Up from which the served time is only slewed.
    static let settlingTime = Duration.seconds(1)

    let id: IPAddress
    var localAddress: IPAddress?
    /// The number of sessions that want the peer served.
    var userCount = 1
    /// The host time at which the peer is dropped, once no session wants it; else `nil`.
    var lingersUntil: HostTime?
    var schedule: ServingSchedule
    var following: FollowingRecord
    var budget: AnswerBudget
    var delay: ServedDelay
    /// The delay added to the last Follow_Up, nanoseconds; the peer's next request refers to it.
    private(set) var lastServed: Int64 = 0
    private(set) var firstFollowUp: HostTime?
    /// Whether the peer has asked, so that it measures the path itself.
    private(set) var measuresPath: Bool
    var announceSequence: UInt16 = 0
    var syncSequence: UInt16 = 0
    var signalingSequence: UInt16 = 0
    var refusedRequestCount = 0
    /// Whether the peer has sent a message since its first session began.
    var isHeard = false
    var announceCount = 0
    var announcedGrandmaster: ClockIdentity?
    private(set) var claim = LeadershipClaim()

    init(
        _ id: IPAddress, behaviour: ClockPeerBehaviour, pathDelay: Duration, localAddress: IPAddress?,
        at now: HostTime
    ) {
        self.id = id
        self.localAddress = localAddress
        schedule = ServingSchedule(at: now)
        following = FollowingRecord(behaviour: behaviour, at: now)
        budget = AnswerBudget(at: now)
        measuresPath = behaviour.isKnownToMeasure
        delay = ServedDelay(measuresPath ? .zero : pathDelay, at: now)
    }

    /// Restores a peer that another program has served.
    init(_ record: ClockPeerRecord, at now: HostTime) {
        id = record.address
        localAddress = record.localAddress
        userCount = record.uses
        schedule = ServingSchedule(at: now)
        following = FollowingRecord(record)
        budget = AnswerBudget(at: now)
        measuresPath = record.measuresPath
        firstFollowUp = record.firstFollowUp
        delay = ServedDelay(record.servedDelay, at: now)
        if record.measuresPath { delay.slew(to: .zero, at: now) }
        announceSequence = record.announceSequence
        syncSequence = record.syncSequence
        signalingSequence = record.signalingSequence
        skipUsedSequences()
    }

    var deadline: HostTime {
        let served = earlier(schedule.deadline, following.deadline)
        return earlier(served, lingersUntil)
    }

    private func earlier(_ time: HostTime, _ other: HostTime?) -> HostTime {
        other.map { min(time, $0) } ?? time
    }

    mutating func setPathDelay(_ pathDelay: Duration, at now: HostTime) {
        guard !measuresPath else { return }
        if isSettled(at: now) { delay.slew(to: pathDelay, at: now) } else { delay.set(pathDelay, at: now) }
    }

    /// Takes an Announce of the peer.
    ///
    /// - Parameter own: The clock that is served to the peer; `nil` if none is.
    mutating func announced(_ grandmaster: ClockIdentity, own: ClockIdentity?, at now: HostTime) {
        announceCount += 1
        announcedGrandmaster = grandmaster
        guard let own, grandmaster != own else { return claim.reset() }
        let servedSince = firstFollowUp.map { max($0, following.restartedAt) }
        claim.announced(grandmaster, servedSince: servedSince, at: now)
    }

    mutating func restartServing(at now: HostTime) {
        schedule = ServingSchedule(at: now)
        following.restarted(at: now)
        // A peer of this kind discards its earlier Syncs at a restart.
        if following.behaviour.neverAsks { delay.finish(at: now) }
    }

    /// Adds a session with a peer that is served already.
    mutating func join(
        behaviour: ClockPeerBehaviour, pathDelay: Duration, localAddress: IPAddress?, at now: HostTime
    ) {
        userCount += lingersUntil == nil ? 1 : 0
        if lingersUntil != nil {
            isHeard = false
            following = FollowingRecord(behaviour: behaviour, at: now)
            if firstFollowUp != nil { following.synced(at: now) }
        } else {
            following.behaviour = behaviour
            following.restarted(at: now)
        }
        lingersUntil = nil
        self.localAddress = localAddress
        schedule = ServingSchedule(at: now)
        if behaviour.isKnownToMeasure {
            measurePath(at: now)
        } else if pathDelay > .zero {
            setPathDelay(pathDelay, at: now)
        }
    }

    mutating func setBehaviour(_ behaviour: ClockPeerBehaviour, at now: HostTime) {
        following.behaviour = behaviour
        guard behaviour.isKnownToMeasure, !measuresPath else { return }
        measurePath(at: now)
        // The peer has not asked yet, and compares its first request with the times served from now on.
        lastServed = delay.value(at: now)
    }

    /// Returns the delay to add to a Follow_Up that leaves now, nanoseconds.
    mutating func serve(at now: HostTime) -> Int64 {
        firstFollowUp = firstFollowUp ?? now
        following.synced(at: now)
        lastServed = delay.value(at: now)
        return lastServed
    }

    /// Removes our correction, because the peer measures the path itself: at once within ``settlingTime``,
    /// else by a slew.
    mutating func measurePath(at now: HostTime) {
        guard !measuresPath else { return }
        measuresPath = true
        if isSettled(at: now) { delay.slew(to: .zero, at: now) } else { delay.set(.zero, at: now) }
    }

    private func isSettled(at now: HostTime) -> Bool {
        firstFollowUp.map { now.since($0) >= Self.settlingTime } ?? false
    }
}
