internal import Dispatch
internal import Glibc
internal import MediaTime
internal import Synchronization
internal import SystemIO

/// The render thread of an output: as punctual as the system allows, and to be stopped at any moment.
final class OutputThread: Sendable {
    /// Waits until a time, at once when it has passed. `false` when the thread is to end.
    typealias Wait = (HostTime) -> Bool

    /// Above ordinary threads, below what keeps the machine itself running.
    private static let priority: Int32 = 20

    private let name: String
    private let isStarted = Atomic<Bool>(false)
    private let isStopping = Atomic<Bool>(false)
    private let signal = Mutex<WakeSignal?>(nil)
    private let running = DispatchGroup()

    init(name: String) { self.name = name }

    var shallStop: Bool { isStopping.load(ordering: .acquiring) }

    /// Takes the one start that an output has, before anything is opened for it.
    func claim() throws(OutputError) {
        guard !isStarted.exchange(true, ordering: .acquiringAndReleasing) else {
            throw OutputError(operation: "start", code: EALREADY, description: "an output starts only once")
        }
    }

    /// Runs `body` on the thread; it is to return soon after its `wait` says `false`. Only after ``claim()``.
    func start(_ body: @escaping @Sendable (_ wait: Wait) -> Void) throws(OutputError) {
        do throws(SystemError) {
            try begin(body)
        } catch {
            throw OutputError(
                operation: error.operation, code: error.code,
                description: "no thread for the output: \(error.text)")
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
                // Only a bug could make the wait fail; then the thread ends instead of spinning.
                guard (try? poller.wait(until: time, onReadable: { _ in })) != nil else { return false }
            }
            return !shallStop
        }
    }

    /// Asks the thread to end, without waiting for it.
    func requestStop() {
        isStopping.store(true, ordering: .releasing)
        signal.withLock { $0 }?.wake()
    }

    /// Ends the thread and waits until it has ended.
    func stop() {
        requestStop()
        running.wait()
    }

    /// A limit on the size of files and a closed pipe show as failed writes of this thread, not as the end of
    /// the process.
    private static func blockFileSignals() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGXFSZ)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
