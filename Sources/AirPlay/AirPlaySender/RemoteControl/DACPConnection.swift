import Synchronization
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

/// One speaker's connection to the ``DACPServer``: requests in, answers out in the same order.
final class DACPConnection: Sendable {
    typealias Serve = @Sendable (RTSPRequest, @escaping @Sendable (RTSPStatus) -> Void) -> Void

    private struct State {
        var machine: RTSPServerConnection
        /// Requests that the program has not answered yet, with their deadlines.
        var unanswered: [(id: RTSPRequestID, until: HostTime)] = []
        /// The machine's deadline.
        var idleTime: HostTime?
        /// The deadline for which the wake-up is set.
        var armed: HostTime?
    }

    private let socket: TCPConnection
    private let state: Mutex<State>
    private let clock: any HostClock
    private let wakeUp: QueueWakeUp
    private let serve: Serve

    init(
        _ socket: TCPConnection, _ machine: RTSPServerConnection, clock: any HostClock, serve: @escaping Serve
    ) {
        self.socket = socket
        state = Mutex(State(machine: machine))
        self.clock = clock
        wakeUp = QueueWakeUp(on: socket.queue)
        self.serve = serve
    }

    func start(onEnd: @escaping @Sendable () -> Void) {
        socket.start(
            onBytes: { [weak self] bytes in self?.receive(bytes) },
            onClose: { [wakeUp] _ in
                wakeUp.cancel()
                onEnd()
            })
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
        flush()
    }

    private func answer(_ id: RTSPRequestID, _ status: RTSPStatus) {
        var response = RTSPResponse(status)
        // Without Content-Length an HTTP client waits for a body; a 204 has none.
        if status.rawValue != 204 { response.headers["Content-Length"] = "0" }
        state.withLock { state in
            state.unanswered.removeAll { $0.id == id }
            // Some speakers ask every second for a value that we do not have, each time on a connection of its
            // own: the answer closes that.
            let isLast = status == .badRequest && state.unanswered.isEmpty
            if isLast { response.headers["Connection"] = "close" }
            state.machine.respond(to: id, with: response)
            if isLast { _ = state.machine.close() }
        }
        flush()
    }

    /// Performs the machine's outputs under the lock, so that two threads cannot swap their order; `send` only
    /// queues bytes.
    private func flush() {
        let isClosing = state.withLock { state in
            var isClosing = false
            while let output = state.machine.nextOutput() {
                switch output {
                case .send(let bytes): socket.send(bytes)
                case .wake(let time): state.idleTime = time
                case .close: isClosing = true
                }
            }
            let deadlines = [state.idleTime, state.unanswered.first?.until].compactMap(\.self)
            if !isClosing, let next = deadlines.min(), next != state.armed {
                state.armed = next
                wakeUp.set(after: next.since(clock.now)) { [weak self] in self?.wake() }
            }
            return isClosing
        }
        if isClosing { socket.close() }
    }

    private func wake() {
        let now = clock.now
        let late = state.withLock { state in
            state.armed = nil
            if let idle = state.idleTime, idle <= now {
                state.idleTime = nil
                _ = state.machine.handleTimeout(at: now)
            }
            return state.unanswered.filter { $0.until <= now }
        }
        for request in late { answer(request.id, .internalServerError) }
        flush()
    }
}
