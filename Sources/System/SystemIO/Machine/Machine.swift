import Dispatch
import TuttiMediaTime

/// The machine that the engine runs on: time, queues, waiting, sockets and chance.
///
/// One argument, from the facades down: ``SystemMachine`` in programs, a machine in virtual time in tests of whole houses.
/// Thread-safe.
package protocol Machine: HostClock {
    /// Makes a serial queue.
    func makeQueue(_ label: String, qos: DispatchQoS) -> SerialQueue

    /// The main queue of the program.
    var main: SerialQueue { get }

    /// Runs work that may block, beside all queues.
    func perform(qos: DispatchQoS.QoSClass, _ work: @escaping @Sendable () -> Void)

    /// Returns at a host time, or throws as soon as the task is cancelled.
    func sleep(until time: HostTime) async throws(CancellationError)

    /// Connects to `peer`; see ``TCPConnection/connect(to:from:options:timeout:)``.
    func connect(
        to peer: SocketAddress, from source: IPAddress?, options: TCPOptions, timeout: Duration
    ) async throws(SystemError) -> TCPConnection

    /// Accepts connections at `address`; see ``TCPListener/init(at:options:waitsForData:)``.
    func listen(
        at address: SocketAddress, options: TCPOptions, waitsForData: Bool
    ) throws(SystemError) -> TCPListener

    /// Binds a UDP socket; see ``UDPSocket/init(at:receiveBufferBytes:datagramBytes:)``.
    func bind(
        _ address: SocketAddress, receiveBufferBytes: Int?, datagramBytes: Int
    ) throws(SystemError) -> UDPSocket

    /// Asks whether a program listens at a UDP port; see ``UDPPortProbe/init(of:sending:)``.
    func probe(_ port: SocketAddress, sending bytes: [UInt8]) throws(SystemError) -> UDPPortProbe

    /// Makes a loop, which is not started.
    ///
    /// - Throws: An error if no descriptor is available.
    func makeLoop() throws(SystemError) -> any Loop

    /// The addresses of the network interfaces.
    func addresses() -> [InterfaceAddress]

    /// The link-layer address of the first interface that has one, the same in every run; `nil` if none has.
    func hardwareAddress() -> [UInt8]?

    /// A text that names this machine and no other, the same in every run. Never send it unchanged; derive other
    /// identifiers from it.
    func identityText() -> String

    /// Whether other programs run there: they share the clock, and find this one by mDNS.
    var hasOtherPrograms: Bool { get }

    /// 64 random bits, which nobody can foresee on the real machine; not for keys.
    func randomBits() -> UInt64
}

extension Machine {
    /// Makes a serial queue of no particular urgency.
    package func makeQueue(_ label: String) -> SerialQueue { makeQueue(label, qos: .unspecified) }

    /// Returns after a time; returns early if the task is cancelled, the only error of a sleep. A loop around it checks for
    /// cancellation itself.
    package func pause(for time: Duration) async { try? await sleep(for: time) }

    /// Returns after a time, or throws as soon as the task is cancelled.
    package func sleep(for time: Duration) async throws(CancellationError) {
        try await sleep(until: now.advanced(by: max(.zero, time)))
    }

    /// Connects to `peer` with the usual options.
    package func connect(
        to peer: SocketAddress, from source: IPAddress? = nil, timeout: Duration = .seconds(5)
    ) async throws(SystemError) -> TCPConnection {
        try await connect(to: peer, from: source, options: TCPOptions(), timeout: timeout)
    }

    /// Accepts connections at `address` with the usual options.
    package func listen(at address: SocketAddress) throws(SystemError) -> TCPListener {
        try listen(at: address, options: TCPOptions(), waitsForData: false)
    }

    /// Binds a UDP socket for datagrams of the usual length.
    package func bind(_ address: SocketAddress) throws(SystemError) -> UDPSocket {
        try bind(address, receiveBufferBytes: nil, datagramBytes: UDPSocket.longestDatagram)
    }
}
