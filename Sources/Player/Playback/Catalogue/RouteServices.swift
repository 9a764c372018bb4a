import AirPlaySender
import Synchronization
import TuttiClockService
import TuttiSystemIO

/// The services that a catalogue and all its selections share: the search for speakers, their settings and pairings, the devices
/// of this machine, and our clock, which speakers follow. Any thread.
///
/// A ``RouteCatalogue`` has the parts of one zone.
final class RouteServices: Sendable {
    private struct State {
        var clock: MachineClock?
        /// The number of zones that use the clock.
        var users = 0
    }

    let machine: any Machine
    let finder: SpeakerFinder
    let settings: SpeakerSettingsStore
    let pairings: SpeakerPairings
    let devices: MachineDevices
    private let state = Mutex(State())

    init(
        settings: SpeakerSettingsStore, pairings: SpeakerPairings, devices: MachineDevices,
        machine: any Machine
    ) {
        (self.settings, self.pairings, self.devices, self.machine) = (settings, pairings, devices, machine)
        finder = SpeakerFinder(machine: machine)
    }

    /// Returns our clock, which may not have started; one that has keeps the options with which it did.
    ///
    /// - Parameter isNewUser: Whether the caller will balance the call by ``endClockUse()``.
    func clock(_ options: RouteCatalogue.Options, isNewUser: Bool) -> MachineClock {
        let configuration = configuration(options)
        return state.withLock { state in
            if isNewUser { state.users += 1 }
            if let clock = state.clock, clock.hasStarted || clock.configuration == configuration {
                return clock
            }
            let clock = MachineClock(configuration, machine: machine)
            state.clock = clock
            return clock
        }
    }

    /// Ends one zone's use of the clock.
    ///
    /// - Returns: The clock, to be closed, if no other zone uses it.
    func endClockUse() -> MachineClock? {
        state.withLock { state in
            state.users -= 1
            return state.users > 0 ? nil : state.clock.take()
        }
    }

    private func configuration(_ options: RouteCatalogue.Options) -> ClockService.Configuration {
        var configuration = ClockService.Configuration(
            identity: options.clockIdentity ?? .ofHost(machine))
        configuration.isShared = machine.hasOtherPrograms
        if let ports = options.clockPorts {
            (configuration.eventPort, configuration.generalPort) = ports
        }
        // Binds only this loopback address, so that other programs can have clocks at other loopback
        // addresses.
        if let address = options.localAddress, address.isLoopback { configuration.exactAddresses = [address] }
        return configuration
    }
}
