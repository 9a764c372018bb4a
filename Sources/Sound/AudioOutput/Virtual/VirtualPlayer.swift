import TuttiMediaTime
import TuttiSystemIO

/// Runs a ``VirtualDevice`` on a loop of its own, in its machine's time.
final class VirtualPlayer<Sink: VirtualSink>: Sendable {
    private let device: VirtualDevice<Sink>
    private let loop: OutputLoop
    private let machine: any Machine

    init(name: String, device: VirtualDevice<Sink>, machine: any Machine) {
        (self.device, self.machine) = (device, machine)
        loop = OutputLoop(name: name, machine: machine)
    }

    deinit { loop.requestStop() }

    func start(_ source: any RenderSource) throws(OutputError) {
        try loop.claim()
        var opened = device
        try opened.open(at: machine.now)
        let reporter = StateReporter(source: source, machine: machine)
        try loop.start { [device = opened, loop, machine] in
            VirtualTurns(device, loop, source: source, reporter: reporter, machine: machine)
        }
    }

    func stop() { loop.stop() }
}

/// The turns of a virtual device: renders what is due, until the output shall stop.
private final class VirtualTurns<Sink: VirtualSink>: LoopTurns {
    private var device: VirtualDevice<Sink>
    /// Host time from which the device has something to do.
    private var due: HostTime
    private let loop: OutputLoop
    private let source: any RenderSource
    private let reporter: StateReporter
    private let machine: any Machine

    init(
        _ device: VirtualDevice<Sink>, _ loop: OutputLoop, source: any RenderSource, reporter: StateReporter,
        machine: any Machine
    ) {
        (self.device, self.loop, self.source) = (device, loop, source)
        (self.reporter, self.machine) = (reporter, machine)
        due = machine.now
    }

    func turn(ready: [Int], _ watch: inout LoopWatch) -> LoopTurn {
        if loop.shallStop { return .end }
        let now = machine.now
        // A signal may end a wait early.
        guard now >= due else { return .wait(until: due) }
        let step = device.advance(to: now, source: source)
        if let change = step.change { reporter.report(change) }
        due = step.wake
        return .wait(until: due)
    }

    func end() {
        reporter.end()
        device.close()
    }
}
