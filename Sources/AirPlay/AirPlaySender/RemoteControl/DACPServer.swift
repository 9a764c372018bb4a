import AirPlayMessages
import Synchronization
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

/// An answer to a speaker's command.
package enum DACPAnswer: Sendable, Hashable {
    /// The command was carried out.
    case done
    /// The command is unknown, or nothing handles it now.
    case unknown
    /// The object of the command does not exist.
    case notThere
    /// The command failed.
    case failed
}

/// A small HTTP server for remote commands of speakers, which authenticate with a token.
///
/// Accepts only speakers that were chosen or have a session. They received the token over encrypted
/// connections; a request without it gets 403. The caller announces the server (`_dacp._tcp`, instance
/// `iTunes_Ctrl_<id>`). Releasing the server closes it.
package final class DACPServer: Sendable {
    /// A handler of commands. Called on a connection's queue.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - speaker: The address of the speaker.
    ///   - answer: Call it once, on any thread; after ``patience`` the speaker gets status 500.
    package typealias Handler =
        @Sendable (
            _ command: DACPCommand, _ speaker: IPAddress, _ answer: @escaping @Sendable (DACPAnswer) -> Void
        ) -> Void

    /// The time that a program may take to answer a command.
    package static let patience = Duration.seconds(5)
    /// The limit of connections: a group's speakers have one each at most, and briefly.
    private static let connectionLimit = 32
    /// The idle time after which the server closes a connection.
    private static let idleLimit = Duration.seconds(30)
    private static let limits = RTSPLimits(headByteCount: 4 << 10, headerCount: 32, bodyByteCount: 1 << 10)

    /// The bound TCP port, on all addresses of this host unless one was given.
    package let port: UInt16
    private let token: String
    private let machine: any Machine
    private let admits: @Sendable (IPAddress) -> Bool
    private let guests = Mutex(DACPGuests())
    private let handler: Handler
    private let listeners: [TCPListener]
    private let connections = Mutex<[ObjectIdentifier: DACPConnection]?>([:])

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - address: The only address to listen at; `nil` for all.
    ///   - machine: Time and sockets.
    ///   - admits: Returns whether an address is that of a speaker with a session; any thread, must not block.
    ///   - handler: Executes the commands.
    /// - Throws: `SystemError` if no port can be bound.
    package init(
        identity: SenderIdentity, at address: IPAddress? = nil, machine: any Machine,
        admits: @escaping @Sendable (IPAddress) -> Bool, handler: @escaping Handler
    ) throws(SystemError) {
        let first = try Self.listener(at: SocketAddress(address ?? .anyV4, port: 0), of: machine)
        port = first.address.port
        // Without IPv6, or when another program holds this port there, speakers use IPv4 alone.
        let second =
            address == nil ? try? Self.listener(at: SocketAddress(.anyV6, port: port), of: machine) : nil
        listeners = [first] + (second.map { [$0] } ?? [])
        token = String(identity.activeRemote)
        self.machine = machine
        self.admits = admits
        self.handler = handler
        for listener in listeners {
            listener.start { [weak self] connection in self?.accept(connection) }
        }
    }

    private static func listener(
        at address: SocketAddress, of machine: any Machine
    ) throws(SystemError) -> TCPListener {
        try machine.listen(at: address, options: TCPOptions(), waitsForData: true)
    }

    deinit { close() }

    /// Closes the server and its connections. Idempotent.
    package func close() {
        for listener in listeners { listener.close() }
        let open = connections.withLock { $0.take() }
        for connection in open?.values.map({ $0 }) ?? [] { connection.close() }
    }

    private func accept(_ socket: TCPConnection) {
        let (speaker, now) = (socket.peerAddress.address.block, machine.now)
        guard admits(socket.peerAddress.address), guests.withLock({ $0.connect(speaker, at: now) }) else {
            return socket.close()
        }
        let server = RTSPServerConnection(
            style: .minimal, idleLimit: Self.idleLimit, limits: Self.limits, at: now)
        let connection = DACPConnection(socket, server, clock: machine) {
            [weak self, weak socket] request, answer in
            guard let self, let socket else { return answer(.internalServerError) }
            self.serve(request, from: socket, answer)
        }
        let isTaken = connections.withLock { connections in
            guard let count = connections?.count, count < Self.connectionLimit else { return false }
            connections?[ObjectIdentifier(connection)] = connection
            return true
        }
        guard isTaken else {
            guests.withLock { $0.disconnect(speaker) }
            return connection.close()
        }
        let key = ObjectIdentifier(connection)
        connection.start { [weak self] in
            // The connection may be deinitialized here, outside the lock.
            let gone = self?.connections.withLock { $0?.removeValue(forKey: key) }
            self?.guests.withLock { $0.disconnect(speaker) }
            withExtendedLifetime(gone) {}
        }
    }

    private func serve(
        _ request: RTSPRequest, from socket: TCPConnection,
        _ answer: @escaping @Sendable (RTSPStatus) -> Void
    ) {
        let (peer, now) = (socket.peerAddress.address, machine.now)
        guard guests.withLock({ $0.ask(peer.block, at: now) }) else { return socket.close() }
        guard request.headers[DACPCommand.tokenHeader] == token else { return answer(.forbidden) }
        guard request.method == .get || request.method == .post,
            let command = DACPCommand(target: request.target)
        else { return answer(.notFound) }
        let counts = guests.withLock { $0.press({ $0.take(command, at: now) }, by: peer.block, at: now) }
        guard counts else { return answer(.serviceUnavailable) }
        handler(command, peer) { answer(Self.status(of: $0)) }
    }

    private static func status(of answer: DACPAnswer) -> RTSPStatus {
        switch answer {
        case .done: RTSPStatus(rawValue: 204)
        // shairport-sync asks for a volume every second, and takes any other error for a sender without remote control.
        case .unknown: .badRequest
        case .notThere: .notFound
        case .failed: .internalServerError
        }
    }
}
