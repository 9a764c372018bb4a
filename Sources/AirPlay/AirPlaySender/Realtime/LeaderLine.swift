import TuttiClockService
import TuttiMediaTime

/// A time of the clock that a receiver plays by, with the clock's identity.
struct ClockStamp: Hashable, Sendable {
    var time: NetworkTime
    var clock: ClockIdentity
    /// Changes where the times of a clock do not continue those before: a restarted receiver, another clock.
    var generation = 0
}

/// The clock of a receiver that leads, as one session knows it: the line to play by, and what to report.
///
/// A value without a clock: what the clock service knows goes in with ``update(_:)``. The last known clock holds until
/// there is a newer one, so that neither a silent receiver nor one that restarts stops the session.
struct LeaderLine: Hashable, Sendable {
    /// The silence after which the receiver's clock is reported as stalled. Sync comes eight times a second.
    static let stallLimit = Duration.seconds(5)

    private let since: HostTime
    private var last: LeaderClock?
    /// The host time from which the receiver's clock was known well enough; `nil` until then. It stays.
    private(set) var readyTime: HostTime?

    /// - Parameter now: The beginning of the session.
    init(at now: HostTime) { since = now }

    /// Takes the clock that the service measures now; `nil` if it measures none.
    mutating func update(_ clock: LeaderClock?) {
        guard let clock else { return }
        last = clock
        readyTime = readyTime ?? clock.settledSince
    }

    /// Returns the receiver's time at a host time; `nil` before its clock was measured.
    func stamp(at host: HostTime) -> ClockStamp? {
        last.map {
            ClockStamp(
                time: $0.mapping.networkTime(at: host), clock: $0.identity, generation: $0.generation)
        }
    }

    /// Returns whether the clock is known and continues.
    func state(at now: HostTime) -> PeerClockState {
        if now.since(last?.lastHeard ?? since) > Self.stallLimit { return .stalled }
        return readyTime == nil ? .waiting : .ready
    }
}
