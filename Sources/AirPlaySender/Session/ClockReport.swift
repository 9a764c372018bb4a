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
    /// Whether the speaker goes on announcing its own clock although ours is served to it.
    package var insists = false
    /// The host time from which the speaker can be heard; `nil` while that is unknown.
    package var readyTime: HostTime?

    /// The time without a request after which a speaker that should ask finds no clock (*reported*).
    package static let patience = Duration.seconds(5)

    /// Creates a report from its parts.
    package init(
        _ clock: SessionChoice.Clock, state: PeerClockState = .waiting, requests: Int = 0,
        neverAsks: Bool = false, insists: Bool = false, readyTime: HostTime? = nil
    ) {
        (self.clock, self.state, self.requests) = (clock, state, requests)
        (self.neverAsks, self.insists, self.readyTime) = (neverAsks, insists, readyTime)
    }

    /// Whether the speaker has shown that both directions work.
    package var isProven: Bool { (requests > 0 || clock == .theirs) && state != .stalled }

    /// Returns the reason why the speaker stays silent, and what to do; `nil` if nothing speaks against it.
    ///
    /// - Parameters:
    ///   - name: The speaker's name.
    ///   - elapsed: The time since the session was opened.
    package func trouble(of name: String, after elapsed: Duration) -> SpeakerFailure? {
        let isSilent = requests == 0 && !neverAsks && elapsed >= Self.patience
        let seconds = max(elapsed, Self.patience).components.seconds
        let words: String
        switch clock {
        case .host: return nil
        case .ptp where insists:
            words =
                "\(name) goes on announcing its own clock, and may be silent on ours; try --clock theirs, by which it plays along its own"
        case .ptp where isSilent:
            words =
                "\(name) never asked for our clock in \(seconds) s: UDP 319 and 320 between it and this machine are blocked, or it wants NTP; try --clock ntp"
        case .ntp where isSilent:
            words =
                "\(name) never asked for the time in \(seconds) s: UDP from it to this machine is blocked, or it wants PTP; try --clock ptp"
        case .ptp where state == .stalled:
            words =
                "\(name) no longer asks for our clock, after \(requests) times: UDP 319 and 320 between it and this machine are blocked, or it has lost the network"
        case .ntp where state == .stalled:
            words =
                "\(name) no longer asks for the time, after \(requests) times: UDP from it to this machine is blocked, or it has lost the network"
        case .theirs where state == .stalled || (readyTime == nil && elapsed >= Self.patience):
            words =
                "the clock of \(name) itself was not heard in \(seconds) s: UDP 319 and 320 between it and this machine are blocked, or it follows ours; try --clock ptp"
        case .ptp, .ntp, .theirs: return nil
        }
        return SpeakerFailure(.clock, words)
    }
}

extension ClockReport {
    /// The report of a speaker that is served by PTP; `status` is `nil` if it is no peer of the clock any more.
    init(ptp status: PeerClockStatus?, _ quirks: DeviceQuirks) {
        self.init(
            .ptp, state: status?.state ?? .waiting, requests: status?.delayRequestCount ?? 0,
            neverAsks: !quirks.asksForDelay, insists: status?.insistsOn != nil, readyTime: status?.readyTime)
    }
}
