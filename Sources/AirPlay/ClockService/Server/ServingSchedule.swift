import TuttiMediaTime

/// The send schedule of one peer: dense after a start, then at the profile's intervals.
///
/// After the dense start, messages leave at multiples of ``syncInterval`` in host time, the same for all peers: the
/// clock's thread wakes eight times a second, whatever their number.
struct ServingSchedule {
    static let announceInterval = Duration.seconds(1)
    static let signalingInterval = Duration.seconds(1)
    static let syncInterval = Duration.milliseconds(125)
    static let fastSyncInterval = Duration.milliseconds(25)
    /// The time after a start during which Sync is dense.
    static let fastPhase = Duration.milliseconds(1200)
    /// The times of Announces after a start: several, because a receiver that has just begun to listen may miss one.
    static let announceBurst: [Duration] = [0, 30, 80, 170, 250, 400].map { .milliseconds($0) }

    private var startedAt: HostTime
    private var announcesSinceStart = 0
    private var nextAnnounce: HostTime
    private var nextSync: HostTime
    private var nextSignaling: HostTime

    init(at now: HostTime) {
        startedAt = now
        nextAnnounce = now
        nextSync = now
        nextSignaling = now
    }

    var deadline: HostTime { min(nextAnnounce, nextSync, nextSignaling) }

    mutating func takeAnnounce(at now: HostTime) -> Bool {
        guard now >= nextAnnounce else { return false }
        announcesSinceStart += 1
        if announcesSinceStart < Self.announceBurst.count {
            nextAnnounce = startedAt.advanced(by: Self.announceBurst[announcesSinceStart])
        } else {
            nextAnnounce = following(nextAnnounce, by: Self.announceInterval, now)
        }
        return true
    }

    mutating func takeSync(at now: HostTime) -> Bool {
        guard now >= nextSync else { return false }
        let isFast = now.since(startedAt) < Self.fastPhase
        let dense = nextSync.advanced(by: Self.fastSyncInterval)
        // A late call is not caught up.
        let soonest = dense > now ? dense : now.advanced(by: Self.fastSyncInterval)
        nextSync = isFast ? soonest : now.next(multipleOf: Self.syncInterval)
        return true
    }

    mutating func takeSignaling(at now: HostTime) -> Bool {
        guard now >= nextSignaling else { return false }
        nextSignaling = following(nextSignaling, by: Self.signalingInterval, now)
        return true
    }

    /// Returns the last instant of Sync that is at most `interval` after `last`. A late call is not caught up.
    private func following(_ last: HostTime, by interval: Duration, _ now: HostTime) -> HostTime {
        let latest = last.advanced(by: interval)
        let next = latest.advanced(by: .zero - Self.syncInterval).next(multipleOf: Self.syncInterval)
        return next > now ? next : now.next(multipleOf: Self.syncInterval)
    }
}
