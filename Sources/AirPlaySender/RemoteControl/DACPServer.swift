import AirPlayMessages
import Dispatch
import MediaTime
import RTSP
import Synchronization
import SystemIO

/// What a speaker is answered to a command.
public enum DACPAnswer: Sendable, Hashable {
    case done
    /// The command is not known, or nobody takes it now.
    case unknown
    /// What it is about is not there.
    case notThere
    case failed
}

/// Takes remote commands of speakers: a small HTTP server that knows the speakers by a token.
///
/// Only speakers that were chosen or have a session are listened to. The token went to them over encrypted connections; who
/// does not send it is refused. Announcing the server (`_dacp._tcp`, instance `iTunes_Ctrl_<id>`) is for the caller. Letting
/// go of it ends it.
public final class DACPServer: Sendable {
    /// - Parameters:
    ///   - command: What is asked.
    ///   - speaker: Who asks.
    ///   - answer: To be called once, on any thread; after ``patience`` the speaker is told that it failed.
    public typealias Handler =
        @Sendable (
            _ command: DACPCommand, _ speaker: IPAddress, _ answer: @escaping @Sendable (DACPAnswer) -> Void
        ) -> Void

    /// How long a program may take for a command.
    public static let patience = Duration.seconds(5)
    /// A group of speakers has one each at most, and shortly.
    private static let connectionLimit = 32
    /// Nothing was asked for so long: the speaker is done.
    private static let idleLimit = Duration.seconds(30)
    private static let limits = RTSPLimits(headByteCount: 4 << 10, headerCount: 32, bodyByteCount: 1 << 10)

    /// Where it listens, on all addresses of this host unless it was given one.
    public let port: UInt16
    private let token: String
    private let clock: any HostClock
    private let admits: @Sendable (IPAddress) -> Bool
    private let guests = Mutex(DACPGuests())
    private let handler: Handler
    private let listeners: [TCPListener]
    private let connections = Mutex<[ObjectIdentifier: DACPConnection]?>([:])

    /// - Parameters:
    ///   - address: The only one to listen at; `nil` is all of them.
    ///   - admits: Whether an address is that of a speaker with a session; any thread, must not wait.
    /// - Throws: when no port can be had.
    public init(
        identity: SenderIdentity, at address: IPAddress? = nil, clock: any HostClock = SystemClock(),
        admits: @escaping @Sendable (IPAddress) -> Bool, handler: @escaping Handler
    ) throws(SystemError) {
        let first = try TCPListener(at: SocketAddress(address ?? .anyV4, port: 0))
        port = first.address.port
        // A host without IPv6, or with somebody else at this port there, is reached by IPv4 alone.
        let second = address == nil ? try? TCPListener(at: SocketAddress(.anyV6, port: port)) : nil
        listeners = [first] + (second.map { [$0] } ?? [])
        token = String(identity.activeRemote)
        self.clock = clock
        self.admits = admits
        self.handler = handler
        for listener in listeners {
            listener.start { [weak self] connection in self?.accept(connection) }
        }
    }

    deinit { close() }

    /// Takes no more commands. Safe to call twice.
    public func close() {
        for listener in listeners { listener.close() }
        let open = connections.withLock { $0.take() }
        for connection in open?.values.map({ $0 }) ?? [] { connection.close() }
    }

    private func accept(_ socket: TCPConnection) {
        let (speaker, now) = (socket.peerAddress.address.block, clock.now)
        guard admits(socket.peerAddress.address), guests.withLock({ $0.connect(speaker, at: now) }) else {
            return socket.close()
        }
        let machine = RTSPServerConnection(
            style: .minimal, idleLimit: Self.idleLimit, limits: Self.limits, at: clock.now)
        let connection = DACPConnection(socket, machine, clock: clock) {
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
            // It may die here, outside the lock.
            let gone = self?.connections.withLock { $0?.removeValue(forKey: key) }
            self?.guests.withLock { $0.disconnect(speaker) }
            withExtendedLifetime(gone) {}
        }
    }

    private func serve(
        _ request: RTSPRequest, from socket: TCPConnection,
        _ answer: @escaping @Sendable (RTSPStatus) -> Void
    ) {
        let (peer, now) = (socket.peerAddress.address, clock.now)
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
        case .unknown: .notImplemented
        case .notThere: .notFound
        case .failed: .internalServerError
        }
    }
}
