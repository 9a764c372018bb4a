import Synchronization
import TuttiSystemIO

/// Reports state changes of a device to its source, in order, on a dedicated queue.
final class StateReporter: Sendable {
    private let source: any RenderSource
    private let hasEnded = Atomic<Bool>(false)
    private let queue: SerialQueue

    init(source: any RenderSource, machine: any Machine) {
        self.source = source
        queue = machine.makeQueue("tutti.output")
    }

    func report(_ state: OutputState) {
        queue.async { [self] in
            if !hasEnded.load(ordering: .acquiring) { source.outputChanged(state) }
        }
    }

    /// Drops later reports; a report in progress still finishes.
    func end() { hasEnded.store(true, ordering: .releasing) }
}
