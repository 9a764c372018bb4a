import MediaTime
import SystemIO

/// Whether a peer follows the clock.
public enum PeerClockState: Hashable, Sendable {
    /// Served, not yet to be relied on.
    case waiting
    /// Follows: an anchor on our clock will be understood.
    case ready
    /// Had asked and stopped, or should ask and never did: it will be silent whatever it answers.
    /// Usual cause: UDP 319/320 blocked.
    case stalled
}

/// A peer's change of state.
public struct PeerStateChange: Hashable, Sendable {
    public var peer: IPAddress
    public var state: PeerClockState
}

/// Which end of the clock we are for a peer.
public enum ClockRole: Hashable, Sendable {
    /// The peer follows our clock.
    case timeTransmitter
}

/// What is known of one peer, for planning and for diagnosis.
public struct PeerClockStatus: Hashable, Sendable {
    public var state: PeerClockState
    public var role: ClockRole
    /// When it is, or was, to be relied on; `nil` where that is not yet known.
    public var readyTime: HostTime?
    /// The path delay added to the times served to it now.
    public var servedPathDelay: Duration
    /// Delay_Req messages so far.
    public var delayRequestCount: Int
    /// Requests left unanswered because they came too fast.
    public var refusedRequestCount: Int
    /// The peer's own Announces. Followers send a few; one that goes on wants to lead.
    public var announceCount: Int
    /// The clock in the last of them.
    public var announcedGrandmaster: ClockIdentity?
}
