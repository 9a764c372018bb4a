import MediaTime

/// The lines of all followed clocks, as mixing threads take them.
struct FollowedClocks: Sendable {
    struct Entry: Sendable {
        /// `nil` before the first message.
        var identity: ClockIdentity?
        /// The sender of the messages is that clock itself.
        var isDirect: Bool
        var isOwn: Bool
        var line: ClockLine?
    }

    let own: ClockIdentity
    let timescale: NetworkTimescale
    var entries: [Entry] = []

    /// The line of this clock near `now`; `nil` when it is not known (yet).
    ///
    /// Our own identity is our own clock, unless another process of this machine, which has the same
    /// identity, is followed: then it is measured like any other, for it may live in another time.
    func mapping(of identity: ClockIdentity, at now: HostTime) -> ClockMapping? {
        if identity == own, isOwnClock {
            return ClockMapping(host: now, network: timescale.networkTime(at: now))
        }
        var found: ClockLine?
        for entry in entries where entry.identity == identity {
            guard let line = entry.line else { continue }
            if entry.isDirect { return line.mapping(at: now) }
            found = found ?? line
        }
        return found?.mapping(at: now)
    }

    private var isOwnClock: Bool {
        entries.contains(where: \.isOwn) || !entries.contains { $0.identity == own }
    }
}
