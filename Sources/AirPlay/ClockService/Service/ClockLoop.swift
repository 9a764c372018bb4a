import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// The loop of a clock: starts and wakes its turns, and keeps what ``ClockTurns`` shares with the service's callers.
final class ClockLoop: Sendable {
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
    /// The sockets until the turns take them: nothing else may keep them open.
    private let entry: Mutex<ClockEntry?>
    let peerEventPort: UInt16
    let peerGeneralPort: UInt16
    let machine: any Machine
    private let loop: any Loop

    init(
        entry: ClockEntry, peerEventPort: UInt16, peerGeneralPort: UInt16, machine: any Machine
    ) throws(SystemError) {
        self.machine = machine
        loop = try machine.makeLoop()
        let clock = SharedClock(identity: entry.identity)
        timescale = clock.server.timescale
        published = Mutex(clock.follower.clocks)
        state = Mutex(State(clock: clock, isServing: entry.shared?.channel == nil))
        self.peerEventPort = peerEventPort == 0 ? entry.sockets.eventPort : peerEventPort
        self.peerGeneralPort = peerGeneralPort == 0 ? entry.sockets.generalPort : peerGeneralPort
        self.entry = Mutex(entry)
    }

    /// Starts the turns. Call once.
    func start(priority: Int32) throws(SystemError) {
        try loop.start("clock", priority: priority) { [self] in makeTurns() }
    }

    private func makeTurns() -> ClockTurns {
        guard let entry = entry.withLock({ $0.take() }) else {
            preconditionFailure("the turns of a clock start once")
        }
        return ClockTurns(entry, loop: self)
    }

    func withServer<Result>(_ body: (inout ClockServer) -> Result) -> Result {
        state.withLock { body(&$0.clock.server) }
    }

    /// Applies a command of this program, and queues it for the serving program if that is another.
    @discardableResult
    func perform(_ command: ClockCommand) -> Bool {
        let now = machine.now
        defer { loop.wake() }
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
        loop.wake()
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

    /// Ends the streams of changes, and resumes the waiters.
    func end() {
        changes.finish()
        let waiters = state.withLock { state in
            state.hasEnded = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
