import TuttiSystemIO

/// The bound sockets: an event and a general one for each address.
struct ClockSockets: Sendable {
    struct Bound: Sendable {
        let socket: UDPSocket
        let port: ClockPort
    }

    private(set) var all: [Bound]
    /// The event port that was bound, also where the kernel chose it.
    let eventPort: UInt16
    /// The general port that was bound, also where the kernel chose it.
    let generalPort: UInt16

    /// The bound addresses.
    var addresses: [IPAddress] { all.filter { $0.port == .event }.map(\.socket.address.address) }

    /// The sockets in the order of ``init(adopting:stampsDepartures:)``.
    var passed: [PassedDescriptor] { all.compactMap(\.socket.passed) }

    /// Releases the sockets; the last reference closes them.
    mutating func removeAll() { all = [] }

    /// Adopts the bound sockets of another program, event and general alternating.
    init(adopting passed: [PassedDescriptor], stampsDepartures: Bool) throws(SystemError) {
        var all: [Bound] = []
        for (index, descriptor) in passed.enumerated() {
            let isEvent = index.isMultiple(of: 2)
            all.append(
                Bound(
                    socket: try UDPSocket(
                        adopting: descriptor, stampsDepartures: isEvent && stampsDepartures),
                    port: isEvent ? .event : .general))
        }
        guard let first = all.first, let second = all.dropFirst().first else {
            throw SystemError(operation: "adopt", code: 0)
        }
        self.all = all
        eventPort = first.socket.address.port
        generalPort = second.socket.address.port
    }

    /// The receive buffer: enough for a burst of requests from every peer.
    private static let receiveBufferBytes = 256 << 10

    init(
        addresses: [IPAddress], eventPort: UInt16, generalPort: UInt16, machine: any Machine
    ) throws(ClockServiceError) {
        var all: [Bound] = []
        var missing: SystemError?
        for address in addresses {
            do throws(SystemErrorAtPort) {
                let event = try Self.bind(address, eventPort, machine)
                event.stampDepartures()
                let general = try Self.bind(address, generalPort, machine)
                all += [Bound(socket: event, port: .event), Bound(socket: general, port: .general)]
            } catch {
                // A machine without IPv6 serves IPv4 alone, and vice versa.
                guard error.cause.isAddressUnavailable, address.isUnspecified else {
                    throw error.asServiceError
                }
                missing = error.cause
            }
        }
        guard let first = all.first, let second = all.dropFirst().first else {
            throw missing.map { .system($0) } ?? .noAddress
        }
        self.all = all
        self.eventPort = first.socket.address.port
        self.generalPort = second.socket.address.port
    }

    /// Returns the socket to send from, preferably the one bound exactly to the wanted source address.
    func socket(_ port: ClockPort, to peer: IPAddress, from source: IPAddress?) -> UDPSocket? {
        var fallback: UDPSocket?
        for bound in all where bound.port == port && bound.socket.address.address.family == peer.family {
            if bound.socket.address.address == source { return bound.socket }
            if fallback == nil { fallback = bound.socket }
        }
        return fallback
    }

    private struct SystemErrorAtPort: Error {
        let cause: SystemError
        let port: UInt16

        var asServiceError: ClockServiceError {
            if cause.isAddressInUse { return .portTaken(port: port, holder: .whoHolds(udpPort: port)) }
            return cause.isPermissionDenied ? .portForbidden(port: port) : .system(cause)
        }
    }

    private static func bind(
        _ address: IPAddress, _ port: UInt16, _ machine: any Machine
    ) throws(SystemErrorAtPort) -> UDPSocket {
        do throws(SystemError) {
            let socket = try machine.bind(
                SocketAddress(address, port: port), receiveBufferBytes: receiveBufferBytes,
                datagramBytes: UDPSocket.longestDatagram)
            socket.mark(as: .clock)
            return socket
        } catch {
            throw SystemErrorAtPort(cause: error, port: port)
        }
    }
}
