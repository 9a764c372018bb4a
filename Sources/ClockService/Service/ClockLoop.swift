import MediaTime
import Synchronization
import SystemIO

/// The clock's thread: waits, reads, and sends; it decides nothing.
final class ClockLoop: Sendable {
    /// Datagrams read from one socket before the clock sends again, so that a flood cannot hold up Sync.
    private static let readsPerTurn = 64

    private struct State {
        var server: ClockServer
        var follower: ClockFollower
        /// Of the follower, when its lines were handed on.
        var publishedRevision = 0
        var isStopping = false
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    let timescale: NetworkTimescale
    let changes = StateChangeStreams()
    private let state: Mutex<State>
    /// Apart from the state, so that a reader never waits for the clock's thread.
    private let published: Mutex<FollowedClocks>
    private let sockets: Mutex<ClockSockets?>
    private let peerEventPort: UInt16
    private let peerGeneralPort: UInt16
    private let signal: WakeSignal

    init(
        server: ClockServer, sockets: ClockSockets, peerEventPort: UInt16, peerGeneralPort: UInt16,
        signal: WakeSignal
    ) {
        timescale = server.timescale
        let follower = ClockFollower(identity: server.configuration.identity)
        published = Mutex(follower.clocks)
        state = Mutex(State(server: server, follower: follower))
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

    /// Changes the follower, and hands on what follows from it.
    @discardableResult
    func withFollower<Result>(_ body: (inout ClockFollower) -> Result) -> Result {
        state.withLock { state in
            defer { publish(&state) }
            return body(&state.follower)
        }
    }

    /// Never waits for the clock's thread.
    func mapping(of identity: ClockIdentity, at now: HostTime) -> ClockMapping? {
        published.withLock { $0.mapping(of: identity, at: now) }
    }

    private func publish(_ state: inout State) {
        guard state.follower.revision != state.publishedRevision else { return }
        state.publishedRevision = state.follower.revision
        let clocks = state.follower.clocks
        published.withLock { $0 = clocks }
    }

    func wake() { signal.wake() }

    var isStopping: Bool { state.withLock { $0.isStopping } }

    func stop(lingering: Bool) {
        let now = SystemClock.now
        state.withLock { state in
            state.isStopping = true
            state.server.removeAllPeers(at: now)
            state.follower.removeAll()
            publish(&state)
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
        serve()
        // The ports are free by now: who waits for the end may bind them.
        end()
    }

    /// One turn after another until the service stops and nobody lingers.
    private func serve() {
        guard let sockets = sockets.withLock({ $0.take() }) else { return }
        var poller = SocketPoller(sockets: sockets.all.map(\.socket), signal: signal)
        var datagram = ClockDatagram()
        while true {
            let now = SystemClock.now
            withServer { $0.handleTimeout(at: now) }
            send(&datagram, through: sockets)
            reportChanges()
            let (deadline, isDone) = state.withLock { state in
                publish(&state)
                let deadlines = [state.server.nextDeadline, state.follower.nextDeadline]
                return (deadlines.compactMap(\.self).min(), state.isStopping && state.server.isIdle)
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
            let isMore = state.withLock { state in
                state.server.nextDatagram(into: &datagram, at: now)
                    || state.follower.nextDatagram(into: &datagram, at: now)
            }
            guard isMore else { return }
            let port = datagram.port == .event ? peerEventPort : peerGeneralPort
            guard
                let socket = sockets.socket(datagram.port, to: datagram.destination, from: datagram.source)
            else { continue }
            // An exactly bound socket has its source address already.
            let source = socket.address.address.isUnspecified ? datagram.source : nil
            let peer = SocketAddress(datagram.destination, port: port)
            if datagram.carriesDeparture { datagram.stamp(at: timescale.networkTime(at: SystemClock.now)) }
            // A peer that cannot be reached now is tried again with the next message.
            let departure = datagram.bytes.withUnsafeBytes {
                try? socket.sendStamped($0, to: peer, from: source)
            }
            guard let departure else { continue }
            if datagram.keepsDeparture {
                datagram.stamp(at: timescale.networkTime(at: departure))
            } else if datagram.isQuestion {
                state.withLock { $0.follower.questionLeft(datagram, at: departure) }
            }
        }
    }

    private func receive(from bound: ClockSockets.Bound) {
        for _ in 0..<Self.readsPerTurn {
            let isMore = try? bound.socket.receive { bytes, source, receivedAt in
                take(bytes, from: source.address, on: bound.port, at: receivedAt)
            }
            guard isMore == true else { return }
        }
    }

    private func take(
        _ bytes: ArraySlice<UInt8>, from address: IPAddress, on port: ClockPort, at receivedAt: HostTime
    ) {
        state.withLock { state in
            let isFollowed = state.follower.follows(address)
            let isPeer = state.server.serves(address)
            if isFollowed {
                state.follower.receive(
                    bytes, from: address, on: port, at: receivedAt, answersPeerDelay: !isPeer)
            }
            if isPeer || !isFollowed {
                state.server.receive(bytes, from: address, on: port, at: receivedAt)
            }
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
