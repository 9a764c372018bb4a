import Synchronization
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

@testable import AirPlaySender

/// A clock without sockets. The test decides which speakers follow it.
final class FakeClock: SenderClock {
    enum Call: Hashable, Sendable {
        case add(IPAddress)
        case behaves(ClockPeerBehaviour, IPAddress)
        case measured(IPAddress)
        case restartServing(IPAddress)
        case remove(IPAddress)
        case yield(IPAddress)
        case endYield(IPAddress)
    }

    private struct State {
        var calls: [Call] = []
        var unready: Set<IPAddress> = []
        var leaders: [IPAddress: LeaderClock] = [:]
        var insisting: [IPAddress: ClockIdentity] = [:]
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

    func addPeer(_ address: IPAddress, localAddress: IPAddress) { note(.add(address)) }
    func setBehaviour(_ behaviour: ClockPeerBehaviour, of address: IPAddress) {
        note(.behaves(behaviour, address))
    }
    func setPathDelay(_ delay: Duration, of address: IPAddress) { note(.measured(address)) }
    func restartServing(_ address: IPAddress) { note(.restartServing(address)) }
    func removePeer(_ address: IPAddress) { note(.remove(address)) }

    func status(of address: IPAddress) -> PeerClockStatus? {
        state.withLock { state in
            var status =
                state.unready.contains(address)
                ? PeerClockStatus(state: .waiting)
                : PeerClockStatus(state: .ready, readyTime: HostTime(nanoseconds: 0), delayRequestCount: 1)
            status.insistsOn = state.insisting[address]
            return status
        }
    }

    func yield(to address: IPAddress, localAddress: IPAddress) { note(.yield(address)) }
    func endYield(to address: IPAddress) { note(.endYield(address)) }
    func leader(at address: IPAddress) -> LeaderClock? { state.withLock { $0.leaders[address] } }

    /// Sets the clock of a speaker that leads; `nil` while it is not measured.
    func setLeader(_ clock: LeaderClock?, at address: IPAddress) {
        state.withLock { $0.leaders[address] = clock }
    }

    /// Makes a speaker keep announcing a clock of its own.
    func insist(_ address: IPAddress, on clock: ClockIdentity) {
        state.withLock { $0.insisting[address] = clock }
    }

    private func note(_ call: Call) { state.withLock { $0.calls.append(call) } }
}
