import Testing
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiMQTT

@Suite("A client of a broker", .tags(.machine))
struct MQTTClientTests {
    private static func configuration(_ port: UInt16) -> MQTTConfiguration {
        var configuration = MQTTConfiguration(broker: "127.0.0.1", port: port, clientID: "test")
        configuration.will = MQTTMessage(topic: "t/status", text: "offline", isRetained: true)
        configuration.subscriptions = ["t/+/set"]
        return configuration
    }

    private static func client(
        _ configuration: MQTTConfiguration, _ events: Recorder<[MQTTEvent]>
    ) throws -> MQTTClient {
        try MQTTClient(configuration, jitter: { 0 }) { event in events.update { $0.append(event) } }
    }

    private static func failure(_ events: [MQTTEvent]) -> MQTTFailure? {
        events.lazy.compactMap { event in
            if case .disconnected(let failure) = event { failure } else { nil }
        }.first
    }

    @Test("a client connects, subscribes, sends states that waited, receives, and says goodbye")
    func life() async throws {
        let broker = try ScriptedBroker(answer: ScriptedBroker.agrees)
        let events = Recorder<[MQTTEvent]>([])
        let client = try Self.client(Self.configuration(broker.port), events)
        client.publish(states: [MQTTMessage(topic: "t/a", text: "1", isRetained: true)])
        #expect(!client.publish(event: MQTTMessage(topic: "t/e", text: "lost")))
        client.publish(states: [MQTTMessage(topic: "t/a", text: "2", isRetained: true)])
        client.start()
        _ = try await broker.packets.wait(for: "a message and a subscription") { packets in
            ScriptedBroker.published(packets).contains("t/a=2") && packets.contains { $0.kind == 8 }
                ? true : nil
        }
        let link = try #require(broker.connections.value.last)
        link.send(ScriptedBroker.publish("t/x/set", Array("7".utf8)))
        link.send(ScriptedBroker.publish("t/y/set", [UInt8](repeating: 65, count: 65_537)))
        link.send(ScriptedBroker.publish("t/z/set", []))
        let last = MQTTEvent.message(MQTTMessage(topic: "t/z/set", payload: []))
        _ = try await events.wait(for: "the last message") { $0.contains(last) ? true : nil }
        await client.stop(last: [MQTTMessage(topic: "t/status", text: "offline", isRetained: true)])
        _ = try await broker.packets.wait(for: "the end") { $0.last?.kind == 14 ? true : nil }
        #expect(ScriptedBroker.published(broker.packets.value) == ["t/a=2", "t/status=offline"])
        #expect(
            events.value.filter { if case .oversized = $0 { false } else { true } } == [
                .connected, .message(MQTTMessage(topic: "t/x/set", text: "7")), last,
            ])
    }

    @Test("the broker is asked for no packet beyond the limit, and gets the will")
    func request() async throws {
        let broker = try ScriptedBroker(answer: ScriptedBroker.agrees)
        let client = try Self.client(Self.configuration(broker.port), Recorder([]))
        client.start()
        let packet = try await broker.packets.wait(for: "CONNECT") { $0.first }
        #expect(packet.kind == 1 && packet.body[6] == 5)
        // A clean start, a will that is retained, of quality 1; thirty seconds.
        #expect(packet.body[7] & 0x3E == 0x2E && packet.body[8...9] == [0, 30])
        // Maximum Packet Size, of 4 bytes.
        let property: [UInt8] = [39, 0, 1, 16, 0]
        #expect(packet.body.indices.contains { packet.body[$0...].starts(with: property) })
        await client.stop()
    }

    @Test(
        "a refusal is a sentence, without the password",
        arguments: [
            (UInt8(134), MQTTFailure.Kind.credentials), (135, .credentials), (136, .refused), (133, .refused),
        ])
    func refusal(code: UInt8, kind: MQTTFailure.Kind) async throws {
        let broker = try ScriptedBroker { packet, connection in
            if packet.kind == 1 { connection.send([0x20, 3, 0, code, 0]) }
        }
        var configuration = Self.configuration(broker.port)
        (configuration.user, configuration.password) = ("ada", "lovelace")
        let events = Recorder<[MQTTEvent]>([])
        let client = try Self.client(configuration, events)
        client.start()
        let failure = try await events.wait(for: "a failure") { Self.failure($0) }
        #expect(failure.kind == kind)
        #expect(failure.description.contains("127.0.0.1:\(broker.port)"))
        #expect(!failure.description.contains("lovelace"))
        await client.stop()
    }

    @Test("a broker that hangs up is told from one that is not there")
    func hangUp() async throws {
        let broker = try ScriptedBroker { _, connection in connection.close() }
        let events = Recorder<[MQTTEvent]>([])
        let client = try Self.client(Self.configuration(broker.port), events)
        client.start()
        #expect(try await events.wait(for: "a failure") { Self.failure($0) }.kind == .silent)
        await client.stop()
    }

    @Test("attempts are spaced by the back-off, and a broker of the older protocol is met on its terms")
    func attempts() async throws {
        let broker = try ScriptedBroker { packet, connection in
            guard packet.kind == 1, packet.body[6] == 5 else {
                return ScriptedBroker.agrees(packet, connection)
            }
            // “Unacceptable protocol version”, as MQTT 3.1.1 spells it.
            connection.send([0x20, 2, 0, 1])
        }
        let events = Recorder<[MQTTEvent]>([])
        let delays = Recorder<[Duration]>([])
        let client = try MQTTClient(
            Self.configuration(broker.port), jitter: { 0.5 },
            pause: { delay in delays.update { $0.append(delay) } },
            onEvent: { event in events.update { $0.append(event) } })
        client.start()
        _ = try await events.wait(for: "a connection") { $0.contains(.connected) ? true : nil }
        #expect(broker.packets.value.filter { $0.kind == 1 }.map { $0.body[6] } == [5, 4])
        // The broker hangs up three times; the connections were short, so the delays continue to grow.
        for count in 2...4 {
            for connection in broker.connections.value { connection.close() }
            _ = try await events.wait(for: "a connection") { events in
                events.filter { $0 == .connected }.count >= count ? true : nil
            }
        }
        #expect(
            delays.value.prefix(4) == [
                .milliseconds(875), .milliseconds(1_750), .milliseconds(3_500), .seconds(7),
            ])
        await client.stop()
    }

    @Test("a second client of the same name is told from a lost connection")
    func takenOver() async throws {
        let broker = try ScriptedBroker { packet, connection in
            ScriptedBroker.agrees(packet, connection)
            // “Session taken over”.
            if packet.kind == 8 { connection.send([0xE0, 2, 142, 0]) }
        }
        let events = Recorder<[MQTTEvent]>([])
        let client = try Self.client(Self.configuration(broker.port), events)
        client.start()
        let failure = try await events.wait(for: "a failure") { Self.failure($0) }
        #expect(failure.kind == .takenOver && failure.description.contains("“test”"))
        await client.stop()
    }

    @Test("a closed port and an unknown name are sentences")
    func unreachable() async throws {
        let listener = try TCPListener(at: SocketAddress(.loopbackV4, port: 0))
        let port = listener.address.port
        listener.close()
        for (name, kind) in [("127.0.0.1", MQTTFailure.Kind.unreachable), ("nobody.invalid", .noSuchHost)] {
            var configuration = Self.configuration(port)
            configuration.broker = name
            let events = Recorder<[MQTTEvent]>([])
            let client = try Self.client(configuration, events)
            client.start()
            let failure = try await events.wait(for: "a failure") { Self.failure($0) }
            #expect(failure.kind == kind && failure.description.contains(name))
            await client.stop()
        }
    }

    @Test("a broker that does not read gets the latest state of a topic, and costs no memory")
    func slow() async throws {
        let broker = try ScriptedBroker { packet, connection in
            // Before the answer: the client, once it is connected, may be faster than this thread.
            if packet.kind == 1 { connection.pauseReading() }
            ScriptedBroker.agrees(packet, connection)
        }
        let events = Recorder<[MQTTEvent]>([])
        var configuration = Self.configuration(broker.port)
        configuration.subscriptions = []
        let client = try Self.client(configuration, events)
        client.start()
        _ = try await events.wait(for: "a connection") { $0.contains(.connected) ? true : nil }
        let filler = [UInt8](repeating: 65, count: 1 << 20)
        // Far more than the sockets hold, on few topics.
        for round in 0..<64 {
            client.publish(states: [
                MQTTMessage(
                    topic: "t/\(round % 4)", payload: filler + Array("\(round)".utf8), isRetained: true)
            ])
        }
        let link = try #require(broker.connections.value.last)
        link.resumeReading()
        let wanted = (60..<64).map { "\($0)" }
        _ = try await broker.packets.wait(for: "the last states") { packets in
            let ends = packets.filter { $0.kind == 3 }.map {
                String(decoding: $0.body.suffix(2), as: UTF8.self)
            }
            return wanted.allSatisfy { ends.contains($0) } ? true : nil
        }
        await client.stop()
    }

    @Test("certificates that cannot be read are a sentence")
    func certificates() async throws {
        let broker = try ScriptedBroker(answer: ScriptedBroker.agrees)
        var configuration = Self.configuration(broker.port)
        configuration.encryption = .init(certificates: "/nowhere/ca.pem")
        let events = Recorder<[MQTTEvent]>([])
        let client = try Self.client(configuration, events)
        client.start()
        let failure = try await events.wait(for: "a failure") { Self.failure($0) }
        #expect(failure.kind == .settings && failure.description.contains("/nowhere/ca.pem"))
        await client.stop()
    }
}
