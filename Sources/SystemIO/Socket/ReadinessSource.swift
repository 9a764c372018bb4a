public import Dispatch
internal import Glibc
internal import Synchronization

/// Waits until one descriptor is ready; may be armed and disarmed at will, and let go in either state.
///
/// Starts disarmed. The handler runs on the queue, again and again while the descriptor stays ready, and
/// now and then when it is not: it asks the system and takes `EAGAIN` for an answer. A hang-up counts as
/// ready. At most one source of each kind for a descriptor. All functions may be called from any thread.
public final class ReadinessSource: Sendable {
    enum Kind: Sendable { case readable, writable }

    /// How long a wait lasts that the system refuses, e.g. for want of memory.
    private static let pauseAfterFailure = DispatchTimeInterval.milliseconds(100)

    private struct State {
        var isArmed = false
        /// An event is asked for, or on its way.
        var isWaiting = false
        var isKnownToLoop = false
    }

    private let loop: ReadinessLoop
    private let token: ReadinessLoop.Token
    /// Stays open as long as the loop knows it.
    private let socket: SocketDescriptor
    private let queue: DispatchQueue
    private let handler: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameter queue: A serial queue.
    init(
        _ kind: Kind, of socket: SocketDescriptor, on queue: DispatchQueue,
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

    /// Watches a descriptor of somebody else's for input, e.g. standard input; files are always ready.
    ///
    /// - Parameter queue: A serial queue.
    /// - Throws: When the descriptor is not open, or there is no other to be had.
    public convenience init(
        readable descriptor: Int32, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let twin = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard twin >= 0 else { throw .last("fcntl") }
        self.init(.readable, of: SocketDescriptor(number: twin), on: queue, handler)
    }

    deinit {
        loop.remove(token, descriptor: state.withLock { $0.isKnownToLoop } ? socket.number : nil)
    }

    public func arm() {
        state.withLock { state in
            state.isArmed = true
            if !state.isWaiting { wait(&state) }
        }
    }

    public func disarm() { state.withLock { $0.isArmed = false } }

    private func wait(_ state: inout State) {
        state.isWaiting = true
        switch loop.wait(for: socket.number, token: token, isFirst: !state.isKnownToLoop) {
        case 0: state.isKnownToLoop = true
        case EPERM: queue.async { [weak self] in self?.fire() }
        default:
            queue.asyncAfter(deadline: .now() + Self.pauseAfterFailure) { [weak self] in self?.fire() }
        }
    }

    /// On the queue.
    private func fire() {
        let isArmed = state.withLock { state in
            state.isWaiting = false
            return state.isArmed
        }
        guard isArmed else { return }
        handler()
        state.withLock { state in if state.isArmed, !state.isWaiting { wait(&state) } }
    }
}
