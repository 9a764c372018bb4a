import AirPlaySender
import Synchronization
import TuttiClockService
import TuttiSystemIO

/// The services that all selections of a program share: the search for speakers, their settings, and our clock,
/// which they follow. Any thread.
final class SpeakerServices: Sendable {
    private struct State {
        var clock: MachineClock?
        /// Selections that use the clock.
        var users = 0
    }

    let finder = SpeakerFinder()
    let settings: SpeakerSettingsStore
    private let state = Mutex(State())

    init(settings: SpeakerSettingsStore) { self.settings = settings }

    /// Returns our clock, which may not have started; one that has keeps the options with which it did.
    ///
    /// - Parameter isNewUser: whether the caller will balance the call by ``endClockUse()``.
    func clock(_ options: RouteCatalogue.Options, isNewUser: Bool) -> MachineClock {
        let configuration = Self.configuration(options)
        return state.withLock { state in
            if isNewUser { state.users += 1 }
            if let clock = state.clock, clock.hasStarted || clock.configuration == configuration {
                return clock
            }
            let clock = MachineClock(configuration)
            state.clock = clock
            return clock
        }
    }

    /// Ends one selection's use of the clock.
    ///
    /// - Returns: the clock, to be closed, if no other selection uses it.
    func endClockUse() -> MachineClock? {
        state.withLock { state in
            state.users -= 1
            return state.users > 0 ? nil : state.clock.take()
        }
    }

    private static func configuration(_ options: RouteCatalogue.Options) -> ClockService.Configuration {
        var configuration = ClockService.Configuration()
        if let identity = options.clockIdentity { configuration.identity = identity }
        if let ports = options.clockPorts {
            (configuration.eventPort, configuration.generalPort) = ports
        }
        // Binds only this loopback address, so that other programs can have clocks at other loopback
        // addresses.
        if let address = options.localAddress, address.isLoopback { configuration.exactAddresses = [address] }
        return configuration
    }
}
