import Dispatch
import Glibc
import Synchronization
import Testing
import TuttiTestSupport

@testable import TuttiSystemIO

@Suite("Waiting for sockets", .tags(.machine))
struct ReadinessSourceTests {
    @Test("sockets may hang up while many threads release them")
    func hangUps() throws {
        // One descriptor number is reused at once on both sides, as connections come and go.
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1500 {
                guard let (near, far) = try? Self.pair() else { continue }
                let queue = SerialQueue(label: "hang-up")
                var sources = [near, far].flatMap { socket in
                    [
                        ReadinessSource(.readable, of: socket, on: queue) {},
                        ReadinessSource(.writable, of: socket, on: queue) {},
                    ]
                }
                for source in sources { source.arm() }
                sources.removeFirst()
                shutdown(near.number, Int32(SHUT_RDWR))
                sources.removeAll()
                queue.sync {}
            }
        }
    }

    @Test("a disarmed source is silent and forgets nothing; a deallocated source is silent for good")
    func arming() async throws {
        let (near, far) = try Self.pair()
        let queue = SerialQueue(label: "arming")
        let calls = Mutex(0)
        let (events, continuation) = AsyncStream<Int>.makeStream()
        let call: @Sendable () -> Void = {
            var byte: UInt8 = 0
            _ = recv(near.number, &byte, 1, 0)
            continuation.yield(
                calls.withLock { calls in
                    calls += 1; return calls
                })
        }
        var source: ReadinessSource? = ReadinessSource(.readable, of: near, on: queue, call)
        var iterator = events.makeAsyncIterator()
        Self.send(far, count: 2)
        // One call for each byte, as long as bytes are left.
        source?.arm()
        #expect(await iterator.next() == 1)
        #expect(await iterator.next() == 2)
        queue.sync { source?.disarm() }
        Self.send(far, count: 1)
        // Another source sees the same byte, which proves that the disarmed one could have.
        await Self.ready(near)
        queue.sync {}
        #expect(calls.withLock { $0 } == 2)
        source?.arm()
        #expect(await iterator.next() == 3)
        source = nil
        Self.send(far, count: 1)
        await Self.ready(near)
        queue.sync {}
        #expect(calls.withLock { $0 } == 3)
    }

    @Test("reads and writes of one socket are watched separately, and both see a hang-up")
    func bothKinds() async throws {
        let (near, far) = try Self.pair()
        let reading = Watch(.readable, near)
        let writing = Watch(.writable, near)
        await writing.event()
        shutdown(far.number, Int32(SHUT_RDWR))
        await reading.event()
        await writing.event()
    }

    /// A source that is armed for one event at a time.
    private final class Watch: Sendable {
        private let source: Mutex<ReadinessSource?>
        private let events: AsyncStream<Void>

        init(_ kind: ReadinessKind, _ socket: SocketDescriptor) {
            let (events, continuation) = AsyncStream<Void>.makeStream()
            self.events = events
            source = Mutex(nil)
            let queue = SerialQueue(label: "watch")
            let source = ReadinessSource(kind, of: socket, on: queue) { [weak self] in
                self?.source.withLock { $0?.disarm() }
                continuation.yield()
            }
            self.source.withLock { $0 = source }
        }

        func event() async {
            source.withLock { $0?.arm() }
            for await _ in events { break }
        }
    }

    private static func pair() throws -> (SocketDescriptor, SocketDescriptor) {
        var numbers: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &numbers) == 0 else { throw SystemError.last("socketpair") }
        return (SocketDescriptor(number: numbers[0]), SocketDescriptor(number: numbers[1]))
    }

    private static func send(_ socket: SocketDescriptor, count: Int) {
        let bytes = [UInt8](repeating: 1, count: count)
        _ = Glibc.send(socket.number, bytes, count, Int32(MSG_NOSIGNAL))
    }

    private static func ready(_ socket: SocketDescriptor) async {
        // A descriptor of its own: two sources of one kind on one descriptor are not supported.
        await Watch(.readable, SocketDescriptor(number: dup(socket.number))).event()
    }
}
