import Glibc
import Synchronization
import TuttiMediaTime

/// One UDP socket, bound to an exclusive address and port.
///
/// Non-blocking and thread-safe; concurrent calls of ``receive(_:)`` run one after another.
package final class UDPSocket: Sendable {
    /// Longest datagram in bytes; longer datagrams are dropped unread.
    package static let longestDatagram = 2048

    /// The socket of the machine.
    package let target: any DatagramSocket
    private let reading = Mutex<(any Readiness)?>(nil)

    /// Binds `address`; an IPv6 address accepts IPv6 only. Port 0 lets the kernel choose.
    ///
    /// - Parameters:
    ///   - receiveBufferBytes: Size of the kernel's receive buffer; `nil` for the system's default.
    ///   - datagramBytes: The longest datagram to receive; longer ones are dropped.
    package init(
        at address: SocketAddress, receiveBufferBytes: Int? = nil,
        datagramBytes: Int = UDPSocket.longestDatagram
    ) throws(SystemError) {
        target = try KernelDatagrams(
            at: address, receiveBufferBytes: receiveBufferBytes, datagramBytes: datagramBytes)
    }

    /// Adopts a bound UDP socket that another program has passed.
    ///
    /// - Parameter stampsDepartures: Whether the other program has called ``stampDepartures()``.
    /// - Throws: `EPROTOTYPE` if the descriptor is no UDP socket.
    package init(adopting passed: PassedDescriptor, stampsDepartures: Bool) throws(SystemError) {
        target = try KernelDatagrams(adopting: passed, stampsDepartures: stampsDepartures)
    }

    /// Adopts a bound socket of a machine.
    package init(_ socket: any DatagramSocket) { target = socket }

    /// The bound address, with the actual port if 0 was requested.
    package var address: SocketAddress { target.address }

    /// The kernel's socket; `nil` in virtual time.
    var descriptor: SocketDescriptor? { target.descriptor }

    /// The open socket, for another program; both then share one queue of datagrams. `nil` in virtual time.
    package var passed: PassedDescriptor? { target.descriptor.map { PassedDescriptor(descriptor: $0) } }

    /// Takes one queued datagram.
    ///
    /// Allocates nothing as long as `body` does not keep the bytes.
    /// - Parameter body: Receives the bytes, the sender, and the host time at which the kernel received them.
    /// - Returns: `false` if no datagram waits.
    package func receive(
        _ body: (_ bytes: ArraySlice<UInt8>, _ source: SocketAddress, _ receivedAt: HostTime) -> Void
    ) throws(SystemError) -> Bool {
        try target.receive(body)
    }

    /// Takes the queued datagrams, but no more than `limit`, so that a flood leaves the caller's queue to others too.
    ///
    /// An error of the socket ends the turn and is dropped: what still waits makes the socket readable again.
    package func receiveAll(
        upTo limit: Int,
        _ body: (_ bytes: ArraySlice<UInt8>, _ source: SocketAddress, _ receivedAt: HostTime) -> Void
    ) {
        for _ in 0..<limit {
            guard (try? receive(body)) == true else { return }
        }
    }

    /// Sends one datagram.
    ///
    /// - Parameter source: The local source address, one of this machine's; `nil` leaves the choice to the
    ///   socket's own address and the routes.
    /// - Returns: `false` if the kernel has no room now.
    @discardableResult
    package func send(
        _ bytes: UnsafeRawBufferPointer, to peer: SocketAddress, from source: IPAddress? = nil
    ) throws(SystemError) -> Bool {
        try target.send(bytes, to: peer, from: source)
    }

    /// Sends one datagram; see the other form.
    @discardableResult
    package func send(
        _ bytes: [UInt8], to peer: SocketAddress, from source: IPAddress? = nil
    ) throws(SystemError) -> Bool {
        let result: Result<Bool, SystemError> = bytes.withUnsafeBytes { raw in
            do throws(SystemError) { return .success(try send(raw, to: peer, from: source)) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Sends one datagram and returns its departure time.
    ///
    /// - Returns: The kernel's stamp of the moment at which the datagram went to the interface; without an
    ///   immediate stamp, the time before the call; `nil` if the kernel has no room.
    package func sendStamped(
        _ bytes: UnsafeRawBufferPointer, to peer: SocketAddress, from source: IPAddress? = nil
    ) throws(SystemError) -> HostTime? {
        try target.sendStamped(bytes, to: peer, from: source)
    }

    /// Enables the kernel's transmit stamps. Without kernel support, ``sendStamped(_:to:from:)`` reads the
    /// clock.
    package func stampDepartures() { target.stampDepartures() }

    /// Marks all that is sent from now on, so that a network that knows the mark passes it before the rest.
    package func mark(as traffic: TrafficClass) { target.mark(as: traffic) }

    /// Calls `handler` on `queue` whenever datagrams wait, until ``stopNotifying()`` or the socket's end.
    ///
    /// The handler takes datagrams with ``receive(_:)``; the notification does not keep the socket alive.
    package func notifyWhenReadable(on queue: SerialQueue, _ handler: @escaping @Sendable () -> Void) {
        let source = target.readiness(on: queue, handler)
        replaceReading(by: source)
        source.arm()
    }

    /// Ends the notification of ``notifyWhenReadable(on:_:)``.
    package func stopNotifying() { replaceReading(by: nil) }

    /// Replaces the source, and releases the old handler outside the lock.
    private func replaceReading(by source: (any Readiness)?) {
        let old = reading.withLock { reading in
            defer { reading = source }
            return reading
        }
        withExtendedLifetime(old) {}
    }
}
