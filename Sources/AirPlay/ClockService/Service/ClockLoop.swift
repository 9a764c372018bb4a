import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// The clock's thread: waits, reads, and sends, but decides nothing.
final class ClockLoop: Sendable {
    /// The number of reads per socket before the clock sends again, so that a flood cannot delay Sync.
    static let readsPerTurn = 64
    /// The limit of commands queued for the serving program; beyond it the connection is reset and state resent.
    static let mostUnsent = 16_384
    /// The retry interval for messages that did not fit into a connection.
    static let resendInterval = Duration.milliseconds(5)

    struct State {
        var clock: SharedClock
        /// Whether this program serves; otherwise ``unsent`` holds the commands for the serving program.
        var isServing: Bool
        var programCount = 1
        var unsent: [ClockMessage] = []
        /// The follower's generation at the last publication of its lines.
        var publishedRevision = 0
        var isStopping = false
        var lingers = true
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    let timescale: NetworkTimescale
    let changes = StateChangeStreams()
    let state: Mutex<State>
    /// A snapshot under a lock of its own, so that a reader never waits for the clock's thread.
    private let published: Mutex<FollowedClocks>
    private let entry: Mutex<ClockEntry?>
    let peerEventPort: UInt16
    private let peerGeneralPort: UInt16
    let signal: WakeSignal
    let machine: any Machine

    init(
        entry: ClockEntry, peerEventPort: UInt16, peerGeneralPort: UInt16, signal: WakeSignal,
        machine: any Machine
    ) {
        let clock = SharedClock(identity: entry.identity)
        timescale = clock.server.timescale
        published = Mutex(clock.follower.clocks)
        state = Mutex(State(clock: clock, isServing: entry.shared?.channel == nil))
        self.peerEventPort = peerEventPort == 0 ? entry.sockets.eventPort : peerEventPort
        self.peerGeneralPort = peerGeneralPort == 0 ? entry.sockets.generalPort : peerGeneralPort
        self.entry = Mutex(entry)
        (self.signal, self.machine) = (signal, machine)
    }

    func start(priority: Int32) throws(SystemError) {
        try RealtimeThread.start(name: "clock", priority: priority) { [self] _ in run() }
    }

    func withServer<Result>(_ body: (inout ClockServer) -> Result) -> Result {
        state.withLock { body(&$0.clock.server) }
    }

    /// Applies a command of this program, and queues it for the serving program if that is another.
    @discardableResult
    func perform(_ command: ClockCommand) -> Bool {
        let now = machine.now
        defer { signal.wake() }
        return state.withLock { state in
            defer { publish(&state) }
            guard state.clock.apply(command, of: SharedClock.here, at: now) else { return false }
            if !state.isServing { state.unsent.append(.command(command)) }
            return true
        }
    }

    /// Returns the line of a clock; never waits for the clock's thread.
    func mapping(
        of identity: ClockIdentity, toldBy addresses: Set<IPAddress>?, at now: HostTime
    ) -> ClockMapping? {
        published.withLock { $0.mapping(of: identity, toldBy: addresses, at: now) }
    }

    /// Returns the clock that an address leads; never waits for the clock's thread.
    func leader(at address: IPAddress, at now: HostTime) -> LeaderClock? {
        published.withLock { $0.leader(at: address, at: now) }
    }

    func publish(_ state: inout State) {
        guard state.clock.follower.revision != state.publishedRevision else { return }
        state.publishedRevision = state.clock.follower.revision
        let clocks = state.clock.follower.clocks
        published.withLock { $0 = clocks }
    }

    var isStopping: Bool { state.withLock { $0.isStopping } }

