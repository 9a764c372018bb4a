internal import CCurl
internal import Glibc
internal import MediaTime
internal import Synchronization
package import SystemIO

/// Moves the bytes of all sources, on one thread of its own.
///
/// Connections that are free are kept and used again by whoever asks the same server next. The thread, and the library
/// behind it, begin with the first source: who plays files has neither.
package final class WebEngine: Sendable {
    /// The one of the process.
    package static let shared = WebEngine()

    let clock: any HostClock
    private let started = Mutex<WebEngineCore?>(nil)

    package init(clock: any HostClock = SystemClock()) { self.clock = clock }

    deinit { started.withLock { $0 }?.stop() }

    /// Whether anything was ever asked for.
    package var isStarted: Bool { started.withLock { $0 != nil } }

    /// The clock has moved, though no time went by; for clocks of tests.
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

    func carryOut(_ actions: [WebCourse.Action], for source: WebSource) {
        if !actions.isEmpty { started.withLock { $0 }?.submit(.actions(actions, source)) }
    }
}

/// The engine's thread and what belongs to it.
///
/// Safe to share: `multi` is used on the engine's thread only, but for `curl_multi_wakeup`, which any thread
/// may call; `desk` is used on that thread only; `inbox` has its lock.
final class WebEngineCore: @unchecked Sendable {
    enum Command {
        /// Its deadlines count from now on.
        case attend(WebSource)
        /// Nothing of it is wanted any more.
        case leave(ObjectIdentifier)
        case actions([WebCourse.Action], WebSource)
    }

    private struct Inbox {
        var commands: [Command] = []
        var isStopped = false
    }

    private let inbox = Mutex(Inbox())
    private let multi: UnsafeMutableRawPointer?
    private let desk: TransferDesk
    private let clock: any HostClock

    /// Nothing to do: look again after this, in milliseconds.
    private static let longestPoll: Int64 = 60_000
    /// Once for the process, before anything else of the library.
    private static let prepared = curl_global_init(Int(shim_global_all)) == CURLE_OK

    init(clock: any HostClock) {
        self.clock = clock
        multi = Self.prepared ? curl_multi_init() : nil
        desk = TransferDesk(multi: multi, clock: clock)
    }

    deinit { if let multi { curl_multi_cleanup(multi) } }

    func start() {
        // Without a thread every read ends in its time limit's error.
        try? RealtimeThread.start(name: "tutti-web", priority: 0) { [self] _ in run() }
    }

    func stop() {
        inbox.withLock { $0.isStopped = true }
        wake()
    }

    func submit(_ command: Command?) {
        inbox.withLock { inbox in
            if let command { inbox.commands.append(command) }
        }
        wake()
    }

    private func wake() {
        if let multi { curl_multi_wakeup(multi) }
    }

    /// OpenSSL writes to connections that the server has closed; the signal for that would end the process.
    private static func blockPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private func run() {
        guard let multi else { return }
        Self.blockPipeSignal()
        while true {
            let (commands, isStopped) = inbox.withLock { inbox in
                defer { inbox.commands = [] }
                return (inbox.commands, inbox.isStopped)
            }
            if isStopped { break }
            for command in commands { desk.carryOut(command) }
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            desk.finishEnded()
            let deadline = desk.handleTimeouts()
            let wait = deadline.map { ($0.since(clock.now).wholeNanoseconds + 999_999) / 1_000_000 }
            let limit = min(max(0, wait ?? Self.longestPoll), Self.longestPoll)
            curl_multi_poll(multi, nil, 0, Int32(limit), nil)
        }
        desk.endAll()
    }
}
