import Synchronization
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

/// Follows the clock of one receiver that leads, for one session. Any thread; nothing waits.
final class LeaderFollowing: Sendable {
    private let clock: any SenderClock
    private let peer: IPAddress
    private let time: any HostClock
    private let line: Mutex<LeaderLine>

    /// - Parameter time: The host clock.
    init(_ clock: any SenderClock, peer: IPAddress, time: any HostClock) {
        (self.clock, self.peer, self.time) = (clock, peer, time)
        line = Mutex(LeaderLine(at: time.now))
    }

    /// Returns the receiver's time at a host time near now; `nil` before its clock was measured.
    func stamp(at host: HostTime) -> ClockStamp? { current { $0.stamp(at: host) } }

    /// The host time from which the receiver's clock was known well enough; `nil` until then.
    var readyTime: HostTime? { current(\.readyTime) }

    var state: PeerClockState { current { $0.state(at: time.now) } }

    /// Ends the session's part: the receiver is neither answered nor followed for it any more.
    func end() {
        clock.removePeer(peer)
        clock.endYield(to: peer)
    }

    private func current<Result>(_ body: (LeaderLine) -> Result) -> Result {
        let known = clock.leader(at: peer)
        return line.withLock { line in
            line.update(known)
            return body(line)
        }
    }
}
