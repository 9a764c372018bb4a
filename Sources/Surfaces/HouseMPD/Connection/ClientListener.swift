import Synchronization
import TuttiSystemIO

/// The listening sockets, and the connections of all clients. Any thread.
final class ClientListener: Sendable {
    private struct State {
        var listeners: [TCPListener] = []
        var connections: [ObjectIdentifier: (link: ClientConnection, session: ClientSession)] = [:]
        var sweeper: Task<Void, Never>?
        var isClosed = false
    }

    /// The time between two looks at clients that may be stuck.
    private static let sweepInterval = Duration.seconds(10)
    /// Finds clients that are gone without a word, while they wait for events.
    private static let keepAlive = TCPOptions.KeepAlive(
        idle: .seconds(120), interval: .seconds(30), probeCount: 4)

    private let core: ServerCore
    private let state = Mutex(State())
    private let now: @Sendable () -> ContinuousClock.Instant

    init(_ core: ServerCore, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        (self.core, self.now) = (core, now)
    }

    /// Listens at addresses. A machine without IPv6 lacks those of all and of loopback, which is no error.
    ///
    /// - Returns: The addresses with their actual ports.
    /// - Throws: The reason at another address; then nothing listens.
    func listen(at addresses: [SocketAddress]) throws(MPDSurfaceError) -> [SocketAddress] {
        var listeners: [TCPListener] = []
        for address in addresses {
            do throws(SystemError) {
                listeners.append(
                    try TCPListener(at: address, options: TCPOptions(keepAlive: Self.keepAlive)))
            } catch {
                let isOptional = [.loopbackV6, .anyV6].contains(address.address) && addresses.count > 1
                guard isOptional, error.isAddressUnavailable else { throw MPDSurfaceError(address, error) }
            }
        }
        state.withLock { $0.listeners = listeners }
        for listener in listeners {
            listener.start { [weak self] connection in self?.accept(connection) }
        }
        return listeners.map(\.address)
    }

    private func accept(_ connection: TCPConnection) {
        let link = ClientConnection(connection, now: now)
        let session = ClientSession(core, link)
        guard core.add(session.client) else { return link.close() }
        let isOpen = state.withLock { state in
            guard !state.isClosed else { return false }
            state.connections[ObjectIdentifier(link)] = (link, session)
            return true
        }
        guard isOpen else {
            core.remove(session.client)
            return link.close()
        }
        link.start(
            session, onActivity: { [weak self] in self?.startSweeper() },
            onClose: { [weak self, weak link, core] in
                core.remove(session.client)
                if let link { self?.forget(link) }
            })
        startSweeper()
    }

    private func forget(_ link: ClientConnection) {
        // Released outside the lock.
        let old = state.withLock { $0.connections.removeValue(forKey: ObjectIdentifier(link)) }
        withExtendedLifetime(old) {}
    }

    // MARK: Clients that are stuck

    /// Looks at clients from time to time, as long as one is there that does not wait for events.
    private func startSweeper() {
        state.withLock { state in
            guard state.sweeper == nil, !state.isClosed else { return }
            state.sweeper = Task { [weak self] in
                repeat { await Task.pause(for: Self.sweepInterval) } while self?.sweep() == true
            }
        }
    }

    private func sweep() -> Bool { sweep(at: now()) }

    /// Closes the clients that are stuck at this time.
    ///
    /// - Returns: Whether to look again.
    func sweep(at now: ContinuousClock.Instant) -> Bool {
        // Decided in the lock: a client that ends its waiting later finds no sweeper, and starts one.
        let (clients, goesOn) = state.withLock { state in
            let clients = state.connections.values.map { link, session in
                (link: link, isIdle: session.client.inbox.withLock { $0.isIdle })
            }
            let goesOn = !state.isClosed && clients.contains { !$0.isIdle }
            if !goesOn { state.sweeper = nil }
            return (clients, goesOn)
        }
        for client in clients { client.link.closeIfStuck(isIdle: client.isIdle, at: now) }
        return goesOn
    }

    /// Whether no client's command runs.
    var areIdle: Bool { state.withLock { Array($0.connections.values) }.allSatisfy { $0.link.isAtRest } }

    /// Ends all connections.
    func close() {
        let old = state.withLock { state in
            state.isClosed = true
            state.sweeper?.cancel()
            defer { (state.listeners, state.sweeper) = ([], nil) }
            return (state.listeners, Array(state.connections.values))
        }
        for listener in old.0 { listener.close() }
        for connection in old.1 { connection.link.close() }
    }
}
