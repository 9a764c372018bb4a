import ClockService
import MediaTime
import Synchronization
import SystemIO

@testable import AirPlaySender

/// A clock without sockets. The test decides which speakers follow it.
final class FakeClock: SenderClock {
    enum Call: Hashable, Sendable {
        case add(IPAddress)
        case behaves(ClockPeerBehaviour, IPAddress)
        case restartServing(IPAddress)
        case remove(IPAddress)
    }

    private struct State {
        var calls: [Call] = []
        var unready: Set<IPAddress> = []
    }

    let identity = ClockIdentity(rawValue: 0x0200_00FF_FE00_0042)
    private let state = Mutex(State())

    var calls: [Call] { state.withLock { $0.calls } }

    /// Sets whether a speaker follows the clock; by default every speaker does.
    func setReady(_ isReady: Bool, _ address: IPAddress) {
        state.withLock { state in
            if isReady { state.unready.remove(address) } else { state.unready.insert(address) }
        }
    }

    /// Returns a network time a million seconds ahead of host time, so that the two cannot be confused.
    func networkTime(at host: HostTime) -> NetworkTime {
        NetworkTime(nanoseconds: host.nanoseconds + 1_000_000_000_000_000)
    }

    func addPeer(_ address: IPAddress, pathDelay: Duration, localAddress: IPAddress) { note(.add(address)) }
    func setBehaviour(_ behaviour: ClockPeerBehaviour, of address: IPAddress) {
        note(.behaves(behaviour, address))
    }
    func restartServing(_ address: IPAddress) { note(.restartServing(address)) }
    func removePeer(_ address: IPAddress) { note(.remove(address)) }

    func status(of address: IPAddress) -> PeerClockStatus? {
        state.withLock { state in
            state.unready.contains(address)
                ? PeerClockStatus(state: .waiting)
                : PeerClockStatus(state: .ready, readyTime: HostTime(nanoseconds: 0), delayRequestCount: 1)
        }
    }

    private func note(_ call: Call) { state.withLock { $0.calls.append(call) } }
}
