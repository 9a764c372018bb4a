import TuttiMediaTime

/// The clock of a followed address, as its messages tell it.
package struct LeaderClock: Hashable, Sendable {
    /// The clock's identity.
    package var identity: ClockIdentity
    /// The mapping between the clock's time and host time, valid near the time of the call.
    package var mapping: ClockMapping
    /// Counts the clocks at this address: changes with a new identity and with a new epoch.
    package var generation: Int
    /// The host time since which the mapping is good enough to play by; `nil` until then.
    package var settledSince: HostTime?
    /// The host time of the clock's last message that counted.
    package var lastHeard: HostTime?

    /// Creates the state of a clock.
    package init(
        identity: ClockIdentity, mapping: ClockMapping, generation: Int = 0, settledSince: HostTime? = nil,
        lastHeard: HostTime? = nil
    ) {
        (self.identity, self.mapping, self.generation) = (identity, mapping, generation)
        (self.settledSince, self.lastHeard) = (settledSince, lastHeard)
    }
}
