import Dispatch
import Glibc
import Synchronization
import TuttiMediaTime
import TuttiSeeds
import TuttiSystemIO

/// One machine of a virtual house: a clock with its own crystal, queues, loops, and an address on the network.
package final class VirtualMachine: Machine, @unchecked Sendable {
    // Safe to share: see `VirtualWorld`.
    package let world: VirtualWorld
    package let network: VirtualNetwork
    package let name: String
    package let address: IPAddress
    /// The crystal that counts the clock's time, from true time 0 on.
    package let crystal: CrystalClock
    /// The reading of the clock at true time 0.
    private let origin: Int64
    private var random: SeededGenerator
    /// Whether the kernel can limit the pauses between retransmissions, as Linux 6.15 can.
    package var limitsRetransmissions = true
    /// How late queues, sleeps, timers and loops are.
    package var lateness = Lateness()
    /// The true time until which nothing of the machine runs.
    package private(set) var stallEnd: Int64 = 0
    /// Whether its kernel stands still in the present stall, too.
    private var isWholeStall = false
    /// Packets that wait in the network card for the kernel.
    private var packetsInCard = 0
    private(set) package lazy var main = makeQueue("main", qos: .userInteractive)

    /// The delays of a machine between the time when something could run and the time when it does.
    package struct Lateness: Sendable {
        /// The usual delay of a block or job, in nanoseconds; each is drawn between 0 and twice this.
        package var usual: Int64 = 20_000
        /// The same of a loop, whose thread has priority.
        package var punctual: Int64 = 5_000
        /// One of so many is late by much; 0 for none.
        package var rareness = 0
        /// The longest of those delays, in nanoseconds; short ones are more frequent.
        package var worst: Int64 = 0
        /// Whether the tail is so heavy that one of thirteen of them, or more, is longer than a quarter of the longest.
        package var isHeavy = false

        package init() {}

        func draw(_ usual: Int64, _ random: inout SeededGenerator) -> Int64 {
            let common = usual > 0 ? Int64(random.next() % UInt64(2 * usual + 1)) : 0
            guard rareness > 0, worst > 0, random.next() % UInt64(rareness) == 0 else { return common }
            if isHeavy { return common + Self.bounded(worst, random.next()) }
            // A heavy tail: of each ten of these, one is ten times as long as another.
            let share = 1 / (1 + Double(random.next() % 1_000))
            return common + Int64(Double(worst) * share)
        }

        /// Draws from a bounded Pareto distribution with the exponent 1/2, from 1 ms on.
        private static func bounded(_ worst: Int64, _ bits: UInt64) -> Int64 {
            let least = min(1e6, Double(worst))
            let share = Double(bits >> 11) * 0x1p-53 * (1 - (least / Double(worst)).squareRoot())
            return Int64(least / ((1 - share) * (1 - share)))
        }
    }

    /// - Parameters:
    ///   - crystal: Counts the clock's time.
    ///   - origin: The reading of the clock at true time 0, in nanoseconds.
    package init(
        _ name: String, in world: VirtualWorld, on network: VirtualNetwork, at address: IPAddress,
        crystal: CrystalClock = CrystalClock(), origin: Int64 = 1_000_000_000_000
    ) {
        (self.world, self.network, self.name, self.address) = (world, network, name, address)
        (self.crystal, self.origin) = (crystal, origin)
        random = world.makeRandom()
        network.attach(self)
    }

    // MARK: Time

    package var now: HostTime { hostTime(at: world.time) }

    /// The reading of the clock at a true time.
    package func hostTime(at time: Int64) -> HostTime {
        HostTime(nanoseconds: origin + crystal.count(at: time))
    }

    /// The first true time at which the clock reads at least `host`.
    package func trueTime(of host: HostTime) -> Int64 {
        let (passed, overflow) = host.nanoseconds.subtractingReportingOverflow(origin)
        guard !overflow, passed < .max / 4 else { return .max / 4 }
        return crystal.time(of: passed)
    }

    /// The rate of the clock beyond that of true time, in parts per thousand million, at a true time.
    package func rateError(at time: Int64) -> Double { Double(crystal.rate(at: time)) }

    // MARK: Stalls

    /// Lets everything on the machine stand still for a while: queues, timers, loops, sleeps, tasks. Packets wait in
    /// their sockets.
    ///
    /// - Parameter isWhole: Whether the kernel stands still, too: packets wait in the network card, and are stamped late.
    package func stall(for nanoseconds: Int64, isWhole: Bool = false) {
        isWholeStall = isWhole || isFrozen
        stallEnd = max(stallEnd, world.time + nanoseconds)
    }

    package var isStalled: Bool { world.time < stallEnd }

    /// Whether the kernel stands still, too.
    var isFrozen: Bool { isStalled && isWholeStall }

    /// Runs `body` once the machine does not stall.
    package func whenRunning(_ body: @escaping () -> Void) {
        guard isStalled else { return body() }
        world.schedule(at: stallEnd) { [self] in whenRunning(body) }
    }

    /// The packets for which a network card has room.
    private static let packetsOfCard = 256

    /// Takes a datagram from the link, and gives it to its socket once the kernel runs.
    func arrive(_ deliver: @escaping () -> Void) {
        guard isFrozen else { return deliver() }
        guard packetsInCard < Self.packetsOfCard else { return }
        packetsInCard += 1
        world.schedule(at: stallEnd) { [self] in
            packetsInCard -= 1
            arrive(deliver)
        }
    }

    /// Runs `body` as the machine's code: the jobs that it begins stall with the machine.
    package func enter<Result>(_ body: () throws -> Result) rethrows -> Result {
        try world.enter(nil, of: self, body)
    }

    // MARK: Work

    func append(to lane: VirtualLane, _ body: @escaping () -> Void) {
        lane.append(due: world.time + lateness.draw(lateness.usual, &random), body)
    }

    /// Calls `body` once a loop's thread has woken.
    func wakeLoop(_ body: @escaping () -> Void) {
        world.schedule(after: lateness.draw(lateness.punctual, &random)) { [self] in whenRunning(body) }
    }

    package func makeQueue(_ label: String, qos: DispatchQoS) -> SerialQueue {
        SerialQueue(VirtualSerialQueue(self, label: "\(name) \(label)"))
    }

    package func perform(qos: DispatchQoS.QoSClass, _ work: @escaping @Sendable () -> Void) {
        world.schedule(after: lateness.draw(lateness.usual, &random)) { [self] in
            world.runBeside(self, work)
        }
    }

    package func sleep(until time: HostTime) async throws(CancellationError) {
        let sleeper = Sleeper()
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                sleeper.begin(continuation)
                let late = lateness.draw(lateness.usual, &random)
                world.schedule(at: trueTime(of: time) + late) { [self] in enter { sleeper.end(isOver: true) }
                }
            }
        } onCancel: {
            sleeper.end(isOver: false)
        }
        if !isOver { throw CancellationError() }
    }

    private final class Sleeper: Sendable {
        private let state = Mutex<(continuation: CheckedContinuation<Bool, Never>?, end: Bool?)>((nil, nil))

        func begin(_ continuation: CheckedContinuation<Bool, Never>) {
            let end = state.withLock { state in
                if state.end == nil { state.continuation = continuation }
                return state.end
            }
            if let end { continuation.resume(returning: end) }
        }

        func end(isOver: Bool) {
            let continuation = state.withLock { state in
                if state.end == nil { state.end = isOver }
                return state.continuation.take()
            }
            continuation?.resume(returning: isOver)
        }
    }

    package func makeLoop() throws(SystemError) -> any Loop { VirtualLoop(self) }

    // MARK: Network

    package func connect(
        to peer: SocketAddress, from source: IPAddress?, options: TCPOptions, timeout: Duration
    ) async throws(SystemError) -> TCPConnection {
        let attempt = VirtualConnectAttempt()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                attempt.begin(continuation)
                network.connect(self, to: peer, options: options, timeout: timeout.wholeNanoseconds) {
                    [self] result in enter { attempt.end(result) }
                }
            }
        } onCancel: {
            attempt.end(.failure(SystemError(operation: "connect", code: ECANCELED)))
        }
        return TCPConnection(socket: try result.get(), queue: makeQueue("tcp \(peer)"))
    }

    package func listen(
        at address: SocketAddress, options: TCPOptions, waitsForData: Bool
    ) throws(SystemError) -> TCPListener {
        TCPListener(
            try network.listen(self, at: address, options: options), waitsForData: false,
            makeQueue: { [unowned self] in makeQueue($0) })
    }

    package func bind(
        _ address: SocketAddress, receiveBufferBytes: Int?, datagramBytes: Int
    ) throws(SystemError) -> UDPSocket {
        UDPSocket(try network.bind(self, address, receiveBufferBytes: receiveBufferBytes))
    }

    package func probe(_ port: SocketAddress, sending bytes: [UInt8]) throws(SystemError) -> UDPPortProbe {
        throw SystemError(operation: "probe", code: ENETUNREACH)
    }

    package func addresses() -> [InterfaceAddress] {
        [
            InterfaceAddress(
                name: "lo", index: 1, address: .loopbackV4, isLoopback: true, isUp: true, hardwareAddress: nil
            ),
            InterfaceAddress(
                name: "eth0", index: 2, address: address, isLoopback: false, isUp: true,
                hardwareAddress: hardwareAddress()),
        ]
    }

    package func hardwareAddress() -> [UInt8]? {
        [0x02, 0x54] + name.utf8.prefix(4) + [UInt8](repeating: 0, count: max(0, 4 - name.utf8.count))
    }

    package func identityText() -> String { "virtual machine \(name)" }

    package var hasOtherPrograms: Bool { false }

    package func randomBits() -> UInt64 { random.next() }
}
