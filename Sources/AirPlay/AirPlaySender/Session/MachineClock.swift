import Synchronization
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

/// This machine's clock for its speakers.
///
/// If its ports are taken, it tries them again for each speaker that needs PTP; speakers by NTP and AirPlay 1 need
/// only ``networkTime(at:)``, which works without them. Any thread may call every function.
package final class MachineClock: SenderClock {
    private struct State {
        var service: ClockService?
        /// The last attempt that failed, and its host time.
        var failure: (error: ClockServiceError, at: HostTime)?
    }

    /// The parameters of the service.
    package let configuration: ClockService.Configuration
    private let machine: any Machine
    private let timescale = NetworkTimescale()
    private let state = Mutex(State())
    /// Held during an attempt, which waits for other programs.
    private let attempt = Mutex(())

    /// Creates a clock that is not started.
    ///
    /// - Parameter machine: Time, by which a failed attempt is repeated, and the sockets of the service.
    package init(_ configuration: ClockService.Configuration, machine: any Machine) {
        (self.configuration, self.machine) = (configuration, machine)
    }

    /// The identity of the served clock; before the start the configured one.
    package var identity: ClockIdentity { service?.identity ?? configuration.identity }

    /// See ``SenderClock/hasUsualPorts``.
    package var hasUsualPorts: Bool { (configuration.eventPort, configuration.generalPort) == (319, 320) }

    /// Whether the clock is served, by this program or another.
    package var hasStarted: Bool { service != nil }

    /// Whether this program, and not another, serves the clock for the machine.
    package var isServing: Bool { service?.isServing ?? false }

    private var service: ClockService? { state.withLock { $0.service } }

    /// Starts the clock. Idempotent; waits as `ClockService.init(configuration:machine:)` does. Within a second of a
    /// failed attempt it throws the same error at once.
    package func start() throws(ClockServiceError) { _ = try started() }

    private func started() throws(ClockServiceError) -> ClockService {
        let known = state.withLock { $0 }
        if let service = known.service { return service }
        guard let failure = known.failure else { return try attempt.withLock { _ in attemptStart() }.get() }
        // An attempt of another thread may take seconds.
        let result = attempt.withLockIfAvailable { _ in attemptStart() }
        return try (result ?? .failure(failure.error)).get()
    }

    /// Tries to start, with ``attempt`` locked.
    private func attemptStart() -> Result<ClockService, ClockServiceError> {
        // Another thread may have made the attempt meanwhile.
        let known = state.withLock { $0 }
        if let service = known.service { return .success(service) }
        if let failure = known.failure, machine.now.since(failure.at) < Self.pause {
            return .failure(failure.error)
        }
        do throws(ClockServiceError) {
            let service = try ClockService(configuration: configuration, machine: machine)
            // Speakers have been told the identity.
            guard known.failure == nil || service.identity == configuration.identity else {
                throw .otherIdentity(service.identity, holder: nil)
            }
            state.withLock { $0 = State(service: service) }
            return .success(service)
        } catch {
            state.withLock { $0.failure = (error, machine.now) }
            return .failure(error)
        }
    }

    /// Between a failed attempt and the next: the rooms of a group ask at about the same time.
    private static let pause = Duration.seconds(1)

    /// Serves every speaker for a moment longer, then closes the ports. Waits for the end.
    package func close() async { await service?.close() }

    // MARK: SenderClock

    /// See ``SenderClock/networkTime(at:)``.
    package func networkTime(at host: HostTime) -> NetworkTime { timescale.networkTime(at: host) }

    /// Starts the clock if it is not, and serves a speaker.
    ///
    /// - Throws: `ClockServiceError`.
    package func addPeer(_ address: IPAddress, localAddress: IPAddress) throws {
        try started().addPeer(address, localAddress: localAddress)
    }

    /// See ``SenderClock/setBehaviour(_:of:)``.
    package func setBehaviour(_ behaviour: ClockPeerBehaviour, of address: IPAddress) {
        service?.setBehaviour(behaviour, of: address)
    }

    /// See ``SenderClock/setPathDelay(_:of:)``.
    package func setPathDelay(_ delay: Duration, of address: IPAddress) {
        service?.setPathDelay(delay, of: address)
    }

    /// See ``SenderClock/restartServing(_:)``.
    package func restartServing(_ address: IPAddress) { service?.restartServing(address) }
    /// See ``SenderClock/removePeer(_:)``.
    package func removePeer(_ address: IPAddress) { service?.removePeer(address) }
    /// See ``SenderClock/status(of:)``.
    package func status(of address: IPAddress) -> PeerClockStatus? { service?.status(of: address) }

    /// Starts the clock if it is not, and follows a speaker's.
    ///
    /// - Throws: `ClockServiceError`.
    package func yield(to address: IPAddress, localAddress: IPAddress) throws {
        try started().yield(to: address, localAddress: localAddress)
    }

    /// See ``SenderClock/endYield(to:)``.
    package func endYield(to address: IPAddress) { service?.endYield(to: address) }
    /// See ``SenderClock/leader(at:)``.
    package func leader(at address: IPAddress) -> LeaderClock? { service?.leader(at: address) }
}
