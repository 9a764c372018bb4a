import MediaTime
import PTP
import SystemIO

/// One receiver that the clock is served to.
struct ClockPeer: Identifiable {
    /// After its first second a peer's served time is only slewed.
    static let settlingTime = Duration.seconds(1)

    let id: IPAddress
    var localAddress: IPAddress?
    /// How many sessions want it served.
    var userCount = 1
    /// When it is forgotten, once nobody wants it.
    var lingersUntil: HostTime?
    var schedule: ServingSchedule
    var following: FollowingRecord
    var budget: AnswerBudget
    var delay: ServedDelay
    /// What was added in the last Follow_Up, which the peer's next question belongs to.
    private(set) var lastServed: Int64 = 0
    private(set) var firstFollowUp: HostTime?
    /// It has asked, so it knows the path itself.
    private(set) var measuresPath: Bool
    var announceSequence: UInt16 = 0
    var syncSequence: UInt16 = 0
    var signalingSequence: UInt16 = 0
    var refusedRequestCount = 0
    var announceCount = 0
    var announcedGrandmaster: ClockIdentity?

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

    /// A peer that another program has served.
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
        leaveSequencesBehind()
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
        if firstFollowUp == nil { delay.set(pathDelay, at: now) } else { delay.slew(to: pathDelay, at: now) }
    }

    mutating func kick(at now: HostTime) {
        schedule = ServingSchedule(at: now)
        following.kicked(at: now)
        // A peer of this kind forgets what it heard at the moment that a kick marks.
        if following.behaviour.neverAsks { delay.finish(at: now) }
    }

    /// A new session with a peer that is served already.
    mutating func join(
        behaviour: ClockPeerBehaviour, pathDelay: Duration, localAddress: IPAddress?, at now: HostTime
    ) {
        userCount += lingersUntil == nil ? 1 : 0
        if lingersUntil != nil {
            following = FollowingRecord(behaviour: behaviour, at: now)
            if firstFollowUp != nil { following.synced(at: now) }
        } else {
            following.behaviour = behaviour
            following.kicked(at: now)
        }
        lingersUntil = nil
        self.localAddress = localAddress
        schedule = ServingSchedule(at: now)
        if behaviour.isKnownToMeasure { measurePath(at: now) } else { setPathDelay(pathDelay, at: now) }
    }

    mutating func setBehaviour(_ behaviour: ClockPeerBehaviour, at now: HostTime) {
        following.behaviour = behaviour
        guard behaviour.isKnownToMeasure, !measuresPath else { return }
        measurePath(at: now)
        // It has not asked yet, and will compare its first question with what it is served from now on.
        lastServed = delay.value(at: now)
    }

    /// The delay to add to a Follow_Up that leaves now.
    mutating func serve(at now: HostTime) -> Int64 {
        firstFollowUp = firstFollowUp ?? now
        following.synced(at: now)
        lastServed = delay.value(at: now)
        return lastServed
    }

    /// The peer measures the path, so our correction has to go: at once while nothing has settled, else slowly.
    mutating func measurePath(at now: HostTime) {
        guard !measuresPath else { return }
        measuresPath = true
        if let firstFollowUp, now.since(firstFollowUp) >= Self.settlingTime {
            delay.slew(to: .zero, at: now)
        } else {
            delay.set(.zero, at: now)
        }
    }
}
