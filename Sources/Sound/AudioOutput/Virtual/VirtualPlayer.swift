import TuttiMediaTime
import TuttiSystemIO

/// Runs a ``VirtualDevice`` on a dedicated thread.
final class VirtualPlayer<Sink: VirtualSink>: Sendable {
    private let device: VirtualDevice<Sink>
    private let thread: OutputThread

    init(name: String, device: VirtualDevice<Sink>) {
        self.device = device
        thread = OutputThread(name: name)
    }

    deinit { thread.requestStop() }

    func start(_ source: any RenderSource) throws(OutputError) {
        try thread.claim()
        var opened = device
        try opened.open(at: SystemClock.now)
        let device = opened
        let reporter = StateReporter(source: source)
        try thread.start { wait in
            var device = device
            var step = VirtualDevice<Sink>.Step(wake: SystemClock.now)
            while wait(step.wake) {
                step = device.advance(to: SystemClock.now, source: source)
                if let change = step.change { reporter.report(change) }
            }
            reporter.end()
            device.close()
        }
    }

    func stop() { thread.stop() }
}
