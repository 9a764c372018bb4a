import Glibc
import TuttiMediaTime
import TuttiSystemIO

/// A datagram socket of a virtual machine.
final class VirtualDatagrams: DatagramSocket, @unchecked Sendable {
    // Safe to share: see `VirtualWorld`.
    let address: SocketAddress
    private let machine: VirtualMachine
    /// The room of the kernel's receive buffer, bookkeeping included.
    private let mostBytes: Int
    private var waiting: [(bytes: [UInt8], source: SocketAddress, at: HostTime)] = []
    private var waitingBytes = 0
    private var readers = VirtualReadinessList()
    /// The loop that watches the socket.
    weak var loop: VirtualLoop?

    /// The default of Linux, and its limit for what a program asks for.
    private static let usualBytes = 212_992

    /// - Parameter receiveBufferBytes: The room that the program asks for, which the kernel doubles for its bookkeeping.
    init(_ machine: VirtualMachine, at address: SocketAddress, receiveBufferBytes: Int?) {
        (self.machine, self.address) = (machine, address)
        mostBytes = receiveBufferBytes.map { 2 * min($0, Self.usualBytes) } ?? Self.usualBytes
    }

    /// The bytes that the kernel counts for a datagram: what it has allocated for it.
    private static func cost(_ bytes: [UInt8]) -> Int {
        bytes.count <= 256 ? 768 : 768 + (bytes.count + 1535) / 1536 * 1536
    }

    var descriptor: SocketDescriptor? { nil }

    var hasDatagrams: Bool { !waiting.isEmpty }

    /// Takes a datagram from the network.
    func receive(_ bytes: [UInt8], from source: SocketAddress) {
        guard waitingBytes + Self.cost(bytes) <= mostBytes else { return }
        waiting.append((bytes, source, machine.now))
        waitingBytes += Self.cost(bytes)
        readers.look()
        loop?.wake()
    }

    func receive(
        _ body: (_ bytes: ArraySlice<UInt8>, _ source: SocketAddress, _ receivedAt: HostTime) -> Void
    ) throws(SystemError) -> Bool {
        guard !waiting.isEmpty else { return false }
        let first = waiting.removeFirst()
        waitingBytes -= Self.cost(first.bytes)
        body(first.bytes[...], first.source, first.at)
        return true
    }

    func send(
        _ bytes: UnsafeRawBufferPointer, to peer: SocketAddress, from source: IPAddress?
    ) throws(SystemError) -> Bool {
        guard peer.address.family == .v4 else { throw SystemError(operation: "sendmsg", code: EAFNOSUPPORT) }
        let own = source ?? (address.address.isUnspecified ? nil : address.address)
        let from = own ?? (peer.address.isLoopback ? .loopbackV4 : machine.address)
        machine.network.send(
            Array(bytes), from: SocketAddress(from, port: address.port), of: machine, to: peer)
        return true
    }

    func sendStamped(
        _ bytes: UnsafeRawBufferPointer, to peer: SocketAddress, from source: IPAddress?
    ) throws(SystemError) -> HostTime? {
        try send(bytes, to: peer, from: source) ? machine.now : nil
    }

    func stampDepartures() {}

    /// Does nothing: virtual networks pass all alike, which is the worst case.
    func mark(as traffic: TrafficClass) {}

    func readiness(on queue: SerialQueue, _ handler: @escaping @Sendable () -> Void) -> any Readiness {
        let readiness = VirtualReadiness(
            on: queue, while: { [weak self] in self?.hasDatagrams == true }, handler)
        readers.add(readiness)
        return readiness
    }
}
