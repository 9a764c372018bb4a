import Glibc
import TuttiMediaTime
import TuttiSeeds
import TuttiSystemIO

/// The network of a virtual house: each machine has a link to a switch that never fails.
package final class VirtualNetwork: @unchecked Sendable {
    // Safe to share: see `VirtualWorld`.

    /// One direction of a machine's link.
    package struct Direction: Sendable {
        /// Nanoseconds from the machine to the switch, or back.
        package var delay: Int64 = 150_000
        /// Further nanoseconds at most, drawn for each packet.
        package var jitter: Int64 = 30_000
        /// The share of packets that are lost.
        package var loss = 0.0
        /// The share of datagrams that come twice.
        package var duplicates = 0.0
        /// Bytes a second.
        package var rate: Int64 = 12_500_000
        /// Whether datagrams and single short packets do not wait behind connections that send much, as with fair queues.
        package var isFair = false
        /// Whether nothing passes.
        package var isCut = false

        package init() {}
    }

    let world: VirtualWorld
    private var random: SeededGenerator
    private var machines: [IPAddress: VirtualMachine] = [:]
    private var outward: [IPAddress: Direction] = [:]
    private var inward: [IPAddress: Direction] = [:]
    /// The times at which the links have sent what they have.
    private var freeAt: [IPAddress: Int64] = [:]
    private var datagrams: [SocketAddress: WeakDatagrams] = [:]
    private var listeners: [SocketAddress: VirtualListener] = [:]
    private var lastPort: UInt16 = 40_000
    private var streams: [WeakStream] = []
    /// Sees what programs of a machine give to connections, with a number of each, and to datagram sockets.
    package var onBytes:
        ((UnsafeRawBufferPointer, _ connection: UInt64, _ machine: IPAddress, _ peer: SocketAddress) -> Void)?
    package var onDatagram: (([UInt8], _ machine: IPAddress, _ peer: SocketAddress) -> Void)?
    private var lastConnection: UInt64 = 0

    private struct WeakDatagrams { weak var socket: VirtualDatagrams? }
    private struct WeakStream { weak var stream: VirtualStream? }

    /// Descriptions of the sockets that are open.
    package var openSockets: [String] {
        streams.compactMap { $0.stream.map { "a connection from \($0.localAddress) to \($0.peerAddress)" } }
            + datagrams.values.compactMap { $0.socket.map { "a datagram socket at \($0.address)" } }
            + listeners.values.map { "a listener at \($0.address)" }
    }

    /// Lets a machine forget its connections without a word: data for them is refused from now on.
    package func forgetConnections(of machine: VirtualMachine) {
        for entry in streams { entry.stream?.forget(machine) }
    }

    func connectionNumber() -> UInt64 {
        lastConnection += 1
        return lastConnection
    }

    package init(in world: VirtualWorld) {
        self.world = world
        random = world.makeRandom()
    }

    func attach(_ machine: VirtualMachine) {
        machines[machine.address] = machine
        (outward[machine.address], inward[machine.address]) = (Direction(), Direction())
    }

    // MARK: Links

    /// Changes a machine's link, in both directions.
    package func change(_ machine: VirtualMachine, _ body: (inout Direction) -> Void) {
        changeOutward(machine, body)
        changeInward(machine, body)
    }

    /// Changes the direction from a machine.
    package func changeOutward(_ machine: VirtualMachine, _ body: (inout Direction) -> Void) {
        if outward[machine.address] != nil { body(&outward[machine.address, default: Direction()]) }
    }

    /// Changes the direction to a machine.
    package func changeInward(_ machine: VirtualMachine, _ body: (inout Direction) -> Void) {
        if inward[machine.address] != nil { body(&inward[machine.address, default: Direction()]) }
    }

    func machine(at address: IPAddress, of asking: VirtualMachine) -> VirtualMachine? {
        address.isLoopback ? asking : machines[address]
    }

    /// The way from one machine to another.
    struct Path {
        var delay: Int64
        var jitter: Int64
        var loss: Double
        var duplicates: Double
        var isCut: Bool
    }

    func path(from source: VirtualMachine, to target: VirtualMachine) -> Path {
        if source === target {
            return Path(delay: 15_000, jitter: 5_000, loss: 0, duplicates: 0, isCut: false)
        }
        let out = outward[source.address] ?? Direction()
        let into = inward[target.address] ?? Direction()
        return Path(
            delay: out.delay + into.delay, jitter: out.jitter + into.jitter,
            loss: 1 - (1 - out.loss) * (1 - into.loss), duplicates: max(out.duplicates, into.duplicates),
            isCut: out.isCut || into.isCut)
    }

    /// Returns when bytes that are given now have left the machine.
    ///
    /// - Parameter isSparse: Whether nothing else of the same flow waits.
    func departure(of count: Int, from machine: VirtualMachine, isSparse: Bool = false) -> Int64 {
        let link = outward[machine.address] ?? Direction()
        let rate = link.rate
        if isSparse, link.isFair { return world.time + Int64(count) * 1_000_000_000 / max(1, rate) }
        let start = max(world.time, freeAt[machine.address] ?? 0)
        let end = start + Int64(count) * 1_000_000_000 / max(1, rate)
        freeAt[machine.address] = end
        return end
    }

    func jitter(_ path: Path) -> Int64 { path.jitter > 0 ? Int64(random.next() % UInt64(path.jitter)) : 0 }

    func happens(_ share: Double) -> Bool { share > 0 && Double(random.next() >> 11) * 0x1p-53 < share }

    func freePort() -> UInt16 {
        lastPort = lastPort == .max ? 40_001 : lastPort + 1
        return lastPort
    }

    /// Returns an address of a machine, with its port or a free one.
    private func place(_ address: SocketAddress, of machine: VirtualMachine) -> SocketAddress {
        SocketAddress(address.address, port: address.port == 0 ? freePort() : address.port)
    }

    /// The key under which others find a socket.
    private func key(_ address: SocketAddress, of machine: VirtualMachine) -> SocketAddress {
        SocketAddress(address.address.isUnspecified ? machine.address : address.address, port: address.port)
    }

    // MARK: Datagrams

    func bind(
        _ machine: VirtualMachine, _ address: SocketAddress, receiveBufferBytes: Int?
    ) throws(SystemError) -> VirtualDatagrams {
        try check(address.address, of: machine)
        let place = place(address, of: machine)
        guard datagrams[key(place, of: machine)]?.socket == nil else {
            throw SystemError(operation: "bind", code: EADDRINUSE)
        }
        let socket = VirtualDatagrams(machine, at: place, receiveBufferBytes: receiveBufferBytes)
        datagrams[key(place, of: machine)] = WeakDatagrams(socket: socket)
        return socket
    }

    /// Sends a datagram on its way.
    func send(
        _ bytes: [UInt8], from source: SocketAddress, of machine: VirtualMachine, to peer: SocketAddress
    ) {
        guard let target = self.machine(at: peer.address, of: machine) else { return }
        onDatagram?(bytes, machine.address, peer)
        let path = path(from: machine, to: target)
        let departure = departure(of: bytes.count + 42, from: machine, isSparse: true)
        guard !path.isCut, !happens(path.loss) else { return }
        for _ in 0..<(happens(path.duplicates) ? 2 : 1) {
            world.schedule(at: departure + path.delay + jitter(path)) { [self] in
                guard !self.path(from: machine, to: target).isCut else { return }
                target.arrive { [self] in deliver(bytes, from: source, to: peer, of: target) }
            }
        }
    }

    private func deliver(
        _ bytes: [UInt8], from source: SocketAddress, to peer: SocketAddress, of target: VirtualMachine
    ) {
        let key = SocketAddress(peer.address.isLoopback ? peer.address : target.address, port: peer.port)
        let socket =
            datagrams[key]?.socket ?? datagrams[SocketAddress(target.address, port: peer.port)]?.socket
        socket?.receive(bytes, from: source)
    }

    private func check(_ address: IPAddress, of machine: VirtualMachine) throws(SystemError) {
        guard address.isUnspecified || address.isLoopback || address == machine.address, address.family == .v4
        else {
            throw SystemError(operation: "bind", code: address.family == .v4 ? EADDRNOTAVAIL : EAFNOSUPPORT)
        }
    }

    // MARK: Connections

    func listen(
        _ machine: VirtualMachine, at address: SocketAddress, options: TCPOptions
    ) throws(SystemError) -> VirtualListener {
        try check(address.address, of: machine)
        let place = place(address, of: machine)
        let key = key(place, of: machine)
        guard listeners[key] == nil else { throw SystemError(operation: "bind", code: EADDRINUSE) }
        let listener = VirtualListener(machine, at: place, options: options) { [weak self] in
            self?.listeners[key] = nil
        }
        listeners[key] = listener
        return listener
    }

    func connect(
        _ machine: VirtualMachine, to peer: SocketAddress, options: TCPOptions, timeout: Int64,
        _ done: @escaping (Result<any StreamSocket, SystemError>) -> Void
    ) {
        let end = world.time + max(0, timeout)
        world.schedule(at: end) { done(.failure(SystemError(operation: "connect", code: ETIMEDOUT))) }
        ask(machine, to: peer, options: options, retry: 1_000_000_000, until: end, done)
    }

    /// Sends one request to connect, and further ones until there is an answer.
    private func ask(
        _ machine: VirtualMachine, to peer: SocketAddress, options: TCPOptions, retry: Int64,
        until end: Int64,
        _ done: @escaping (Result<any StreamSocket, SystemError>) -> Void
    ) {
        guard world.time < end else { return }
        let again = { [self] in
            world.schedule(after: retry) { [self] in
                ask(machine, to: peer, options: options, retry: 2 * retry, until: end, done)
            }
        }
        guard let target = self.machine(at: peer.address, of: machine) else { return again() }
        let (there, back) = (path(from: machine, to: target), path(from: target, to: machine))
        guard !there.isCut, !back.isCut, !happens(there.loss), !happens(back.loss) else { return again() }
        world.schedule(at: departure(of: 60, from: machine) + there.delay + jitter(there)) { [self] in
            guard let listener = listeners[key(peer, of: target)] else {
                world.schedule(after: back.delay) {
                    done(.failure(SystemError(operation: "connect", code: ECONNREFUSED)))
                }
                return
            }
            let own = SocketAddress(
                peer.address.isLoopback ? peer.address : machine.address, port: freePort())
            let pair = VirtualStream.pair(
                machine, own, options, target, SocketAddress(peer.address, port: peer.port), listener.options)
            streams.removeAll { $0.stream == nil }
            streams += [WeakStream(stream: pair.near), WeakStream(stream: pair.far)]
            listener.add(pair.far)
            world.schedule(after: back.delay + jitter(back)) { done(.success(pair.near)) }
        }
    }
}

/// One wait for the result of a connect; the first outcome ends it.
final class VirtualConnectAttempt: @unchecked Sendable {
    // Safe to share: see `VirtualWorld`.
    private var continuation: CheckedContinuation<Result<any StreamSocket, SystemError>, Never>?
    /// An outcome that came before the wait began.
    private var early: Result<any StreamSocket, SystemError>?
    private var isOver = false

    func begin(_ continuation: CheckedContinuation<Result<any StreamSocket, SystemError>, Never>) {
        if let early = early.take() { return continuation.resume(returning: early) }
        self.continuation = continuation
    }

    func end(_ outcome: Result<any StreamSocket, SystemError>) {
        guard !isOver else { return }
        isOver = true
        if let continuation = continuation.take() {
            continuation.resume(returning: outcome)
        } else {
            early = outcome
        }
    }
}
