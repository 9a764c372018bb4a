import Synchronization
import TuttiAudioOutput

/// The devices that this machine has: the sinks of its sound server, and its default output. All zones of a process share
/// them; what a zone has selected and opened is its own, see ``LocalDevices``. Any thread.
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
    private let listed = Mutex<[OutputDescription]>([])

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
}
