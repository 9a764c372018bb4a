import Synchronization
import Testing
import TuttiSystemIO
import TuttiTestSupport

@Suite("TCP connections over loopback", .tags(.machine))
struct TCPConnectionTests {
    @Test(
        "bytes pass both ways in order, and the peer's end closes",
        arguments: [IPAddress.loopbackV4, .loopbackV6])
    func echo(address: IPAddress) async throws {
        let listener = try TCPListener(at: SocketAddress(address, port: 0))
        let accepted = Accepted()
        listener.start { connection in
            accepted.keep(connection)
            connection.start(onBytes: { connection.send($0) }, onClose: { _ in })
        }
        let connection = try await TCPConnection.connect(to: listener.address, timeout: .seconds(60))
        let events = Inbox(connection)
        let sent = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        for start in stride(from: 0, to: sent.count, by: 50_000) {
            connection.send(Array(sent[start..<start + 50_000]))
        }
        var received: [UInt8] = []
        for await bytes in events.bytes {
            received += bytes
            if received.count >= sent.count { break }
        }
        #expect(received == sent)
        #expect(connection.peerAddress == listener.address)
        accepted.closeAll()
        #expect(await events.end == nil)
    }

    @Test("the handshake measures the round trip")
    func roundTrip() async throws {
        let listener = try TCPListener(at: SocketAddress(.loopbackV4, port: 0))
        let connection = try await TCPConnection.connect(to: listener.address)
        let roundTrip = try #require(connection.roundTrip)
        #expect(roundTrip.minimum >= .zero && roundTrip.minimum < .seconds(1))
        #expect(roundTrip.smoothed > .zero && roundTrip.smoothed < .seconds(1))
    }

    @Test("a port without listener refuses")
    func refused() async throws {
        // A port that was free a moment ago may belong to another test by now.
        let address = SocketAddress(IPAddress(127, 64, 1, 1), port: 1)
        await #expect(throws: SystemError.self) { try await TCPConnection.connect(to: address) }
    }

    @Test("a cancelled task stops connecting at once")
    func cancelled() async throws {
        // TEST-NET-1 does not answer; where the system has no route the call fails as well.
        let peer = SocketAddress(IPAddress(192, 0, 2, 1), port: 7000)
        let task = Task { try await TCPConnection.connect(to: peer, timeout: .seconds(600)) }
        task.cancel()
        await #expect(throws: SystemError.self) { try await task.value }
    }

    @Test("the local address is the requested one")
    func bound() async throws {
        let listener = try TCPListener(at: SocketAddress(.loopbackV4, port: 0))
        let connection = try await TCPConnection.connect(
            to: listener.address, from: IPAddress(127, 0, 0, 7), options: Self.allOptions)
        #expect(connection.localAddress.address == IPAddress(127, 0, 0, 7))
    }

    static let allOptions = TCPOptions(
        sendBufferBytes: 65_536, maximumRetransmissionTimeout: .seconds(1), userTimeout: .seconds(60),
        keepAlive: .init(idle: .seconds(10), interval: .seconds(5), probeCount: 5))

    @Test("a write stops when the kernel is full, and continues when the peer reads")
    func backPressure() async throws {
        let listener = try TCPListener(at: SocketAddress(.loopbackV4, port: 0))
        let accepted = Accepted()
        let total = Mutex(0)
        listener.start { connection in
            connection.pauseReading()
            connection.start(onBytes: { bytes in total.withLock { $0 += bytes.count } }, onClose: { _ in })
            accepted.keep(connection)
        }
        let connection = try await TCPConnection.connect(
            to: listener.address, options: TCPOptions(sendBufferBytes: 65_536))
        await accepted.first()
        let written = await withCheckedContinuation { continuation in
            connection.queue.async { continuation.resume(returning: fill(connection)) }
        }
        #expect(written > 0)
        #expect(connection.unsentBytes > 0)
        await withCheckedContinuation { continuation in
            connection.notifyWhenWritable { continuation.resume() }
            accepted.resumeAll()
        }
        connection.close()
    }

    @Test("a peer that does not read cannot grow the send queue without limit")
    func sendQueueLimit() async throws {
        let listener = try TCPListener(at: SocketAddress(.loopbackV4, port: 0))
        let accepted = Accepted()
        listener.start { accepted.keep($0) }
        let connection = try await TCPConnection.connect(to: listener.address)
        let events = Inbox(connection)
        let block = [UInt8](repeating: 7, count: 1 << 20)
        for _ in 0..<64 { connection.send(block) }
        #expect(await events.end?.operation == "send")
    }

