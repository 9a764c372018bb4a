import Synchronization
import TuttiAudioOutput
import TuttiSystemIO

/// The devices of this machine as a catalogue and all its selections share them: the sinks of the sound server, and those
/// that are open. A zone's selection is its own, see ``LocalDevices``. Any thread.
final class MachineDevices: Sendable {
    /// Queries of the machine; tests replace them.
    struct System: Sendable {
        /// Lists the sinks of the sound server, none without a server. Blocks for two seconds at most.
        var sinks: @Sendable () -> [OutputDescription] = { (try? OutputListing.pulse()) ?? [] }
        /// Returns the default output. Its error names no options of our commands, which programs do not have.
        var preferred: @Sendable () throws -> OutputSpecification = {
            do throws(OutputError) { return try OutputSpecification.preferred() } catch {
                if error.isBusy { throw error }
                throw RouteError("no sound server answers, and ALSA has no default device")
            }
        }
        var output: @Sendable (OutputSpecification) throws -> any AudioOutput

        /// - Parameter machine: Time and loops of the outputs without a device.
        init(machine: any Machine) {
            output = { try $0.makeOutput(machine: machine) }
        }
    }

    let system: System
    private let machine: any Machine
    /// Called after each change of ``sinks``, on any thread.
    let changes = Watchers<Void>()
    /// Called for every lost device, on a thread that must not block.
    let losses = Watchers<OutputSpecification>()
    private let listed = Mutex<[OutputDescription]>([])
    private let shared = Mutex<[OutputSpecification: WeakReference<SharedDevice>]>([:])

    init(system: System? = nil, machine: any Machine) {
        self.system = system ?? System(machine: machine)
        self.machine = machine
    }

    /// The sinks of the sound server, as last listed.
    var sinks: [OutputDescription] { listed.withLock { $0 } }

    /// Lists the sound server's sinks again. Blocks for two seconds at most.
    func refresh() {
        let sinks = system.sinks()
        let isChange = listed.withLock { listed in
            defer { listed = sinks }
            return listed != sinks
        }
        if isChange { changes.tell(()) }
    }

    /// Opens a device for one more zone. May block until it is open.
    ///
    /// - Throws: `OutputError` if it cannot be opened.
    func open(_ wanted: OutputSpecification) throws -> LocalDevice { try LocalDevice(device(wanted)) }

    private func device(_ wanted: OutputSpecification) -> SharedDevice {
        shared.withLock { shared in
            if let device = shared[wanted]?.object { return device }
            let device = SharedDevice(
                machine: machine,
                makeOutput: { [system] in try system.output(wanted) },
                onLoss: { [weak self] in self?.losses.tell(wanted) })
            shared = shared.filter { $0.value.object != nil }
            shared[wanted] = WeakReference(device)
            return device
        }
    }
}
