import Glibc
import TuttiMediaTime
import TuttiSystemIO

/// One end of a connection between virtual machines.
final class VirtualStream: StreamSocket, @unchecked Sendable {
    // Safe to share: see `VirtualWorld`.
    let localAddress: SocketAddress
    let peerAddress: SocketAddress
    private let outgoing: VirtualPipe
    private let incoming: VirtualPipe
    private let number: UInt64

    private init(
        _ own: SocketAddress, _ peer: SocketAddress, outgoing: VirtualPipe,
        incoming: VirtualPipe
    ) {
        (localAddress, peerAddress) = (own, peer)
        (self.outgoing, self.incoming) = (outgoing, incoming)
        number = outgoing.source.network.connectionNumber()
    }

    /// Makes both ends of a connection.
    static func pair(
        _ machine: VirtualMachine, _ address: SocketAddress, _ options: TCPOptions,
        _ peer: VirtualMachine, _ peerAddress: SocketAddress, _ peerOptions: TCPOptions
    ) -> (near: VirtualStream, far: VirtualStream) {
        let there = VirtualPipe(from: machine, to: peer, options)
        let back = VirtualPipe(from: peer, to: machine, peerOptions)
        (there.opposite, back.opposite) = (back, there)
        return (
            VirtualStream(address, peerAddress, outgoing: there, incoming: back),
            VirtualStream(peerAddress, address, outgoing: back, incoming: there)
        )
    }

    deinit {
        outgoing.end()
        incoming.abandon()
    }

    var unsentBytes: Int { outgoing.unacknowledged }
    var repetitions: Int { outgoing.repetitions }

    var roundTrip: TCPRoundTrip? {
        let time = Duration.nanoseconds(outgoing.roundTrip)
        return TCPRoundTrip(minimum: time, smoothed: time)
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        if let error = outgoing.error { throw error }
        return try incoming.read(into: buffer)
    }

    func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        if let error = outgoing.error { throw error }
        let count = try outgoing.write(bytes)
        outgoing.source.network.onBytes?(
            UnsafeRawBufferPointer(rebasing: bytes.prefix(count)), number, outgoing.source.address,
            peerAddress)
        return count
    }

    func endSending() { outgoing.end() }

    /// Ends this end of the connection without a word if it is on a machine.
    func forget(_ machine: VirtualMachine) {
        guard outgoing.source === machine else { return }
        outgoing.die()
        incoming.abandon()
    }

    func readiness(
        _ kind: ReadinessKind, on queue: SerialQueue, _ handler: @escaping @Sendable () -> Void
    ) -> any Readiness {
        let (outgoing, incoming) = (outgoing, incoming)
        switch kind {
        case .readable:
            let readiness = VirtualReadiness(
                on: queue, while: { incoming.isReadable || outgoing.error != nil }, handler)
            incoming.readers.add(readiness)
            return readiness
        case .writable:
            let readiness = VirtualReadiness(
                on: queue, while: { outgoing.isWritable || outgoing.error != nil }, handler)
            outgoing.writers.add(readiness)
            return readiness
        }
    }
}

/// One direction of a connection: a sender's buffer, packets on their way, a receiver's buffer.
final class VirtualPipe {
    let source: VirtualMachine
    let target: VirtualMachine
    weak var opposite: VirtualPipe?
    var readers = VirtualReadinessList()
    var writers = VirtualReadinessList()
    /// The end of the connection, as its sender learns of it.
    private(set) var error: SystemError?

    private let sendLimit: Int
    private let receiveLimit = 512 << 10
    private let longestRetry: Int64
    private let userTimeout: Int64
    private let keepAlive: (idle: Int64, interval: Int64, count: Int)?
    private var waiting = ByteFIFO()
    private var received = ByteFIFO()
    /// Bytes that have left and were not acknowledged.
    private var onTheirWay = 0
    private var lastArrival: Int64 = 0
    private var retry = VirtualPipe.firstRetry
    private var isRetrying = false
    private(set) var repetitions = 0
    /// The true time since which nothing was acknowledged while something should be.
    private var silentSince: Int64?
    private var isEnding = false
    private var endLeft = false
    private var endArrived = false
    private var isAbandoned = false
    private var inFlight: [[UInt8]] = []
    /// Packets that were lost, in order, with what followed them.
    private var lost: [[UInt8]] = []
    /// Counts the losses; what was in flight before one does not arrive.
    private var round = 0

