import AirPlayMessages
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

/// The clock that the speaker of a session follows, and the session's part in it.
enum SessionClock: Sendable {
    /// Our clock, which the speaker at this address gets by PTP.
    case ptp(any SenderClock, IPAddress)
    /// The speaker's own.
    case theirs(LeaderFollowing)
    /// Our time, for which the speaker asks a timing port that is open since then.
    case ntp(NTPResponder, since: HostTime)

    /// The host time from which the speaker can be heard; `nil` while that is unknown.
    var readyTime: HostTime? {
        switch self {
        case .ptp(let clock, let peer): clock.status(of: peer)?.readyTime
        case .theirs(let leader): leader.readyTime
        case .ntp(let responder, let since):
            responder.readyTime
                ?? (responder.now.since(since) > Self.unasked ? since.advanced(by: Self.unasked) : nil)
        }
    }

    /// Returns everything known of the speaker's clock.
    ///
    /// - Parameter readsByClock: See ``ClockReport/readsByClock``.
    func report(of receiver: ReceiverDescription, readsByClock: Bool? = nil) -> ClockReport {
        switch self {
        case .ptp(let clock, let peer):
            ClockReport(ptp: peer, of: clock, receiver, readsByClock: readsByClock)
        case .theirs(let leader):
            ClockReport(.theirs, state: leader.state, readyTime: leader.readyTime)
        case .ntp(let responder, let since):
            ClockReport(
                .ntp, state: Self.state(of: responder, since: since), requests: responder.answerCount,
                readyTime: responder.readyTime)
        }
    }

    private static func state(of responder: NTPResponder, since: HostTime) -> PeerClockState {
        if responder.answerCount > 0 { return .ready }
        return responder.now.since(since) > stall ? .stalled : .waiting
    }

    /// Ends the session's part.
    func end() {
        switch self {
        case .ptp(let clock, let peer): clock.removePeer(peer)
        case .theirs(let leader): leader.end()
        case .ntp(let responder, _): responder.close()
        }
    }

    /// The time after which a speaker that never asks for the time is started all the same.
    private static let unasked = Duration.milliseconds(2500)
    /// The time after which such a speaker counts as one that finds no clock.
    private static let stall = Duration.seconds(5)
}
