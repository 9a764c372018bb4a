import Dispatch
import TuttiMediaTime

/// The machine that the program runs on.
package struct SystemMachine: Machine {
    private static let mainQueue = SerialQueue(DispatchQueue.main)
    private let clock: any HostClock

    /// - Parameter clock: The host clock; a test may have one of its own. Queues, timers and sleeps follow the system's.
    package init(clock: any HostClock = SystemClock()) { self.clock = clock }

    package var now: HostTime { clock.now }

    package func makeQueue(_ label: String, qos: DispatchQoS) -> SerialQueue {
        SerialQueue(label: label, qos: qos)
    }

    package var main: SerialQueue { Self.mainQueue }

    package func perform(qos: DispatchQoS.QoSClass, _ work: @escaping @Sendable () -> Void) {
        DispatchQueue.global(qos: qos).async(execute: work)
    }

    package func sleep(until time: HostTime) async throws(CancellationError) {
        do { try await Task.sleep(for: max(.zero, time.since(now))) } catch { throw CancellationError() }
    }

    package func connect(
        to peer: SocketAddress, from source: IPAddress?, options: TCPOptions, timeout: Duration
    ) async throws(SystemError) -> TCPConnection {
        try await TCPConnection.connect(to: peer, from: source, options: options, timeout: timeout)
    }

    package func listen(
        at address: SocketAddress, options: TCPOptions, waitsForData: Bool
    ) throws(SystemError) -> TCPListener {
        try TCPListener(at: address, options: options, waitsForData: waitsForData)
    }

    package func bind(
        _ address: SocketAddress, receiveBufferBytes: Int?, datagramBytes: Int
    ) throws(SystemError) -> UDPSocket {
        try UDPSocket(at: address, receiveBufferBytes: receiveBufferBytes, datagramBytes: datagramBytes)
    }

    package func probe(
        _ port: SocketAddress, sending bytes: [UInt8]
    ) throws(SystemError) -> UDPPortProbe {
        try UDPPortProbe(of: port, sending: bytes)
    }

    package func makeLoop() throws(SystemError) -> any Loop { try ThreadLoop() }

    package func addresses() -> [InterfaceAddress] { NetworkInterfaces.addresses() }

    package func hardwareAddress() -> [UInt8]? { NetworkInterfaces.firstHardwareAddress() }

    package func identityText() -> String { MachineIdentity.text() }

    package var hasOtherPrograms: Bool { true }

    package func randomBits() -> UInt64 { .random(in: .min ... .max) }
}
