import AirPlayMessages
import ClockService
import MediaTime

/// A session's knowledge of its speaker's clock, and its meaning in words.
package struct ClockReport: Equatable, Sendable {
    /// The clock that the speaker is to follow.
    package var clock: SessionChoice.Clock
    /// Whether it follows.
    package var state = PeerClockState.waiting
    /// The speaker's requests that were answered: each one shows that both directions work.
    package var requests = 0
    /// Whether speakers of its family follow without requests, so that nothing shows it.
    package var neverAsks = false
    /// The times that the speaker called another clock the master.
    package var claims = 0
    /// The host time from which the speaker can be heard; `nil` while that is unknown.
    package var readyTime: HostTime?

    /// The time without a request after which a speaker that should ask finds no clock (*reported*).
    package static let patience = Duration.seconds(5)
    /// The number of claims from which on a speaker insists on its clock; followers make three (*reported*).
    private static let mostClaims = 4

    /// Creates a report from its parts.
    package init(
        _ clock: SessionChoice.Clock, state: PeerClockState = .waiting, requests: Int = 0,
        neverAsks: Bool = false, claims: Int = 0, readyTime: HostTime? = nil
    ) {
        (self.clock, self.state, self.requests) = (clock, state, requests)
        (self.neverAsks, self.claims, self.readyTime) = (neverAsks, claims, readyTime)
    }

    /// Whether the speaker has shown that it gets our answers.
    package var isProven: Bool { requests > 0 && state != .stalled }

    /// Returns the reason why the speaker stays silent, and what to do; `nil` if nothing speaks against it.
    ///
    /// - Parameters:
    ///   - name: The speaker's name.
    ///   - elapsed: The time since the session was opened.
    package func trouble(of name: String, after elapsed: Duration) -> SpeakerFailure? {
        guard clock != .host, !neverAsks, state == .stalled || (requests == 0 && elapsed >= Self.patience)
        else { return nil }
        let seconds = max(elapsed, Self.patience).components.seconds
        let words =
            switch (clock, requests) {
            case (.ptp, 0) where claims >= Self.mostClaims:
                "\(name) insists on its own clock, and never asked for ours in \(seconds) s"
            case (.ptp, 0):
                "\(name) never asked for our clock in \(seconds) s: UDP 319 and 320 between it and this machine are blocked, or it wants NTP; try --clock ntp"
            case (.ptp, _):
                "\(name) no longer asks for our clock, after \(requests) times: UDP 319 and 320 between it and this machine are blocked, or it has lost the network"
            case (_, 0):
                "\(name) never asked for the time in \(seconds) s: UDP from it to this machine is blocked, or it wants PTP; try --clock ptp"
            case (_, _):
                "\(name) no longer asks for the time, after \(requests) times: UDP from it to this machine is blocked, or it has lost the network"
            }
        return SpeakerFailure(.clock, words)
    }
}

extension ClockReport {
    /// The report of a speaker that is served by PTP; `status` is `nil` if it is no peer of the clock any more.
    init(ptp status: PeerClockStatus?, _ quirks: DeviceQuirks) {
        self.init(
            .ptp, state: status?.state ?? .waiting, requests: status?.delayRequestCount ?? 0,
            neverAsks: !quirks.asksForDelay, claims: status?.announceCount ?? 0, readyTime: status?.readyTime)
    }
}