    func stop(lingering: Bool) {
        let now = machine.now
        state.withLock { state in
            state.isStopping = true
            state.lingers = lingering
            state.clock.leave(SharedClock.here, at: now)
            state.clock.follower.forgetLines()
            publish(&state)
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
        // The ports are closed by now: waiters may bind them.
        end()
    }

    /// Runs until the service stops and no peer lingers.
    private func serve() {
        guard let entry = entry.withLock({ $0.take() }) else { return }
        var sharing = ClockSharing(entry, loop: self)
        defer { sharing.end() }
        var poller = SocketPoller(sockets: [], signal: signal)
        var datagram = ClockDatagram()
        var ready: [Int] = []
        while true {
            sharing.advance(at: machine.now)
            withServer { $0.handleTimeout(at: machine.now) }
            if sharing.isServing {
                send(&datagram, &sharing)
            } else {
                drop(&datagram)
                sharing.sendWishes(at: machine.now)
            }
            reportChanges()
            let (deadline, isDone) = state.withLock { state in
                publish(&state)
                let deadlines = [state.clock.nextDeadline, sharing.nextDeadline(unsent: state.unsent.count)]
                let isServed = state.lingers && state.isServing && state.clock.server.isLingering
                return (deadlines.compactMap(\.self).min(), state.isStopping && !isServed)
            }
            if isDone { return }
            sharing.prepare(&poller)
            do {
                ready.removeAll(keepingCapacity: true)
                try poller.wait(until: deadline) { ready.append($0) }
                for index in ready { receive(sharing.source(at: index), &sharing) }
            } catch {
                return
            }
        }
    }

    private func send(_ datagram: inout ClockDatagram, _ sharing: inout ClockSharing) {
        while true {
            let now = machine.now
            guard state.withLock({ $0.clock.nextDatagram(into: &datagram, at: now) }) else { return }
            let port = datagram.port == .event ? peerEventPort : peerGeneralPort
            guard
                let socket = sharing.sockets.socket(
                    datagram.port, to: datagram.destination, from: datagram.source)
            else { continue }
            // An exactly bound socket already has its source address.
            let source = socket.address.address.isUnspecified ? datagram.source : nil
            let peer = SocketAddress(datagram.destination, port: port)
            if datagram.carriesDeparture { datagram.stamp(at: timescale.networkTime(at: machine.now)) }
            // Ignore an unreachable peer: the next message is the retry.
            let departure = datagram.bytes.withUnsafeBytes {
                try? socket.sendStamped($0, to: peer, from: source)
            }
            guard let departure else { continue }
            if datagram.keepsDeparture {
                datagram.stamp(at: timescale.networkTime(at: departure))
            } else if datagram.isQuestion {
                state.withLock { $0.clock.follower.questionLeft(datagram, at: departure) }
                sharing.tell(
                    .asked(datagram.destination, sequence: datagram.sequence, at: departure),
                    to: datagram.destination)
            }
        }
    }

    /// Discards pending messages, because the serving program sends the same.
    private func drop(_ datagram: inout ClockDatagram) {
        let now = machine.now
        state.withLock { while $0.clock.nextDatagram(into: &datagram, at: now) {} }
    }

    private func receive(_ source: ClockSharing.Source, _ sharing: inout ClockSharing) {
        switch source {
        case .socket(let bound): receive(from: bound, &sharing)
        case .listener: sharing.accept(at: machine.now)
        case .member(let id): sharing.receive(fromMember: id)
        case .server: sharing.receiveFromServer(at: machine.now)
        }
    }

    private func receive(from bound: ClockSockets.Bound, _ sharing: inout ClockSharing) {
        for _ in 0..<Self.readsPerTurn {
            var concerned: ClockMessage.Received?
            // An error of the socket ends the turn: what still waits makes it readable again.
            let isMore = try? bound.socket.receive { bytes, source, receivedAt in
                let isShared = state.withLock { state in
                    state.clock.receive(bytes, from: source.address, on: bound.port, at: receivedAt)
                    return !state.clock.programs(concernedBy: source.address).isEmpty
                }
                guard isShared else { return }
                concerned = .init(
                    source: source.address, port: bound.port, receivedAt: receivedAt, bytes: Array(bytes))
            }
            if let concerned { sharing.tell(.received(concerned), to: concerned.source) }
            guard isMore == true else { return }
        }
    }

    private func reportChanges() {
        while let change = withServer({ $0.nextEvent() }) {
            if state.withLock({ $0.clock.isOwnPeer(change.peer) }) { changes.send(change) }
        }
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