    @Test("a handler's owner may close the connection while it is deallocated")
    func closedByItsHandlersOwner() async throws {
        let listener = try TCPListener(at: SocketAddress(.loopbackV4, port: 0))
        let connection = try await TCPConnection.connect(to: listener.address)
        let (ends, endsIn) = AsyncStream.makeStream(of: Void.self)
        let start = {
            let owner = Owner(of: connection) { endsIn.yield() }
            connection.start(onBytes: { _ in owner.noop() }, onClose: { _ in owner.noop() })
            connection.notifyWhenWritable { owner.noop() }
            connection.notifyWhenWritable { owner.noop() }
        }
        start()
        connection.close()
        for await _ in ends { break }
    }

    @Test("closing twice calls back once")
    func closeTwice() async throws {
        let listener = try TCPListener(at: SocketAddress(.loopbackV4, port: 0))
        let connection = try await TCPConnection.connect(to: listener.address)
        let count = Mutex(0)
        await withCheckedContinuation { continuation in
            connection.start(
                onBytes: { _ in },
                onClose: { _ in
                    count.withLock { $0 += 1 }
                    continuation.resume()
                })
            connection.close()
            connection.close()
        }
        connection.send([1])
        connection.close()
        await withCheckedContinuation { continuation in connection.queue.async { continuation.resume() } }
        #expect(count.withLock { $0 } == 1)
    }

    @Test("last words reach a peer that still sends")
    func lastWords() async throws {
        let listener = try TCPListener(at: SocketAddress(.loopbackV4, port: 0))
        let accepted = Accepted()
        listener.start {
            $0.pauseReading()
            accepted.keep($0)
        }
        var connection: TCPConnection? = try await TCPConnection.connect(to: listener.address)
        let events = Inbox(try #require(connection))
        await accepted.first()
        let peer = try #require(accepted.all.first)
        let peerEvents = Inbox(peer)
        connection?.send([1, 2, 3])
        connection?.close(discardingFor: .seconds(600))
        connection = nil
        #expect(await events.end == nil)
        peer.send([UInt8](repeating: 9, count: 100_000))
        peer.send([UInt8](repeating: 9, count: 100_000))
        peer.resumeReading()
        var received: [UInt8] = []
        for await bytes in peerEvents.bytes { received += bytes }
        #expect(received == [1, 2, 3])
        #expect(await peerEvents.end == nil)
    }
}

/// Writes until the kernel is full; call it on the connection's queue.
private func fill(_ connection: TCPConnection) -> Int {
    let block = [UInt8](repeating: 1, count: 32_768)
    var total = 0
    while true {
        let count = block.withUnsafeBytes { connection.write($0) }
        guard count > 0 else { return total }
        total += count
    }
}

/// Calls its connection when it is deallocated.
private final class Owner: Sendable {
    private let connection: TCPConnection
    private let onEnd: @Sendable () -> Void

    init(of connection: TCPConnection, onEnd: @escaping @Sendable () -> Void) {
        self.connection = connection
        self.onEnd = onEnd
    }

    deinit {
        connection.close()
        connection.send([1])
        onEnd()
    }

    func noop() {}
}

/// Holds a listener's accepted connections.
private final class Accepted: Sendable {
    private let connections = Mutex<[TCPConnection]>([])
    private let arrivals = AsyncStream.makeStream(of: Void.self)

    func keep(_ connection: TCPConnection) {
        connections.withLock { $0.append(connection) }
        arrivals.continuation.yield()
    }

    /// Waits for the first connection.
    func first() async {
        for await _ in arrivals.stream { return }
    }

    var all: [TCPConnection] { connections.withLock { $0 } }
    func closeAll() { connections.withLock { $0 }.forEach { $0.close() } }
    func resumeAll() { connections.withLock { $0 }.forEach { $0.resumeReading() } }
}

/// The events of a started connection.
private struct Inbox {
    let bytes: AsyncStream<[UInt8]>
    private let ends: AsyncStream<SystemError?>

    init(_ connection: TCPConnection) {
        let (bytes, bytesIn) = AsyncStream.makeStream(of: [UInt8].self)
        let (ends, endsIn) = AsyncStream.makeStream(of: SystemError?.self)
        self.bytes = bytes
        self.ends = ends
        connection.start(
            onBytes: { bytesIn.yield($0) },
            onClose: {
                bytesIn.finish()
                endsIn.yield($0)
                endsIn.finish()
            })
    }

    var end: SystemError? {
        get async {
            for await end in ends { return end }
            return nil
        }
    }
}
