import CTuttiCurl
import Glibc
import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// The engine that transfers the bytes of all sources, on one thread of its own.
///
/// Keeps idle connections for the next request to the same server. The thread and libcurl start with the
/// first source, so a program that plays only files has neither.
package final class WebEngine: Sendable {
    /// The shared engine of the process.
    package static let shared = WebEngine()

    let clock: any HostClock
    private let started = Mutex<WebEngineCore?>(nil)

    /// - Parameter clock: The clock of the time limits.
    package init(clock: any HostClock = SystemClock()) { self.clock = clock }

    deinit { started.withLock { $0 }?.stop() }

    /// Whether the engine's thread was started.
    package var isStarted: Bool { started.withLock { $0 != nil } }

    /// Re-evaluates deadlines after a test clock moved.
    package func clockHasMoved() { started.withLock { $0 }?.submit(nil) }

    func attend(_ source: WebSource) {
        let core = started.withLock { started in
            let core = started ?? WebEngineCore(clock: clock)
            if started == nil { core.start() }
            started = core
            return core
        }
        core.submit(.attend(source))
    }

    func leave(_ source: WebSource) {
        started.withLock { $0 }?.submit(.leave(ObjectIdentifier(source)))
    }

    func perform(_ actions: [FetchPlanner.Action], for source: WebSource) {
        if !actions.isEmpty { started.withLock { $0 }?.submit(.actions(actions, source)) }
    }
}

/// The engine's thread, and the commands on their way to it. The thread alone has the transfers.
final class WebEngineCore: Sendable {
    enum Command {
        /// Watches the source's deadlines.
        case attend(WebSource)
        /// Ends the source's transfers and stops watching it.
        case leave(ObjectIdentifier)
        case actions([FetchPlanner.Action], WebSource)
    }

    private struct Inbox {
        var commands: [Command] = []
        var isStopped = false
    }

    private let inbox = Mutex(Inbox())
    private let multi = MultiHandle()
    private let clock: any HostClock

    /// The longest poll without a deadline, in milliseconds.
    private static let longestPoll: Int64 = 60_000

    init(clock: any HostClock) { self.clock = clock }

    func start() {
        // If the thread does not start, every read ends with its time limit's error.
        guard let multi else { return }
        try? RealtimeThread.start(name: "tutti-web", priority: 0) { [self] _ in run(multi) }
    }

    func stop() {
        inbox.withLock { $0.isStopped = true }
        multi?.wake()
    }

    func submit(_ command: Command?) {
        inbox.withLock { inbox in
            if let command { inbox.commands.append(command) }
        }
        multi?.wake()
    }

    /// Blocks SIGPIPE: OpenSSL writes to connections closed by the server, and the signal would end the
    /// process.
    private static func blockPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private func run(_ multi: MultiHandle) {
        Self.blockPipeSignal()
        let pool = TransferPool(multi: multi, clock: clock)
        while true {
            let (commands, isStopped) = inbox.withLock { inbox in
                defer { inbox.commands = [] }
                return (inbox.commands, inbox.isStopped)
            }
            if isStopped { break }
            for command in commands { pool.perform(command) }
            var running: Int32 = 0
            curl_multi_perform(multi.pointer, &running)
            pool.finishEnded()
            let deadline = pool.handleTimeouts()
            let wait = deadline.map { ($0.since(clock.now).wholeNanoseconds + 999_999) / 1_000_000 }
            let limit = min(max(0, wait ?? Self.longestPoll), Self.longestPoll)
            curl_multi_poll(multi.pointer, nil, 0, Int32(limit), nil)
        }
        pool.endAll()
    }
}
