import CTuttiEvent
import Glibc
import TuttiSystemIO

/// The thread of a server: evhttp, its connections, and the commands of other threads. Belongs to that thread.
final class ServerLoop {
    let base: OpaquePointer
    let limits: HTTPLimits
    let inbox: LoopInbox
    private(set) var isStopping = false

    private let http: OpaquePointer
    private let handler: HTTPServer.Handler
    private let counts: ServerCounts
    private var sockets: [ListeningSocket]
    private var listeners: [OpaquePointer] = []
    private var bound: [OpaquePointer] = []
    /// Buffers of connections that evhttp is accepting.
    private var arrivals: [OpaquePointer] = []
    private var connections: [ConnectionID: ClientConnection] = [:]
    private var identities: [OpaquePointer: ConnectionID] = [:]
    private var perPeer: [IPAddress: Int] = [:]
    var uploads = UploadSlots<IPAddress>()
    private var streams = 0
    private var lastID: UInt64 = 0
    private var waker: LoopTimer?
    private var adoption: LoopTimer?
    private var resumption: LoopTimer?
    private var stopLimit: LoopTimer?

    /// Libevent locks its bases; once per process, before the first base.
    private static let areThreadsPrepared = {
        // Warnings would go to standard error, which belongs to the program.
        event_set_log_callback { _, _ in }
        return evthread_use_pthreads() == 0
    }()

    /// The pause of a listener that cannot accept, for lack of descriptors.
    private static let pauseAfterFailure = Duration.seconds(2)

    init?(
        _ sockets: [ListeningSocket], limits: HTTPLimits, inbox: LoopInbox, counts: ServerCounts,
        handler: @escaping HTTPServer.Handler
    ) {
        guard Self.areThreadsPrepared, let base = event_base_new() else { return nil }
        guard let http = evhttp_new(base) else {
            event_base_free(base)
            return nil
        }
        (self.base, self.http, self.sockets, self.limits) = (base, http, sockets, limits)
        (self.inbox, self.counts, self.handler) = (inbox, counts, handler)
        guard makeTimers(), prepare() else { return nil }
    }

    deinit {
        evhttp_free(http)
        // The events before their base.
        (waker, adoption, resumption, stopLimit) = (nil, nil, nil, nil)
        event_base_free(base)
    }

