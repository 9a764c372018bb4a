import MediaTime

/// The send schedule of one peer: dense after a start, then at the profile's intervals.
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
        nextSync = following(nextSync, by: isFast ? Self.fastSyncInterval : Self.syncInterval, now)
        return true
    }

    mutating func takeSignaling(at now: HostTime) -> Bool {
        guard now >= nextSignaling else { return false }
        nextSignaling = following(nextSignaling, by: Self.signalingInterval, now)
        return true
    }

    /// Returns the next time of the interval, without catching up on what a late call missed.
    private func following(_ last: HostTime, by interval: Duration, _ now: HostTime) -> HostTime {
        let next = last.advanced(by: interval)
        return next > now ? next : now.advanced(by: interval)
    }
}
