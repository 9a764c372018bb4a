import TuttiMediaTime

/// A record of the Announces by which a served peer claims to be the master itself.
///
/// Followers send a few Announces at first, and some to wake others. A peer that keeps announcing its own clock while
/// ours is served to it follows nobody (*reported*: HomePods with OS 27 that play alone, one every 20 s).
struct LeadershipClaim {
    /// The time from the first Follow_Up on in which Announces say nothing yet.
    static let grace = Duration.seconds(5)
    /// The least distance of two Announces that make a claim.
    static let leastDistance = Duration.seconds(2)
    /// The silence after which a claim has ended: three of the longest known intervals.
    static let lifetime = Duration.seconds(60)

    private var first: HostTime?
    private var last: HostTime?
    private var grandmaster: ClockIdentity?

    /// Takes an Announce of another clock than ours.
    ///
    /// - Parameter servedSince: The first Follow_Up to the peer, or a later restart; `nil` before it.
    mutating func announced(_ grandmaster: ClockIdentity, servedSince: HostTime?, at now: HostTime) {
        guard let servedSince, now.since(servedSince) >= Self.grace else { return }
        let isContinued =
            self.grandmaster == grandmaster && last.map { now.since($0) < Self.lifetime } ?? false
        if !isContinued { (self.grandmaster, first) = (grandmaster, now) }
        last = now
    }

    /// Forgets the Announces so far: the peer starts again.
    mutating func reset() { self = LeadershipClaim() }

    /// Returns the clock on which the peer insists; `nil` for a peer that follows.
    func insists(at now: HostTime) -> ClockIdentity? {
        guard let first, let last, last.since(first) >= Self.leastDistance, now.since(last) < Self.lifetime
        else { return nil }
        return grandmaster
    }
}
