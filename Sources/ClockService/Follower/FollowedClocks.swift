import MediaTime
import SystemIO

/// The lines of all followed clocks, as mixing threads take them.
struct FollowedClocks: Sendable {
    struct Entry: Sendable {
        var address: IPAddress
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
    /// Any address can claim any identity, so a caller who knows where a clock is names the addresses.
    ///
    /// - Parameter addresses: Only messages from these count; `nil` for those of all followed addresses.
    ///
    /// Our own identity is our own clock, unless another process of this machine, which has the same
    /// identity, is followed: then it is measured like any other, for it may live in another time.
    func mapping(
        of identity: ClockIdentity, toldBy addresses: Set<IPAddress>? = nil, at now: HostTime
    ) -> ClockMapping? {
        func counts(_ entry: Entry) -> Bool { addresses?.contains(entry.address) ?? true }
        // Whether no other process that counts has our identity.
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