    private static let firstRetry: Int64 = 200_000_000
    private static let packet = 16 << 10

    init(from source: VirtualMachine, to target: VirtualMachine, _ options: TCPOptions) {
        (self.source, self.target) = (source, target)
        sendLimit = 2 * (options.sendBufferBytes ?? 1 << 20)
        let limit = source.limitsRetransmissions ? options.maximumRetransmissionTimeout : nil
        longestRetry = limit?.wholeNanoseconds ?? 120_000_000_000
        userTimeout = options.userTimeout?.wholeNanoseconds ?? 924_000_000_000
        keepAlive = options.keepAlive.map {
            ($0.idle.wholeNanoseconds, $0.interval.wholeNanoseconds, $0.probeCount)
        }
        lastHeard = source.world.time
        if keepAlive != nil { watchSilence() }
    }

    private var world: VirtualWorld { source.world }

    var unacknowledged: Int { waiting.count + onTheirWay + lost.reduce(0) { $0 + $1.count } }

    var roundTrip: Int64 {
        source.network.path(from: source, to: target).delay
            + source.network.path(from: target, to: source).delay
    }

    // MARK: The sender's end

    var isWritable: Bool { unacknowledged < sendLimit - sendLimit / 3 }

    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        if isEnding { throw SystemError(operation: "send", code: EPIPE) }
        let count = min(bytes.count, sendLimit - unacknowledged)
        guard count > 0 else { throw SystemError(operation: "send", code: EAGAIN) }
        waiting.append(bytes.prefix(count))
        pump()
        return count
    }

    func end() {
        guard !isEnding else { return }
        isEnding = true
        pump()
    }

    /// Sends what the receiver has room for.
    private func pump() {
        guard !isRetrying, error == nil else { return }
        if source.isFrozen { return source.whenRunning { [weak self] in self?.pump() } }
        while let packet = nextPacket() {
            if !send(packet) { return }
        }
        if isEnding, !endLeft, waiting.count == 0, lost.isEmpty {
            endLeft = true
            deliver(arrivingAt: max(lastArrival, world.time + path.delay)) { $0.arriveEnd() }
        }
    }

    private var path: VirtualNetwork.Path { source.network.path(from: source, to: target) }

    private func nextPacket() -> [UInt8]? {
        if let first = lost.first {
            lost.removeFirst()
            return first
        }
        let room = receiveLimit - received.count - onTheirWay
        let count = min(waiting.count, room, Self.packet)
        return count > 0 ? waiting.take(count) : nil
    }

    /// - Returns: Whether the next packet may follow.
    private func send(_ packet: [UInt8]) -> Bool {
        let path = path
        let network = source.network
        let share = 1 - pow(1 - path.loss, Double((packet.count + 1447) / 1448))
        if silentSince == nil { silentSince = world.time }
        guard !path.isCut, !network.happens(share) else {
            lost.insert(packet, at: 0)
            retryLater()
            return false
        }
        onTheirWay += packet.count
        inFlight.append(packet)
        let departure = network.departure(
            of: packet.count + 66 * ((packet.count + 1447) / 1448), from: source,
            isSparse: packet.count < 1448 && packet.count == onTheirWay && waiting.count == 0)
        let arrival = max(lastArrival, departure + path.delay + network.jitter(path))
        lastArrival = arrival
        world.schedule(at: arrival) { [weak self, round] in
            if let self, self.round == round { arrive() }
        }
        return true
    }

    private func retryLater() {
        guard !isRetrying else { return }
        isRetrying = true
        world.schedule(after: retry) { [weak self] in
            guard let self else { return }
            isRetrying = false
            if let since = silentSince, world.time - since > userTimeout { return fail(ETIMEDOUT) }
            pump()
        }
        retry = min(2 * retry, longestRetry)
        repetitions += 1
    }

    private func deliver(arrivingAt time: Int64, _ body: @escaping (VirtualPipe) -> Void) {
        lastArrival = max(lastArrival, time)
        world.schedule(at: lastArrival) { [weak self] in if let self { body(self) } }
    }

    private func fail(_ code: Int32) {
        guard error == nil else { return }
        error = SystemError(operation: "recv", code: code)
        writers.look()
        opposite?.readers.look()
    }

    // MARK: Silence

    private var lastHeard: Int64

    /// Ends a connection whose peer no longer answers probes.
    private func watchSilence() {
        guard let keepAlive, error == nil, !isEnding else { return }
        let isReachable = !path.isCut && !source.network.path(from: target, to: source).isCut
        // A peer that has closed its socket still answers until all that it sent has arrived.
        if isReachable, isAbandoned, opposite?.error != nil || opposite?.endArrived != false {
            return fail(ECONNRESET)
        }
        if isReachable { lastHeard = world.time }
        if world.time - lastHeard > keepAlive.idle + keepAlive.interval * Int64(keepAlive.count) {
            return fail(ETIMEDOUT)
        }
        world.schedule(after: keepAlive.interval) { [weak self] in self?.watchSilence() }
    }

    // MARK: The receiver's end

    var isReadable: Bool { received.count > 0 || endArrived }

    private func arrive() {
        guard error == nil, !inFlight.isEmpty else { return }
        if target.isFrozen {
            return target.whenRunning { [weak self, round] in
                if let self, self.round == round { arrive() }
            }
        }
        // A link that was cut meanwhile has lost the packet, and what followed waits for it.
        if path.isCut {
            (lost, inFlight, onTheirWay) = (inFlight + lost, [], 0)
            round += 1
            return retryLater()
        }
        let packet = inFlight.removeFirst()
        onTheirWay -= packet.count
        if isAbandoned { return refuse(packet) }
        received.append(packet)
        readers.look()
        acknowledge()
    }

    /// A closed socket that gets data forgets what it has yet to deliver, and resets the connection.
    private func refuse(_ packet: [UInt8]) {
        opposite?.fail(ECONNRESET)
        if target.network.path(from: target, to: source).isCut {
            lost.insert(packet, at: 0)
            retryLater()
        } else {
            world.schedule(after: roundTrip / 2) { [weak self] in self?.fail(ECONNRESET) }
        }
    }

    private func arriveEnd() {
        if path.isCut || !lost.isEmpty || !inFlight.isEmpty {
            endLeft = false
            return retryLater()
        }
        endArrived = true
        readers.look()
    }

    /// The sender learns that a packet has arrived, or that there is room again.
    private func acknowledge() {
        let back = target.network.path(from: target, to: source)
        guard !back.isCut else {
            return world.schedule(after: Self.firstRetry) { [weak self] in self?.acknowledge() }
        }
        world.schedule(after: back.delay) { [weak self] in
            guard let self else { return }
            (silentSince, retry, repetitions) = (unacknowledged == 0 ? nil : world.time, Self.firstRetry, 0)
            pump()
            if isWritable { writers.look() }
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        let count = received.take(into: buffer)
        if count > 0 {
            acknowledge()
            return count
        }
        if endArrived { return 0 }
        throw SystemError(operation: "recv", code: EAGAIN)
    }

    /// The sender is gone, and what it had yet to deliver.
    func die() {
        (waiting, lost, inFlight, onTheirWay, isEnding) = (ByteFIFO(), [], [], 0, true)
        endLeft = true
        round += 1
        fail(ECONNRESET)
    }

    /// The receiver is gone.
    func abandon() {
        isAbandoned = true
        received = ByteFIFO()
    }
}

/// Bytes, first in, first out.
struct ByteFIFO {
    private var bytes: [UInt8] = []
    private var first = 0

    var count: Int { bytes.count - first }

    mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

    /// Requires that many bytes.
    mutating func take(_ count: Int) -> [UInt8] {
        let taken = Array(bytes[first..<first + count])
        drop(count)
        return taken
    }

    mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, count)
        bytes[first..<first + count].withUnsafeBytes { buffer.copyMemory(from: $0) }
        drop(count)
        return count
    }

    private mutating func drop(_ count: Int) {
        first += count
        if first == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            first = 0
        } else if first > 1 << 16 {
            bytes.removeFirst(first)
            first = 0
        }
    }
}
