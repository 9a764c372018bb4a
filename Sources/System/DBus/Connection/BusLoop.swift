import Glibc
import Synchronization
import TuttiSystemIO

/// The thread that drives connections, `tutti-dbus`. It begins with the first connection.
///
/// The loop has its own thread with `poll`, and no dispatch source: what libsystemd wants to wait for, reading,
/// writing and a deadline, changes with each message, and a connection whose bus is slow must not be read.
package final class BusLoop: Sendable {
    private let inbox: LoopInbox
    private let lastNumber = Atomic<UInt64>(0)

    /// Makes a loop without a thread.
    ///
    /// - Parameter retry: The pauses of its connections.
    package convenience init(retry: RetryPolicy = RetryPolicy()) {
        self.init(retry: retry, closingPatience: 0.25)
    }

    /// - Parameter closingPatience: The seconds that closing connections have to send what waits.
    init(retry: RetryPolicy, closingPatience: Double) { inbox = LoopInbox(retry, closingPatience) }

    deinit { inbox.end() }

    /// Closes all connections, those with unsent messages after a last moment to send them, and ends the
    /// thread. Returns when that is done, within half a second.
    package func close() async {
        await withCheckedContinuation { continuation in
            inbox.end { continuation.resume() }
        }
    }

    func makeNumber() -> UInt64 { lastNumber.add(1, ordering: .relaxed).newValue }

    func submit(_ command: LoopInbox.Command) { inbox.submit(command) }

    func submitSignals(of number: UInt64) { inbox.submitSignals(of: number) }
}

/// The commands on their way to the thread of a loop. Any thread.
final class LoopInbox: Sendable {
    enum Command: Sendable {
        /// Opens a connection.
        case open(UInt64, ConnectionPlan)
        /// Closes a connection.
        case close(UInt64)
        /// Replies to a call of a connection.
        case reply(connection: UInt64, call: UInt64, BusReply)
    }

    struct Batch {
        var commands: [Command] = []
        /// Connections that have signals.
        var signals: Set<UInt64> = []
        var isEnding = false
    }

    private struct State {
        var batch = Batch()
        var isRunning = false
        var isOver = false
        var waker: WakePipe?
        var completions: [@Sendable () -> Void] = []
    }

    let retry: RetryPolicy
    /// Seconds.
    let closingPatience: Double
    private let state = Mutex(State())

    init(_ retry: RetryPolicy, _ closingPatience: Double) {
        (self.retry, self.closingPatience) = (retry, closingPatience)
    }

    func submit(_ command: Command) {
        let mustStart = state.withLock { state in
            // Replies are bounded by the calls that wait, the others by the connections.
            guard !state.isOver else { return false }
            state.batch.commands.append(command)
            state.waker?.wake()
            guard !state.isRunning, case .open = command else { return false }
            state.isRunning = true
            return true
        }
        if mustStart { start() }
    }

    func submitSignals(of number: UInt64) {
        state.withLock { state in
            guard state.isRunning, !state.isOver, state.batch.signals.insert(number).inserted else { return }
            state.waker?.wake()
        }
    }

    /// Ends the thread.
    ///
    /// - Parameter completion: Called when it has ended, on any thread.
    func end(_ completion: (@Sendable () -> Void)? = nil) {
        let isDone = state.withLock { state in
            guard state.isRunning else {
                state.isOver = true
                return true
            }
            if let completion { state.completions.append(completion) }
            state.batch.isEnding = true
            state.waker?.wake()
            return false
        }
        if isDone { completion?() }
    }

    func take() -> Batch {
        state.withLock { state in
            defer {
                state.batch.commands = []
                state.batch.signals = []
            }
            return state.batch
        }
    }

    private func start() {
        do throws(SystemError) {
            let pipe = try WakePipe()
            state.withLock { $0.waker = pipe }
            try RealtimeThread.start(name: "tutti-dbus", priority: 0) { [self] _ in
                LoopThread(self, pipe).run()
                finish()
            }
        } catch {
            let plans = take().commands.compactMap { command in
                if case .open(_, let plan) = command { plan } else { nil }
            }
            finish()
            for plan in plans { plan.handlers.state(.failed("D-Bus needs a thread: \(error)")) }
        }
    }

    private func finish() {
        let completions = state.withLock { state in
            (state.isRunning, state.isOver, state.waker, state.batch) = (false, true, nil, Batch())
            defer { state.completions = [] }
            return state.completions
        }
        for completion in completions { completion() }
    }
}

/// A pair of sockets that ends the wait of the loop's thread. Any thread; wakes coalesce.
final class WakePipe: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw SystemError(operation: "socketpair", code: errno)
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    func wake() {
        var byte: UInt8 = 1
        // A full buffer means that a wake is pending already.
        _ = Glibc.send(writeEnd, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    func clear() {
        var bytes = (UInt64(0), UInt64(0))
        while read(readEnd, &bytes, 16) > 0 {}
    }
}