    /// Serves until ``LoopInbox/Command/stop`` is carried out.
    func run() {
        guard let waker else { return }
        inbox.open(LoopWaker(waker.event))
        event_base_dispatch(base)
        inbox.close()
        for connection in connections.values { connection.close() }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> ServerLoop? {
        context.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private func makeTimers() -> Bool {
        waker = LoopTimer(on: base, context: context) { _, _, context in
            ServerLoop.from(context)?.performCommands()
        }
        adoption = LoopTimer(on: base, context: context) { _, _, context in
            ServerLoop.from(context)?.adoptArrivals()
        }
        resumption = LoopTimer(on: base, context: context) { _, _, context in
            ServerLoop.from(context)?.resumeListening()
        }
        stopLimit = LoopTimer(on: base, context: context) { _, _, context in
            if let loop = ServerLoop.from(context) { event_base_loopbreak(loop.base) }
        }
        return waker != nil && adoption != nil && resumption != nil && stopLimit != nil
    }

    private func prepare() -> Bool {
        evhttp_set_max_headers_size(http, limits.headerBytes)
        evhttp_set_max_body_size(http, limits.bodyBytes)
        evhttp_set_default_content_type(http, nil)
        // A client that is still sending would not see the answer 413 if the connection closed under it.
        evhttp_set_flags(http, EVHTTP_SERVER_LINGERING_CLOSE)
        // The reader refuses methods, in words.
        evhttp_set_allowed_methods(http, .max)
        evhttp_set_gencb(
            http,
            { request, context in
                if let request { ServerLoop.from(context)?.receive(request) }
            }, context)
        evhttp_set_bevcb(http, { _, context in ServerLoop.from(context)?.makeBuffer() }, context)
        for socket in sockets where !listen(on: socket) { return false }
        resumption?.set(after: Self.pauseAfterFailure)
        return true
    }
}

// Listening and accepting.
extension ServerLoop {
    private func listen(on socket: ListeningSocket) -> Bool {
        let flags = UInt32(LEV_OPT_CLOSE_ON_EXEC)
        guard let listener = evconnlistener_new(base, nil, nil, flags, 0, socket.number) else { return false }
        guard let bound = evhttp_bind_listener(http, listener) else {
            evconnlistener_free(listener)
            return false
        }
        // Without a pause the loop would spin on a connection that it cannot accept.
        evconnlistener_set_error_cb(listener) { listener, _ in evconnlistener_disable(listener) }
        listeners.append(listener)
        self.bound.append(bound)
        return true
    }

    private func resumeListening() {
        for listener in listeners { evconnlistener_enable(listener) }
        resumption?.set(after: Self.pauseAfterFailure)
    }

    /// Makes the buffer of a connection that evhttp is about to make.
    private func makeBuffer() -> OpaquePointer? {
        guard let buffer = bufferevent_socket_new(base, -1, 0) else { return nil }
        bufferevent_incref(buffer)
        arrivals.append(buffer)
        adoption?.fire()
        return buffer
    }

    /// Finds the connections that evhttp has made, before any of them reads.
    ///
    /// evhttp 2.1 does not tell of a new connection, only of a whole request, which is too late for limits. But
    /// the connection is the argument of its buffer's callbacks; it is `nil` if evhttp has dropped it already.
    private func adoptArrivals() {
        for buffer in arrivals {
            var connection: UnsafeMutableRawPointer?
            bufferevent_getcb(buffer, nil, nil, nil, &connection)
            if let connection { adopt(OpaquePointer(connection), buffer) }
            bufferevent_decref(buffer)
        }
        arrivals = []
    }

    private func adopt(_ pointer: OpaquePointer, _ buffer: OpaquePointer) {
        lastID += 1
        let id = ConnectionID(number: lastID)
        guard !isStopping, connections.count < limits.connections,
            let connection = ClientConnection(pointer, buffer: buffer, id: id, loop: self),
            countPeer(of: connection)
        else {
            evhttp_connection_set_closecb(pointer, nil, nil)
            evhttp_connection_free(pointer)
            return counts.update { $0.refusedConnections += 1 }
        }
        connections[id] = connection
        identities[pointer] = id
        counts.update { $0.connections += 1 }
    }

    private func countPeer(of connection: ClientConnection) -> Bool {
        let peer = connection.peer.address.block
        guard !peer.isLoopback else { return true }
        guard perPeer[peer, default: 0] < limits.connectionsPerPeer else { return false }
        perPeer[peer, default: 0] += 1
        return true
    }

    /// Forgets a connection that ends.
    func remove(_ connection: ClientConnection) {
        guard connections.removeValue(forKey: connection.id) != nil else { return }
        identities[connection.pointer] = nil
        let peer = connection.peer.address.block
        if let count = perPeer[peer] { perPeer[peer] = count > 1 ? count - 1 : nil }
        counts.update { $0.connections -= 1 }
        if isStopping, connections.isEmpty { event_base_loopbreak(base) }
    }
}

// Requests, answers and streams.
extension ServerLoop {
    private func receive(_ request: OpaquePointer) {
        guard let pointer = evhttp_request_get_connection(request), let id = identities[pointer],
            let connection = connections[id]
        else { return evhttp_send_error(request, 503, nil) }
        connection.receive(request)
    }

    func handle(_ request: HTTPRequest, _ exchange: ExchangeID) {
        counts.update { $0.requests += 1 }
        Task { [handler, inbox] in inbox.submit(.answer(exchange, await handler(request))) }
    }

    var mayOpenStream: Bool { !isStopping && streams < limits.eventStreams }

    func streamDidOpen() {
        streams += 1
        counts.update { $0.eventStreams += 1 }
    }

    func streamDidClose() {
        streams -= 1
        counts.update { $0.eventStreams -= 1 }
    }

    func clientDidNotRead() { counts.update { $0.droppedListeners += 1 } }

    private func performCommands() {
        for command in inbox.take() {
            switch command {
            case .answer(let exchange, let response):
                let connection = connections[exchange.connection]
                guard let connection, connection.exchange == exchange, connection.isHandling else {
                    command.discard()
                    continue
                }
                connection.answer(response)
            case .writeEvents(let id): connections[id]?.writeEvents()
            case .stop: beginStop()
            }
        }
    }

    private func beginStop() {
        guard !isStopping else { return }
        isStopping = true
        for bound in bound { evhttp_del_accept_socket(http, bound) }
        for socket in sockets { socket.stop() }
        (bound, listeners, sockets) = ([], [], [])
        for connection in Array(connections.values) {
            if connection.isReading { connection.close() } else { connection.endStream() }
        }
        if connections.isEmpty {
            event_base_loopbreak(base)
        } else {
            stopLimit?.set(after: limits.stopPatience)
        }
    }
}
