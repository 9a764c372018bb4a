import Dispatch
import MediaTime
import RTSP
import Synchronization
import SystemIO

/// One speaker's connection to the ``DACPServer``: requests in, answers out in the same order.
final class DACPConnection: Sendable {
    typealias Serve = @Sendable (RTSPRequest, @escaping @Sendable (RTSPStatus) -> Void) -> Void

    private struct State {
        var machine: RTSPServerConnection
        /// Requests that the program has not answered yet, with their deadlines.
        var unanswered: [(id: RTSPRequestID, until: HostTime)] = []
        var isTimerSet = false
    }

    private let socket: TCPConnection
    private let state: Mutex<State>
    private let clock: any HostClock
    private let serve: Serve

    init(
        _ socket: TCPConnection, _ machine: RTSPServerConnection, clock: any HostClock, serve: @escaping Serve
    ) {
        self.socket = socket
        state = Mutex(State(machine: machine))
        self.clock = clock
        self.serve = serve
    }

    func start(onEnd: @escaping @Sendable () -> Void) {
        socket.start(
            onBytes: { [weak self] bytes in self?.receive(bytes) },
            onClose: { _ in onEnd() })
        flush()
    }

    func close() { socket.close() }

    private func receive(_ bytes: [UInt8]) {
        let now = clock.now
        let events = state.withLock { $0.machine.receive(bytes, at: now) }
        for event in events {
            guard case .request(let id, let request) = event else { continue }
            state.withLock { $0.unanswered.append((id, now.advanced(by: DACPServer.patience))) }
            serve(request) { [weak self] status in self?.answer(id, status) }
        }
        watchPatience()
        flush()
    }

    /// Sets one timer for all unanswered requests of the connection.
    private func watchPatience() {
        let first = state.withLock { state -> HostTime? in
            guard !state.isTimerSet, let first = state.unanswered.first else { return nil }
            state.isTimerSet = true
            return first.until
        }
        guard let first else { return }
        let delay = max(0, first.since(clock.now).wholeNanoseconds)
        socket.queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: delay))) { [weak self] in
            self?.endPatience()
        }
    }

    private func endPatience() {
        let now = clock.now
        let late = state.withLock { state in
            state.isTimerSet = false
            return state.unanswered.filter { $0.until <= now }
        }
        for request in late { answer(request.id, .internalServerError) }
        watchPatience()
    }

    private func answer(_ id: RTSPRequestID, _ status: RTSPStatus) {
        var response = RTSPResponse(status)
        // Without Content-Length an HTTP client waits for a body; a 204 has none.
        if status.rawValue != 204 { response.headers["Content-Length"] = "0" }
        state.withLock { state in
            state.unanswered.removeAll { $0.id == id }
            state.machine.respond(to: id, with: response)
        }
        flush()
    }

    /// Sends pending output. Hands bytes over under the lock, so that two threads cannot swap their order;
    /// `send` only queues them.
    private func flush() {
        var (wake, isClosing): (HostTime?, Bool) = (nil, false)
        state.withLock { state in
            while let output = state.machine.nextOutput() {
                switch output {
                case .send(let bytes): socket.send(bytes)
                case .wake(let time): wake = time
                case .close: isClosing = true
                }
            }
        }
        if let wake {
            let delay = max(0, wake.since(clock.now).wholeNanoseconds)
            socket.queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: delay))) { [weak self] in
                self?.wake()
            }
        }
        if isClosing { socket.close() }
    }

    private func wake() {
        let now = clock.now
        state.withLock { _ = $0.machine.handleTimeout(at: now) }
        flush()
    }
}
