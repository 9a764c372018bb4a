import Glibc
import Synchronization
import TuttiSystemIO

/// A small HTTP/1.1 server for one service: whole requests in, whole answers or streams of events out.
///
/// One thread, `http`, has the sockets. Handlers run as tasks, one at a time per connection; what a client
/// can make large or slow has a limit in ``HTTPLimits``.
package final class HTTPServer: Sendable {
    /// Answers a request. May wait; the client may be gone when it returns.
    package typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

    private let limits: HTTPLimits
    private let handler: Handler
    private let inbox = LoopInbox()
    private let counts = ServerCounts()
    private let end = Completion()

    /// Makes a server that does nothing yet.
    package init(limits: HTTPLimits = HTTPLimits(), handler: @escaping Handler) {
        (self.limits, self.handler) = (limits, handler)
    }

    deinit { inbox.submit(.stop) }

    /// The counts of the server so far, and its connections now.
    package var statistics: HTTPStatistics { counts.value }

    /// Listens at all of the addresses; port 0 lets the kernel choose. A server starts once.
    ///
    /// Raises the process's limit of open files where it is lower than the connections need.
    /// - Parameter path: A socket of this machine to listen at too. The permissions of its file, which are
    ///   this user's alone unless the umask leaves the group write access, and of its folders decide who may
    ///   connect. The clients have the address 127.0.0.1 and port 0.
    /// - Returns: The addresses with their actual ports.
    /// - Throws: ``HTTPServerError`` with a sentence for the user, such as for a port in use; then it listens
    ///   nowhere.
    package func start(
        on addresses: [SocketAddress], path: String? = nil
    ) async throws(HTTPServerError) -> [SocketAddress] {
        let begun = end.begin()
        precondition(begun, "a server starts once")
        do throws(HTTPServerError) {
            return try await Self.listen(on: addresses, path: path) { sockets throws(HTTPServerError) in
                OpenFiles.raiseLimit(to: limits.connections + OpenFiles.others)
                try await startThread(sockets)
            }
        } catch {
            end.finish()
            throw error
        }
    }

    /// Listens at all of the addresses and the path while a body takes the sockets over; nowhere if one of them
    /// or the body fails.
    static func listen(
        on addresses: [SocketAddress], path: String?,
        _ body: ([ListeningSocket]) async throws(HTTPServerError) -> Void
    ) async throws(HTTPServerError) -> [SocketAddress] {
        var sockets: [ListeningSocket] = []
        do throws(HTTPServerError) {
            for address in addresses { sockets.append(try ListeningSocket(at: address)) }
            if let path { sockets.append(try ListeningSocket(atPath: path)) }
            try await body(sockets)
        } catch {
            for socket in sockets { socket.stop() }
            throw error
        }
        return sockets.filter { $0.path == nil }.map(\.address)
    }

    /// Stops: no new requests, streams of events end, requests in flight have ``HTTPLimits/stopPatience``.
    /// Idempotent; returns when the thread has ended.
    package func stop() async {
        inbox.submit(.stop)
        await end.wait()
    }

    private func startThread(_ sockets: [ListeningSocket]) async throws(HTTPServerError) {
        let result = await withCheckedContinuation { (ready: CheckedContinuation<SystemError?, Never>) in
            do throws(SystemError) {
                try RealtimeThread.start(name: "http", priority: 0) {
                    [limits, handler, inbox, counts, end] _ in
                    Self.run(sockets, limits, handler, inbox, counts, ready)
                    end.finish()
                }
            } catch {
                ready.resume(returning: error)
            }
        }
        if let result { throw HTTPServerError(result) }
    }

    private static func run(
        _ sockets: [ListeningSocket], _ limits: HTTPLimits, _ handler: @escaping Handler, _ inbox: LoopInbox,
        _ counts: ServerCounts, _ ready: CheckedContinuation<SystemError?, Never>
    ) {
        blockPipeSignal()
        guard
            let loop = ServerLoop(sockets, limits: limits, inbox: inbox, counts: counts, handler: handler)
        else {
            inbox.close()
            return ready.resume(returning: SystemError(operation: "evhttp", code: ENOMEM))
        }
        ready.resume(returning: nil)
        loop.run()
    }

    /// A write to a client that is gone would end the process.
    private static func blockPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}

/// The numbers of a server.
package struct HTTPStatistics: Hashable, Sendable {
    /// Connections now.
    package var connections = 0
    /// Streams of events now.
    package var eventStreams = 0
    /// Requests handed to the handler.
    package var requests = 0
    /// Connections closed at once because of a limit.
    package var refusedConnections = 0
    /// Clients disconnected because they did not read their events.
    package var droppedListeners = 0
}

/// The numbers while they change.
final class ServerCounts: Sendable {
    private let counts = Mutex(HTTPStatistics())

    var value: HTTPStatistics { counts.withLock { $0 } }

    func update(_ change: (inout HTTPStatistics) -> Void) { counts.withLock { change(&$0) } }
}
