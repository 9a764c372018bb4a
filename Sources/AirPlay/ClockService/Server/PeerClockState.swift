import TuttiMediaTime
import TuttiSystemIO

/// Whether a peer follows the clock.
public enum PeerClockState: Hashable, Sendable {
    /// Served, but not yet ready.
    case waiting
    /// Follows: the peer understands an anchor on our clock.
    case ready
    /// Stopped asking, or never asked although it should: the peer stays silent although it answers requests.
    /// Usual cause: UDP 319/320 blocked.
    case stalled
}

/// A peer's change of state.
public struct PeerStateChange: Hashable, Sendable {
    /// The peer's address.
    public var peer: IPAddress
    /// The peer's new state.
    public var state: PeerClockState
}

/// Our role towards a peer.
public enum ClockRole: Hashable, Sendable {
    /// The peer follows our clock.
    case timeTransmitter
    /// We follow the peer's clock, and do not offer it ours.
    case timeReceiver
}

/// The state of one peer, for planning and for diagnosis.
public struct PeerClockStatus: Hashable, Sendable {
    /// Whether the peer follows our clock.
    public var state: PeerClockState
    /// Our role towards the peer.
    public var role: ClockRole
    /// The host time from which the peer can be relied on, past or future; `nil` where that is not yet known.
    public var readyTime: HostTime?
    /// The path delay that the server adds to the peer's times now.
    public var servedPathDelay: Duration
    /// Whether a message of the peer has come to the clock's ports. Also a peer that never asks sends some: nqptp
    /// announces itself twice when it first hears our clock after a stream SETUP (*observed*).
    public var isHeard: Bool
    /// Whether the machine of a peer that never asks has answered that no program listens at the clock's event port.
    public var isRefused = false
    /// The number of Delay_Req messages so far.
    public var delayRequestCount: Int
    /// The number of requests left unanswered because they came too fast.
    public var refusedRequestCount: Int
    /// The number of the peer's own Announces. Followers send a few; a peer that keeps sending them claims to be master.
    public var announceCount: Int
    /// The grandmaster in the peer's last Announce.
    public var announcedGrandmaster: ClockIdentity?
    /// The clock on which the peer insists: it keeps announcing this clock although ours is served to it, and so will
    /// not play along ours; `nil` for a peer that follows.
    public var insistsOn: ClockIdentity?

    /// Creates the status of a peer that has sent nothing.
    public init(
        state: PeerClockState, role: ClockRole = .timeTransmitter, readyTime: HostTime? = nil,
        servedPathDelay: Duration = .zero, isHeard: Bool = false, delayRequestCount: Int = 0,
        refusedRequestCount: Int = 0,
        announceCount: Int = 0, announcedGrandmaster: ClockIdentity? = nil, insistsOn: ClockIdentity? = nil
    ) {
        (self.state, self.role, self.readyTime) = (state, role, readyTime)
        (self.servedPathDelay, self.isHeard) = (servedPathDelay, isHeard)
        (self.delayRequestCount, self.refusedRequestCount) = (delayRequestCount, refusedRequestCount)
        self.announceCount = announceCount
        (self.announcedGrandmaster, self.insistsOn) = (announcedGrandmaster, insistsOn)
    }
}
