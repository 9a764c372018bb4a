import Glibc
import Synchronization

/// Calls a handler while one descriptor is ready. May be armed, disarmed and released in any state.
///
/// Starts disarmed. The handler runs on the queue, repeatedly while the descriptor stays ready, and
/// occasionally while it is not, so it must accept `EAGAIN`. A hang-up counts as ready. At most one source of
/// each kind for a descriptor. Thread-safe.
public final class ReadinessSource: Readiness {
    /// Back-off after a wait that the system refuses, e.g. for lack of memory.
    private static let pauseAfterFailure = Duration.milliseconds(100)

    private struct State {
        var isArmed = false
        /// An event is requested or on its way.
        var isWaiting = false
        var isKnownToLoop = false
    }

    private let loop: ReadinessLoop
    private let token: ReadinessLoop.Token
    /// Keeps the descriptor open as long as the loop knows it.
    private let socket: SocketDescriptor
    private let queue: SerialQueue
    private let handler: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameter queue: A serial queue.
    init(
        _ kind: ReadinessKind, of socket: SocketDescriptor, on queue: SerialQueue,
        _ handler: @escaping @Sendable () -> Void
    ) {
        loop =
            switch kind {
            case .readable: .readable
            case .writable: .writable
            }
        token = loop.makeToken()
        self.socket = socket
        self.queue = queue
        self.handler = handler
        loop.add(token, on: queue) { [weak self] in self?.fire() }
    }

    /// Watches a borrowed descriptor for input, e.g. standard input; files are always ready.
    ///
    /// - Parameter queue: A serial queue.
    /// - Throws: An error if the descriptor is not open, or no further descriptor is available.
    public convenience init(
        readable descriptor: Int32, on queue: SerialQueue, _ handler: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let twin = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard twin >= 0 else { throw .last("fcntl") }
        self.init(.readable, of: SocketDescriptor(number: twin), on: queue, handler)
    }

    deinit {
        loop.remove(token, descriptor: state.withLock { $0.isKnownToLoop } ? socket.number : nil)
    }

    /// Starts calls of the handler. Idempotent.
    public func arm() {
        state.withLock { state in
            state.isArmed = true
            if !state.isWaiting { wait(&state) }
        }
    }

    /// Stops calls of the handler; a call that has begun still finishes. Idempotent.
    public func disarm() { state.withLock { $0.isArmed = false } }

    private func wait(_ state: inout State) {
        state.isWaiting = true
        switch loop.wait(for: socket.number, token: token, isFirst: !state.isKnownToLoop) {
        case 0: state.isKnownToLoop = true
        case EPERM: queue.async { [weak self] in self?.fire() }
        default:
            queue.async(after: Self.pauseAfterFailure) { [weak self] in self?.fire() }
        }
    }

    /// Calls the handler.
    private func fire() {
        queue.assertCurrent()
        let isArmed = state.withLock { state in
            state.isWaiting = false
            return state.isArmed
        }
        guard isArmed else { return }
        handler()
        state.withLock { state in if state.isArmed, !state.isWaiting { wait(&state) } }
    }
}
