import TuttiMediaTime
import TuttiSystemIO

/// A snapshot of the lines of all followed clocks, for mixing threads.
struct FollowedClocks: Sendable {
    struct Entry: Sendable {
        var address: IPAddress
        /// The clock that the messages refer to; `nil` before the first message.
        var identity: ClockIdentity?
        /// Whether the sender of the messages is that clock itself.
        var isDirect: Bool
        var isOwn: Bool
        var line: ClockLine?
        /// See ``LeaderClock/generation``.
        var generation = 0
        /// The host time since which the line is good enough to play by; `nil` until then.
        var settledSince: HostTime?
        /// The host time of the last message that counted.
        var lastSample: HostTime?
    }

    let own: ClockIdentity
    let timescale: NetworkTimescale
    var entries: [Entry] = []

    /// Returns the clock that an address's messages carry, near `now`; `nil` while none is measured.
    ///
    /// Unlike ``mapping(of:toldBy:at:)`` the result is what the address itself says, also if it names our identity.
    func leader(at address: IPAddress, at now: HostTime) -> LeaderClock? {
        guard let entry = entries.first(where: { $0.address == address }), let identity = entry.identity
        else { return nil }
        if entry.isOwn {
            let mapping = ClockMapping(host: now, network: timescale.networkTime(at: now))
            return LeaderClock(identity: identity, mapping: mapping, settledSince: now, lastHeard: now)
        }
        guard let line = entry.line else { return nil }
        return LeaderClock(
            identity: identity, mapping: line.mapping(at: now), generation: entry.generation,
            settledSince: entry.settledSince, lastHeard: entry.lastSample)
    }

    /// Returns the line of this clock near `now`; `nil` when the clock is not known (yet).
    ///
    /// Any address can claim any identity, so a caller that knows a clock's addresses names them.
    ///
    /// - Parameter addresses: The addresses whose messages count; `nil` for all followed addresses.
    ///
    /// Our own identity means our own clock, unless another process of this machine, which has the same identity, is
    /// followed: then the line of that process is used, because its clock may have another epoch.
    func mapping(
        of identity: ClockIdentity, toldBy addresses: Set<IPAddress>? = nil, at now: HostTime
    ) -> ClockMapping? {
        func counts(_ entry: Entry) -> Bool { addresses?.contains(entry.address) ?? true }
        // Whether no other followed process that counts has our identity.
        let isOwnClock =
            entries.contains { $0.isOwn && counts($0) }
            || !entries.contains { $0.identity == own && counts($0) }
        if identity == own, isOwnClock {
            return ClockMapping(host: now, network: timescale.networkTime(at: now))
        }
        var found: ClockLine?
        for entry in entries where entry.identity == identity && counts(entry) {
            guard let line = entry.line else { continue }
            if entry.isDirect { return line.mapping(at: now) }
            found = found ?? line
        }
        return found?.mapping(at: now)
    }
}
