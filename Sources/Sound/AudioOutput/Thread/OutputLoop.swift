import Synchronization
import TuttiSystemIO

/// The render loop of an output that follows its machine's time. It has the highest priority that the system allows,
/// and can be stopped at any time.
final class OutputLoop: Sendable {
    private let name: String
    private let machine: any Machine
    private let isStarted = Atomic<Bool>(false)
    private let isStopping = Atomic<Bool>(false)
    private let loop = Mutex<(any Loop)?>(nil)

    init(name: String, machine: any Machine) { (self.name, self.machine) = (name, machine) }

    var shallStop: Bool { isStopping.load(ordering: .acquiring) }

    /// Claims the only start of an output, before any resource is opened.
    func claim() throws(OutputError) {
        guard !isStarted.exchange(true, ordering: .acquiringAndReleasing) else { throw .startsOnlyOnce }
    }

    /// Starts the turns, which must end soon after ``shallStop`` is `true`. Requires ``claim()``.
    ///
    /// - Parameter make: Makes the turns, on the loop's thread, which has blocked the signals of files.
    func start(_ make: @escaping @Sendable () -> any LoopTurns) throws(OutputError) {
        do throws(SystemError) {
            let loop = try machine.makeLoop()
            self.loop.withLock { $0 = loop }
            try loop.start(name, priority: OutputThread.priority) {
                OutputThread.blockFileSignals()
                return make()
            }
        } catch {
            throw .noThread(error)
        }
    }

    /// Asks the turns to end, without waiting.
    func requestStop() {
        isStopping.store(true, ordering: .releasing)
        loop.withLock { $0 }?.wake()
    }

    /// Ends the turns and waits for their end.
    func stop() {
        requestStop()
        loop.withLock { $0 }?.waitForEnd()
    }
}
