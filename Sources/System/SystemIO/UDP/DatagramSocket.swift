import TuttiMediaTime

/// A bound, non-blocking datagram socket: the kernel's, or one in virtual time. Thread-safe; see ``UDPSocket``, its only user.
package protocol DatagramSocket: Sendable {
    /// The bound address and port.
    var address: SocketAddress { get }
    /// The kernel's socket; `nil` in virtual time.
    var descriptor: SocketDescriptor? { get }

    /// Takes one queued datagram.
    ///
    /// - Returns: `false` if none waits.
    func receive(
        _ body: (_ bytes: ArraySlice<UInt8>, _ source: SocketAddress, _ receivedAt: HostTime) -> Void
    ) throws(SystemError) -> Bool

    /// Sends one datagram.
    ///
    /// - Returns: `false` if there is no room now.
    func send(
        _ bytes: UnsafeRawBufferPointer, to peer: SocketAddress, from source: IPAddress?
    ) throws(SystemError) -> Bool

    /// Sends one datagram and returns its departure time; `nil` if there is no room now.
    func sendStamped(
        _ bytes: UnsafeRawBufferPointer, to peer: SocketAddress, from source: IPAddress?
    ) throws(SystemError) -> HostTime?

    /// Makes departure times exact, where that is possible.
    func stampDepartures()

    /// Marks all that is sent, where that is possible.
    func mark(as traffic: TrafficClass)

    /// Makes calls of `handler` on `queue` while datagrams wait, disarmed at first.
    func readiness(on queue: SerialQueue, _ handler: @escaping @Sendable () -> Void) -> any Readiness
}
