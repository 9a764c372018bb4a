import Synchronization
import Testing
import TuttiTestSupport

@testable import TuttiDBus

/// A connection to a fake bus, with its states.
private final class Fixture: Sendable {
    let bus: FakeBus
    let loop: BusLoop
    let states: AsyncStream<BusConnection.State>
    let connection: BusConnection

    init(
        _ bus: FakeBus, names: [String] = ["org.example.One", "org.example.Two"],
        call: @escaping @Sendable (BusCall) -> BusResponse = { .now(.values($0.arguments ?? [])) },
        signals: @escaping @Sendable () -> [BusSignal] = { [] }, closingPatience: Double = 0.25
    ) {
        self.bus = bus
        loop = BusLoop(retry: RetryPolicy(first: .milliseconds(1)), closingPatience: closingPatience)
        let (states, emit) = AsyncStream.makeStream(of: BusConnection.State.self)
        self.states = states
        connection = BusConnection(
            to: .address(bus.address), names: names, loop: loop,
            handlers: BusConnection.Handlers(call: call, signals: signals, state: { emit.yield($0) }))
    }

    func client() async throws -> FakeBus.Client {
        var iterator = bus.clients.makeAsyncIterator()
        return try #require(await iterator.next())
    }

    func wait(for state: BusConnection.State) async {
        for await next in states where next == state { return }
    }

    func end() async {
        await loop.close()
        bus.end()
    }
}

extension FakeBus.Client {
    func next() async throws -> WireMessage {
        var iterator = messages.makeAsyncIterator()
        return try #require(await iterator.next())
    }
}

