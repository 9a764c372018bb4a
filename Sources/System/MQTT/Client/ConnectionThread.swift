import Glibc
import Synchronization
import TuttiSystemIO

/// The thread of one connection: makes all calls to the library, and moves its bytes.
///
/// The library has a thread of its own (`mosquitto_loop_start`), and this is why Tutti does without: that
/// thread takes every message at once and queues without limit for a broker that reads slowly. Here the
/// next message leaves the ``Outbox`` only when the library has written the one before, so a slow broker
/// gets the latest states instead of all of them; and received messages can be left unread in a flood.
struct ConnectionThread: Sendable {
    /// The end of a connection.
    struct End: Sendable {
        /// The reason; `nil` if the client was stopped.
        var failure: MQTTFailure?
        /// The time from the broker's yes to the end; `nil` without a yes.
        var life: Duration?
        /// Whether the broker may know only another version of the protocol.
        var suggestsOtherVersion = false
    }

    /// The time to send the last messages.
    static let endTime = Duration.milliseconds(500)
    private static let maintenance = Duration.seconds(5)
    /// The pace of the opening, in which the library does not say what it waits for.
    private static let openingPace = Duration.milliseconds(20)
    /// The most messages read before others are sent.
    private static let batch = 64

    let configuration: MQTTConfiguration
    let version: MosquittoConnection.Version
    let host: String
    let mailbox: ClientMailbox
    let onEvent: @Sendable (MQTTEvent) -> Void

    /// Runs the connection on a new thread until it ends.
    func run() async -> End {
        await withCheckedContinuation { continuation in
            do {
                try RealtimeThread.start(name: "mqtt", priority: 0) { _ in
                    Self.blockPipeSignal()
                    continuation.resume(returning: serve())
                }
            } catch {
                continuation.resume(
                    returning: End(
                        failure: MQTTFailure(.settings, "MQTT cannot work: the system refuses a thread.")))
            }
        }
    }

    /// A write to a broker that is gone would end the process.
    private static func blockPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private func serve() -> End {
        var accepted: ContinuousClock.Instant?
        do throws(MQTTFailure) {
            let connection = try MosquittoConnection(configuration, version)
            try connection.open(host)
            guard try accept(connection) else { return End() }
            accepted = .now
            for filter in configuration.subscriptions { connection.subscribe(filter) }
            onEvent(.connected)
            try move(connection)
            return End(life: accepted.map { $0.duration(to: .now) })
        } catch {
            let end = End(failure: error, life: accepted.map { $0.duration(to: .now) })
            return accepted == nil ? suggestion(end) : end
        }
    }

    private func suggestion(_ end: End) -> End {
        var end = end
        end.suggestsOtherVersion = end.failure?.kind == .silent || end.failure?.kind == .refused
        return end
    }

    /// Waits for the broker's yes.
    ///
    /// - Returns: `false` if the client was stopped.
    private func accept(_ connection: MosquittoConnection) throws(MQTTFailure) -> Bool {
        let deadline = ContinuousClock.now + configuration.limits.patience
        while connection.answer != 0 {
            guard !mailbox.isStopped else { return false }
            guard ContinuousClock.now < deadline else { throw .silent(configuration) }
            guard let socket = connection.socket else { throw .closed(configuration) }
            wait(socket, Int16(POLLIN), Self.openingPace)
            try connection.write()
            _ = try connection.read()
            if connection.answer == nil, connection.isClosedByBroker { throw .closed(configuration) }
        }
        return true
    }

    /// Moves messages until the client is stopped.
    private func move(_ connection: MosquittoConnection) throws(MQTTFailure) {
        let limit = Double(configuration.limits.receivedPerSecond)
        var budget = TokenBucket(rate: limit, burst: limit)
        var (end, reported): (ContinuousClock.Instant?, Int) = (nil, 0)
        var next = ContinuousClock.now + Self.maintenance
        while true {
            let isStopped = mailbox.isStopped
            send(connection)
            let now = ContinuousClock.now
            if isStopped {
                let limit = end ?? now + Self.endTime
                end = limit
                switch Self.goodbye(wantsWrite: connection.wantsWrite, now, limit: limit) {
                case .later: break
                case .inOrder: return connection.close()
                case .byWill: return
                }
            }
            if now >= next {
                try connection.performMaintenance()
                next = now + Self.maintenance
            }
            guard let socket = connection.socket else { throw .lost(configuration) }
            let pause = budget.wait(at: now)
            let events = (pause > .zero ? 0 : POLLIN) | (connection.wantsWrite ? POLLOUT : 0)
            var limit = min(end ?? next, next) - now
            if pause > .zero { limit = min(limit, pause) }
            let ready = wait(socket, Int16(events), limit)
            if ready & Int16(POLLOUT) != 0 { try connection.write() }
            if ready & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
                try receive(connection, &budget)
            }
            if connection.oversizedCount > reported {
                onEvent(.oversized(connection.oversizedCount - reported))
                reported = connection.oversizedCount
            }
        }
    }

    /// The way to end the connection of a stopped client.
    enum Goodbye {
        /// Messages are still on their way.
        case later
        /// The library has written all messages: the broker drops the will.
        case inOrder
        /// The last messages may be missing: the socket closes without a word, and the broker publishes the
        /// will.
        case byWill
    }

    static func goodbye(
        wantsWrite: Bool, _ now: ContinuousClock.Instant, limit: ContinuousClock.Instant
    ) -> Goodbye {
        guard wantsWrite else { return .inOrder }
        return now >= limit ? .byWill : .later
    }

    private func send(_ connection: MosquittoConnection) {
        for filter in mailbox.takeUnsubscriptions() { connection.unsubscribe(filter) }
        while !connection.wantsWrite, connection.socket != nil, let message = mailbox.takeMessage() {
            connection.publish(message)
        }
    }

    private func receive(
        _ connection: MosquittoConnection, _ budget: inout TokenBucket
    ) throws(MQTTFailure) {
        for _ in 0..<Self.batch {
            let hasMore = try connection.read()
            let messages = connection.takeReceived()
            for message in messages { onEvent(.message(message)) }
            for _ in messages { _ = budget.take(at: .now) }
            guard hasMore, budget.wait(at: .now) == .zero else { return }
        }
    }

    /// Waits for the socket, a wake or the time limit.
    ///
    /// - Returns: The socket's events.
    @discardableResult
    private func wait(_ socket: Int32, _ events: Int16, _ limit: Duration) -> Int16 {
        var descriptors = [
            pollfd(fd: socket, events: events, revents: 0),
            pollfd(fd: mailbox.wakePipe.reader, events: Int16(POLLIN), revents: 0),
        ]
        let (seconds, attoseconds) = max(limit, .zero).components
        let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1
        guard poll(&descriptors, 2, Int32(clamping: milliseconds)) > 0 else { return 0 }
        if descriptors[1].revents != 0 { mailbox.wakePipe.clear() }
        return descriptors[0].revents
    }
}
