import Dispatch
import Glibc
import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// The render thread of an output that a device paces. It has the highest priority that the system allows, and can be
/// stopped at any time.
final class OutputThread: Sendable {
    /// Waits until a host time; returns at once if the time has passed. Returns `false` if the thread must
    /// end.
    typealias Wait = (HostTime) -> Bool

    /// `SCHED_FIFO` priority: above ordinary threads, below the kernel's own.
    static let priority: Int32 = 20

    private let name: String
    private let isStarted = Atomic<Bool>(false)
    private let isStopping = Atomic<Bool>(false)
    private let signal = Mutex<WakeSignal?>(nil)
    private let running = DispatchGroup()

    init(name: String) { self.name = name }

    var shallStop: Bool { isStopping.load(ordering: .acquiring) }

    /// Claims the only start of an output, before any resource is opened.
    func claim() throws(OutputError) {
        guard !isStarted.exchange(true, ordering: .acquiringAndReleasing) else { throw .startsOnlyOnce }
    }

    /// Runs `body` on the thread; `body` must return soon after `wait` returns `false`. Requires ``claim()``.
    func start(_ body: @escaping @Sendable (_ wait: Wait) -> Void) throws(OutputError) {
        do throws(SystemError) {
            try begin(body)
        } catch {
            throw .noThread(error)
        }
    }

    private func begin(_ body: @escaping @Sendable (_ wait: Wait) -> Void) throws(SystemError) {
        let signal = try WakeSignal()
        self.signal.withLock { $0 = signal }
        running.enter()
        do throws(SystemError) {
            try RealtimeThread.start(name: name, priority: Self.priority) { [self] _ in
                run(body, signal: signal)
                running.leave()
            }
        } catch {
            running.leave()
            throw error
        }
    }

    private func run(_ body: @Sendable (_ wait: Wait) -> Void, signal: WakeSignal) {
        Self.blockFileSignals()
        var poller = SocketPoller(sockets: [], signal: signal)
        body { time in
            while !shallStop, SystemClock.now < time {
                // Only a bug can make the wait fail; the thread then ends instead of spinning.
                guard (try? poller.wait(until: time, onReadable: { _ in })) != nil else { return false }
            }
            return !shallStop
        }
    }

    /// Asks the thread to end, without waiting.
    func requestStop() {
        isStopping.store(true, ordering: .releasing)
        signal.withLock { $0 }?.wake()
    }

    /// Ends the thread and waits for its end.
    func stop() {
        requestStop()
        running.wait()
    }

    /// Blocks the signals for a file size limit and a closed pipe, so that they appear as failed writes
    /// instead of ending the process.
    static func blockFileSignals() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGXFSZ)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