@Suite(.timeLimit(.minutes(1)), .tags(.machine)) struct BusConnectionTests {
    @Test("a connection takes its name")
    func name() async throws {
        let fixture = Fixture(try FakeBus())
        await fixture.wait(for: .ready(name: "org.example.One"))
        await fixture.end()
    }

    @Test("a name of another program gives way to the next one")
    func secondName() async throws {
        let fixture = Fixture(try FakeBus(taken: ["org.example.One"]))
        await fixture.wait(for: .ready(name: "org.example.Two"))
        await fixture.end()
    }

    @Test("arguments of every type are read and written as they were sent")
    func everyType() async throws {
        var body = WireBytes()
        body.put(UInt8(7))
        body.put(UInt32(1))
        body.put(Int16(-2))
        body.put(UInt16(3))
        body.put(Int32(-4))
        body.put(UInt32(5))
        body.put(Int64(-6))
        body.put(UInt64(7))
        body.put((1.5).bitPattern)
        body.put(text: "grün")
        body.put(text: "/a/b")
        body.put(signature: "a{sv}")
        body.putArray(alignment: 8) { body in
            body.put(text: "key")
            body.put(signature: "i")
            body.put(Int32(9))
        }
        body.pad(to: 8)
        body.put(Int32(10))
        body.put(text: "inner")
        body.put(signature: "as")
        body.putArray(alignment: 4) { $0.put(text: "x") }
        let signature = "ybnqiuxtdsoga{sv}(is)v"
        let seen = Mutex<BusCall?>(nil)
        let fixture = Fixture(try FakeBus()) { call in
            seen.withLock { $0 = call }
            return .now(.values(call.arguments ?? []))
        }
        let client = try await fixture.client()
        let serial = client.call("Echo", signature: signature, body: body.bytes)
        let reply = try await client.next()
        #expect(reply.kind == .reply)
        #expect(reply.replySerial == serial)
        #expect(reply.texts[.signature] == signature)
        #expect(reply.body == body.bytes)
        #expect(seen.withLock { $0?.arguments.map(BusValue.byteCount) } == body.bytes.count)
        let call = seen.withLock { $0 }
        #expect(call?.member == "Echo" && call?.interface == "a.b" && call?.sender == ":1.9")
        #expect(call?.arguments?[9] == .string("grün"))
        #expect(call?.arguments?[12] == .properties(["key": .int32(9)]))
        await fixture.end()
    }

    @Test("a message with too many values arrives without arguments")
    func tooMany() async throws {
        var body = WireBytes()
        body.putArray(alignment: 1) { $0.append([UInt8](repeating: 1, count: BusLimits.values + 1)) }
        let fixture = Fixture(try FakeBus()) { call in
            .now(.values([.boolean(call.arguments == nil), .signature(call.signature)]))
        }
        let client = try await fixture.client()
        client.call("Big", signature: "ay", body: body.bytes)
        let reply = try await client.next()
        #expect(reply.body.first == 1)
        await fixture.end()
    }

    @Test("a refusal reaches the caller with its name and sentence")
    func refusal() async throws {
        let fixture = Fixture(try FakeBus()) { _ in
            .now(.failure(BusFailure(.unknownMethod, "No such method.")))
        }
        let client = try await fixture.client()
        client.call("What")
        let reply = try await client.next()
        #expect(reply.kind == .error)
        #expect(reply.texts[.errorName] == "org.freedesktop.DBus.Error.UnknownMethod")
        #expect(String(decoding: reply.body.dropFirst(4).dropLast(), as: UTF8.self) == "No such method.")
        await fixture.end()
    }

    @Test("a reply that cannot be written becomes a refusal")
    func unwritable() async throws {
        let fixture = Fixture(try FakeBus()) { _ in .now(.values([.objectPath("no path")])) }
        let client = try await fixture.client()
        client.call("What")
        #expect(try await client.next().texts[.errorName] == "org.freedesktop.DBus.Error.Failed")
        await fixture.end()
    }

    @Test("a text with characters that libsystemd refuses is sent without them")
    func noncharacters() async throws {
        let text = "a\u{FFFE}b\u{1FFFF}c\0d"
        let fixture = Fixture(try FakeBus()) { call in
            .now(
                call.member == "Refuse"
                    ? .failure(BusFailure(.failed, text)) : .values([.properties([text: .string(text)])]))
        }
        let client = try await fixture.client()
        client.call("What")
        let reply = try await client.next()
        var body = WireBytes()
        body.putArray(alignment: 8) { body in
            body.put(text: "abcd")
            body.put(signature: "s")
            body.put(text: "abcd")
        }
        #expect(reply.kind == .reply && reply.body == body.bytes)
        client.call("Refuse")
        let refusal = try await client.next()
        #expect(String(decoding: refusal.body.dropFirst(4).dropLast(), as: UTF8.self) == "abcd")
        await fixture.end()
    }

    @Test("a reply that is too large becomes a refusal")
    func largeReply() async throws {
        let fixture = Fixture(try FakeBus()) { _ in
            .now(.values([.string(String(repeating: "x", count: BusLimits.replyBytes))]))
        }
        let client = try await fixture.client()
        client.call("Much")
        #expect(try await client.next().texts[.errorName] == "org.freedesktop.DBus.Error.LimitsExceeded")
        await fixture.end()
    }

    @Test("large replies that the bus does not take stop the reading sooner than small ones")
    func backpressureOfBytes() async throws {
        let text = String(repeating: "x", count: 1_000_000)
        let count = Atomic<Int>(0)
        let fixture = Fixture(try FakeBus(reads: false)) { _ in
            count.add(1, ordering: .relaxed)
            return .now(.values([.string(text)]))
        }
        let client = try await fixture.client()
        _ = client.callUntilRefused("Flood", limit: 100_000)
        // The system's buffer takes up to 16 MiB, for which libsystemd asks; a mebibyte may wait besides.
        #expect(count.load(ordering: .relaxed) < 30)
        await fixture.end()
    }

    @Test("a connection without unsent messages closes at once")
    func close() async throws {
        // The time limit of the suite ends before this patience.
        let fixture = Fixture(try FakeBus(), closingPatience: 600)
        await fixture.wait(for: .ready(name: "org.example.One"))
        fixture.connection.close()
        await fixture.end()
        let other = Fixture(try FakeBus(), closingPatience: 600)
        await other.wait(for: .ready(name: "org.example.One"))
        await other.end()
    }

    @Test("calls of the interface Peer are answered")
    func peer() async throws {
        let fixture = Fixture(try FakeBus())
        let client = try await fixture.client()
        let serial = client.call("Ping", interface: "org.freedesktop.DBus.Peer")
        let reply = try await client.next()
        #expect(reply.kind == .reply && reply.replySerial == serial && reply.body.isEmpty)
        await fixture.end()
    }

    @Test("a caller that wants no reply gets none")
    func noReply() async throws {
        let fixture = Fixture(try FakeBus())
        let client = try await fixture.client()
        client.call("Quiet", flags: 1)
        let serial = client.call("Loud")
        #expect(try await client.next().replySerial == serial)
        await fixture.end()
    }

    @Test("a reply may come later, from any thread, and a released responder refuses")
    func later() async throws {
        let (responders, emit) = AsyncStream.makeStream(of: BusResponder.self)
        let fixture = Fixture(try FakeBus()) { call in
            .later { if call.member == "Keep" { emit.yield($0) } }
        }
        let client = try await fixture.client()
        client.call("Drop")
        #expect(try await client.next().texts[.errorName] == "org.freedesktop.DBus.Error.Failed")
        let serial = client.call("Keep")
        var iterator = responders.makeAsyncIterator()
        let responder = try #require(await iterator.next())
        responder.reply(.values([.string("late")]))
        responder.reply(.values([.string("again")]))
        let reply = try await client.next()
        #expect(reply.replySerial == serial && reply.texts[.signature] == "s")
        await fixture.end()
    }

    @Test("calls beyond the limit of those that wait are refused at once")
    func waitingCalls() async throws {
        let kept = Mutex<[BusResponder]>([])
        let fixture = Fixture(try FakeBus()) { _ in
            .later { responder in kept.withLock { $0.append(responder) } }
        }
        let client = try await fixture.client()
        for _ in 0..<BusLimits.waitingCalls { client.call("Wait") }
        let serial = client.call("Wait")
        let reply = try await client.next()
        #expect(reply.replySerial == serial)
        #expect(reply.texts[.errorName] == "org.freedesktop.DBus.Error.LimitsExceeded")
        #expect(kept.withLock { $0.count } == BusLimits.waitingCalls)
        await fixture.end()
    }

    @Test("a bus that does not read is not read either")
    func backpressure() async throws {
        let text = String(repeating: "x", count: 60_000)
        let count = Atomic<Int>(0)
        let fixture = Fixture(try FakeBus(reads: false)) { _ in
            count.add(1, ordering: .relaxed)
            return .now(.values([.string(text)]))
        }
        let client = try await fixture.client()
        let sent = client.callUntilRefused("Flood", limit: 100_000)
        #expect(sent < 10_000)
        #expect(count.load(ordering: .relaxed) < 1_000)
        fixture.bus.hasResumed.store(true, ordering: .relaxed)
        var replies = 0
        for await _ in client.messages {
            replies += 1
            if replies == sent { break }
        }
        #expect(count.load(ordering: .relaxed) == sent)
        await fixture.end()
    }

    @Test("signals are fetched once for many changes, and sent in order")
    func signals() async throws {
        let due = Mutex<[BusSignal]>([])
        let fixture = Fixture(
            try FakeBus(),
            signals: {
                due.withLock { due in
                    defer { due = [] }
                    return due
                }
            })
        let client = try await fixture.client()
        await fixture.wait(for: .ready(name: "org.example.One"))
        due.withLock { due in
            due = (0..<3).map { BusSignal(path: "/o", interface: "a.b", member: "S\($0)", arguments: []) }
        }
        for _ in 0..<100 { fixture.connection.setHasSignals() }
        for index in 0..<3 { #expect(try await client.next().texts[.member] == "S\(index)") }
        await fixture.end()
    }

    @Test("a connection that is lost comes back")
    func reconnection() async throws {
        let fixture = Fixture(try FakeBus())
        let first = try await fixture.client()
        await fixture.wait(for: .ready(name: "org.example.One"))
        first.hangUp()
        await fixture.wait(for: .connecting)
        await fixture.wait(for: .ready(name: "org.example.One"))
        let second = try await fixture.client()
        second.call("Ping", interface: "org.freedesktop.DBus.Peer")
        #expect(try await second.next().kind == .reply)
        await fixture.end()
    }

    @Test("a bus that is not there is a failure with a sentence, and another attempt follows")
    func missing() async throws {
        let bus = try FakeBus()
        bus.end()
        let fixture = Fixture(bus)
        let reason = "the bus at \(bus.address) cannot be reached: No such file or directory"
        await fixture.wait(for: .failed(reason))
        await fixture.wait(for: .connecting)
        await fixture.end()
    }
}
