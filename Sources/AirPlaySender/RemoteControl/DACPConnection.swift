import Dispatch
import MediaTime
import RTSP
import Synchronization
import SystemIO

/// One speaker's connection to the ``DACPServer``: requests in, answers in the same order out.
final class DACPConnection: Sendable {
    typealias Serve = @Sendable (RTSPRequest, @escaping @Sendable (RTSPStatus) -> Void) -> Void

    private let socket: TCPConnection
    private let machine: Mutex<RTSPServerConnection>
    private let clock: any HostClock
    private let serve: Serve

    init(
        _ socket: TCPConnection, _ machine: RTSPServerConnection, clock: any HostClock, serve: @escaping Serve
    ) {
        self.socket = socket
        self.machine = Mutex(machine)
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
        let events = machine.withLock { $0.receive(bytes, at: now) }
        for event in events {
            guard case .request(let id, let request) = event else { continue }
            serve(request) { [weak self] status in self?.answer(id, status) }
            let limit = DispatchTimeInterval.nanoseconds(Int(DACPServer.patience.wholeNanoseconds))
            // Does nothing when it has been answered.
            socket.queue.asyncAfter(deadline: .now() + limit) { [weak self] in
                self?.answer(id, .internalServerError)
            }
        }
        flush()
    }

    private func answer(_ id: RTSPRequestID, _ status: RTSPStatus) {
        var response = RTSPResponse(status)
        // Without it a client of HTTP waits for a body; with 204 there is none to wait for.
        if status.rawValue != 204 { response.headers["Content-Length"] = "0" }
        machine.withLock { _ = $0.respond(to: id, with: response) }
        flush()
    }

    /// Bytes are handed over under the lock, so that two threads cannot exchange their order; `send` only
    /// queues them.
    private func flush() {
        var (wake, isClosing): (HostTime?, Bool) = (nil, false)
        machine.withLock { machine in
            while let output = machine.nextOutput() {
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
        machine.withLock { _ = $0.handleTimeout(at: now) }
        flush()
    }
}
