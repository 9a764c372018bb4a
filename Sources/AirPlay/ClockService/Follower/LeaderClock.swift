import TuttiMediaTime

/// The clock of a followed address, as its messages tell it.
public struct LeaderClock: Hashable, Sendable {
    /// The clock's identity.
    public var identity: ClockIdentity
    /// The mapping between the clock's time and host time, valid near the time of the call.
    public var mapping: ClockMapping
    /// Counts the clocks at this address: changes with a new identity and with a new epoch.
    public var generation: Int
    /// The host time since which the mapping is good enough to play by; `nil` until then.
    public var settledSince: HostTime?
    /// The host time of the clock's last message that counted.
    public var lastHeard: HostTime?

    /// Creates the state of a clock.
    public init(
        identity: ClockIdentity, mapping: ClockMapping, generation: Int = 0, settledSince: HostTime? = nil,
        lastHeard: HostTime? = nil
    ) {
        (self.identity, self.mapping, self.generation) = (identity, mapping, generation)
        (self.settledSince, self.lastHeard) = (settledSince, lastHeard)
    }
}
