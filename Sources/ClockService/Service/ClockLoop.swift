import MediaTime
import Synchronization
import SystemIO

/// The clock's thread: waits, reads, and sends; it decides nothing.
final class ClockLoop: Sendable {
    /// Datagrams read from one socket before the clock sends again, so that a flood cannot hold up Sync.
    private static let readsPerTurn = 64

    private struct State {
        var server: ClockServer
        var isStopping = false
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    let timescale: NetworkTimescale
    let changes = StateChangeStreams()
    private let state: Mutex<State>
    private let sockets: Mutex<ClockSockets?>
    private let peerEventPort: UInt16
    private let peerGeneralPort: UInt16
    private let signal: WakeSignal

    init(
        server: ClockServer, sockets: ClockSockets, peerEventPort: UInt16, peerGeneralPort: UInt16,
        signal: WakeSignal
    ) {
        timescale = server.timescale
        state = Mutex(State(server: server))
        self.sockets = Mutex(sockets)
        self.peerEventPort = peerEventPort == 0 ? sockets.eventPort : peerEventPort
        self.peerGeneralPort = peerGeneralPort == 0 ? sockets.generalPort : peerGeneralPort
        self.signal = signal
    }

    func start(priority: Int32) throws(SystemError) {
        try RealtimeThread.start(name: "clock", priority: priority) { [self] _ in run() }
    }

    func withServer<Result>(_ body: (inout ClockServer) -> Result) -> Result {
        state.withLock { body(&$0.server) }
    }

    func wake() { signal.wake() }

    var isStopping: Bool { state.withLock { $0.isStopping } }

    func stop(lingering: Bool) {
        let now = SystemClock.now
        state.withLock { state in
            state.isStopping = true
            state.server.removeAllPeers(at: now)
            if !lingering { state.server.handleTimeout(at: HostTime(nanoseconds: .max)) }
        }
        signal.wake()
    }

    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waiters.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    private func run() {
        guard let sockets = sockets.withLock({ $0.take() }) else { return }
        serve(sockets)
        end()
    }

    /// One turn after another until the service stops and nobody lingers.
    private func serve(_ sockets: ClockSockets) {
        var poller = SocketPoller(sockets: sockets.all.map(\.socket), signal: signal)
        var datagram = ClockDatagram()
        while true {
            let now = SystemClock.now
            withServer { $0.handleTimeout(at: now) }
            send(&datagram, through: sockets)
            reportChanges()
            let (deadline, isDone) = state.withLock {
                ($0.server.nextDeadline, $0.isStopping && $0.server.isIdle)
            }
            if isDone { return }
            do {
                try poller.wait(until: deadline) { receive(from: sockets.all[$0]) }
            } catch {
                return
            }
        }
    }

    private func send(_ datagram: inout ClockDatagram, through sockets: ClockSockets) {
        while true {
            let now = SystemClock.now
            guard withServer({ $0.nextDatagram(into: &datagram, at: now) }) else { return }
            let port = datagram.port == .event ? peerEventPort : peerGeneralPort
            guard
                let socket = sockets.socket(datagram.port, to: datagram.destination, from: datagram.source)
            else { continue }
            // An exactly bound socket has its source address already.
            let source = socket.address.address.isUnspecified ? datagram.source : nil
            if datagram.needsStamp { datagram.stamp(at: timescale.networkTime(at: SystemClock.now)) }
            datagram.bytes.withUnsafeBytes {
                // A peer that cannot be reached now is tried again with the next message.
                _ = try? socket.send($0, to: SocketAddress(datagram.destination, port: port), from: source)
            }
        }
    }

    private func receive(from bound: ClockSockets.Bound) {
        for _ in 0..<Self.readsPerTurn {
            let isMore = try? bound.socket.receive { bytes, source, receivedAt in
                withServer { $0.receive(bytes, from: source.address, on: bound.port, at: receivedAt) }
            }
            guard isMore == true else { return }
        }
    }

    private func reportChanges() {
        while let change = withServer({ $0.nextEvent() }) { changes.send(change) }
    }

    private func end() {
        changes.finish()
        let waiters = state.withLock { state in
            state.hasEnded = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
