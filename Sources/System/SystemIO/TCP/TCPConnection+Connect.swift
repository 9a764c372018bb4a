import Glibc
import Synchronization
import TuttiMediaTime

extension TCPConnection {
    /// Connects to `peer`.
    ///
    /// - Parameters:
    ///   - source: The local source address; `nil` leaves the choice to the routes.
    ///   - timeout: Time limit for the peer's answer.
    /// - Throws: The system's error; `ETIMEDOUT` after `timeout`, `ECANCELED` if the task is cancelled.
    package static func connect(
        to peer: SocketAddress, from source: IPAddress? = nil, options: TCPOptions = TCPOptions(),
        timeout: Duration = .seconds(5)
    ) async throws(SystemError) -> TCPConnection {
        let socket = try SocketDescriptor(family: peer.address.family, type: SOCK_STREAM)
        try options.apply(to: socket)
        if let source { try socket.bind(to: SocketAddress(source, port: 0)) }
        let queue = SerialQueue(label: "tcp \(peer)")
        let attempt = ConnectAttempt(socket: socket, queue: queue)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { attempt.begin(peer, timeout: timeout, $0) }
        } onCancel: {
            attempt.finish(SystemError(operation: "connect", code: ECANCELED))
        }
        if let result { throw result }
        return TCPConnection(socket: try KernelStream(socket), queue: queue)
    }
}

/// One wait for the result of a connect; the first outcome ends it.
private final class ConnectAttempt: Sendable {
    private struct State {
        var continuation: CheckedContinuation<SystemError?, Never>?
        var answer: ReadinessSource?
        /// An outcome that came before the wait began.
        var earlyEnd: SystemError?
    }

    private let socket: SocketDescriptor
    private let queue: SerialQueue
    private let state = Mutex(State())

    init(socket: SocketDescriptor, queue: SerialQueue) {
        self.socket = socket
        self.queue = queue
    }

    func begin(
        _ peer: SocketAddress, timeout: Duration, _ continuation: CheckedContinuation<SystemError?, Never>
    ) {
        let earlyEnd: SystemError? = state.withLock { state in
            if state.earlyEnd == nil { state.continuation = continuation }
            return state.earlyEnd
        }
        if let earlyEnd { return continuation.resume(returning: earlyEnd) }
        let result = peer.withSockaddr { Glibc.connect(socket.number, $0, $1) }
        if result == 0 { return finish(nil) }
        let error = SystemError.last("connect")
        guard error.code == EINPROGRESS else { return finish(error) }
        wait(timeout)
    }

    /// Ends the wait once; `nil` means success.
    func finish(_ error: SystemError?) {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            state.answer = nil
            if state.continuation == nil, let error { state.earlyEnd = error }
            return state.continuation
        }
        continuation?.resume(returning: error)
    }

    private func wait(_ timeout: Duration) {
        let answer = ReadinessSource(.writable, of: socket, on: queue) { [weak self] in self?.readAnswer() }
        state.withLock { state in
            guard state.continuation != nil else { return }
            state.answer = answer
            answer.arm()
        }
        queue.async(after: timeout) { [weak self] in
            self?.finish(SystemError(operation: "connect", code: ETIMEDOUT))
        }
    }

    private func readAnswer() {
        queue.assertCurrent()
        do {
            let code = try socket.option(SOL_SOCKET, SO_ERROR)
            finish(code == 0 ? nil : SystemError(operation: "connect", code: code))
        } catch {
            finish(error)
        }
    }
}
