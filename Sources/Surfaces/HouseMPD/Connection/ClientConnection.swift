import Synchronization
import TuttiSystemIO

/// Moves bytes between a TCP connection and the session of a client.
///
/// SystemIO's connections were chosen over libevent: they need no loop of their own, a client costs a
/// descriptor in the process's one epoll and no thread, and the session, an actor, runs only while a command
/// of it does. Reading stops while a command runs, and until its answer is on its way, so that a client cannot
/// queue up commands faster than they are answered, and one that ends its side has its answers.
final class ClientConnection: ClientLink {
    /// The longest silence of a client that waits for no events, and of one that takes no bytes, as in MPD.
    static let patience = Duration.seconds(60)

    private struct State {
        var isClosed = false
        /// Resumed when there is room, or the client is gone.
        var waiter: CheckedContinuation<Bool, Never>?
        var lastActivity: ContinuousClock.Instant
        var isWorking = false
        var onActivity: (@Sendable () -> Void)?
        /// Taken by the first end.
        var onClose: (@Sendable () -> Void)?
    }

    let author: String
    private let connection: TCPConnection
    private let state: Mutex<State>
    private let now: @Sendable () -> ContinuousClock.Instant

    init(_ connection: TCPConnection, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        (self.connection, self.now) = (connection, now)
        author = "\(connection.peerAddress.address)"
        state = Mutex(State(lastActivity: now()))
    }

    /// Greets the client, and begins to answer.
    ///
    /// - Parameters:
    ///   - onActivity: Called when the client sends something, or is sent something.
    ///   - onClose: Called once, at the end, also if the connection has ended already.
    func start(
        _ session: ClientSession, onActivity: @escaping @Sendable () -> Void,
        onClose: @escaping @Sendable () -> Void
    ) {
        state.withLock { state in
            state.onActivity = onActivity
            state.onClose = {
                session.client.linkDidEnd()
                onClose()
            }
        }
        // The greeting comes before all answers, and after the start, whose close handler frees the place of
        // a client that is gone already.
        connection.pauseReading()
        connection.start(
            onBytes: { [weak self, weak session] bytes in
                guard let self, let session else { return }
                onActivity()
                answer(bytes, session)
            },
            onClose: { [weak self] _ in self?.end() })
        connection.send(Array(ClientSession.greeting.utf8))
        connection.resumeReading()
        // The connection itself does not tell of an end before its start.
        if state.withLock({ $0.isClosed }) { end() }
    }

    private func answer(_ bytes: [UInt8], _ session: ClientSession) {
        connection.pauseReading()
        state.withLock { ($0.isWorking, $0.lastActivity) = (true, now()) }
        Task {
            await session.receive(bytes)
            _ = await drained()
            state.withLock { ($0.isWorking, $0.lastActivity) = (false, now()) }
            connection.resumeReading()
        }
    }

    private func end() {
        let (waiter, onClose) = state.withLock { state in
            state.isClosed = true
            state.onActivity = nil
            return (state.waiter.take(), state.onClose.take())
        }
        waiter?.resume(returning: false)
        onClose?()
    }

    /// Whether no command of the client runs.
    var isAtRest: Bool { state.withLock { !$0.isWorking && $0.waiter == nil } }

    /// Closes the connection if the client is silent, or takes nothing, for too long.
    ///
    /// - Parameter isIdle: Whether it waits for events, which may take any time.
    func closeIfStuck(isIdle: Bool, at now: ContinuousClock.Instant) {
        let isStuck = state.withLock { state in
            // A command that computes is no fault of the client.
            let isWaiting = state.waiter != nil || !state.isWorking && !isIdle
            return isWaiting && state.lastActivity.duration(to: now) > Self.patience
        }
        if isStuck { close() }
    }

    // MARK: ClientLink

    func send(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        // A client that was just told of an event waits no more: its silence counts from now on.
        let onActivity = state.withLock { state in
            state.lastActivity = now()
            return state.onActivity
        }
        connection.send(bytes)
        onActivity?()
    }

    func drained() async -> Bool {
        await withCheckedContinuation { continuation in
            let isClosed = state.withLock { state in
                if !state.isClosed { (state.waiter, state.lastActivity) = (continuation, now()) }
                return state.isClosed
            }
            guard !isClosed else { return continuation.resume(returning: false) }
            connection.notifyWhenWritable { [weak self] in
                self?.state.withLock { $0.waiter.take() }?.resume(returning: true)
            }
        }
    }

    func close() {
        let waiter = state.withLock { state in
            state.isClosed = true
            return state.waiter.take()
        }
        waiter?.resume(returning: false)
        connection.close()
    }
}
