import Synchronization
import TuttiAudioOutput
import TuttiSystemIO

/// The devices that this machine has: the sinks of its sound server, its default output, and those that are open. All zones of
/// a process share them; a zone's selection is its own, see ``LocalDevices``. Any thread.
final class MachineDevices: Sendable {
    /// Queries of the machine; tests replace them.
    struct System: Sendable {
        /// Lists the sinks of the sound server, none without a server. Blocks for two seconds at most.
        var sinks: @Sendable () -> [OutputDescription] = { (try? OutputListing.pulse()) ?? [] }
        /// Returns the default output. Its error names no options of our commands, which programs do not have.
        var preferred: @Sendable () throws -> OutputSpecification = {
            do throws(OutputError) { return try OutputSpecification.preferred() } catch {
                if error.isBusy { throw error }
                throw RouteError("no sound server answers and ALSA has no default device")
            }
        }
        var output: @Sendable (OutputSpecification) throws -> any AudioOutput = { try $0.makeOutput() }
    }

    let system: System
    /// Called after each change of ``sinks``, on any thread.
    let changes = Watchers<Void>()
    /// Called for every lost device, on a thread that must not block.
    let losses = Watchers<OutputSpecification>()
    private let listed = Mutex<[OutputDescription]>([])
    private let opened = Mutex<[OutputSpecification: WeakReference<SharedDevice>]>([:])
    /// Serializes openings: two would compete for one device.
    private let opening = Mutex(())

    init(system: System = System()) { self.system = system }

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
    func open(_ wanted: OutputSpecification) throws -> LocalDevice {
        try opening.withLock { _ in
            if let device = opened.withLock({ $0[wanted]?.object }), device.enter() {
                return LocalDevice(device)
            }
            let device = try SharedDevice(system.output(wanted)) { [weak self] in self?.losses.tell(wanted) }
            opened.withLock { opened in
                opened = opened.filter { $0.value.object != nil }
                opened[wanted] = WeakReference(device)
            }
            return LocalDevice(device)
        }
    }
}
