import Synchronization
import Testing
import TuttiHouse
import TuttiMQTT
import TuttiTestSupport

@testable import TuttiHouseMQTT
@testable import TuttiMQTT

@Suite("The surface, without a broker")
struct SurfaceTests {
    /// A surface's link with a client that never connects, whose messages a test takes.
    private struct Fixture {
        let link: SurfaceLink
        let client: MQTTClient
        let house = FakeHouse()
        let troubles = Recorder<[String?]>([])
        let log = Recorder<[String]>([])
        let commands: AsyncStream<MQTTMessage>

        init(before: [HouseChange] = []) throws {
            var configuration = MQTTSurface.Configuration(
                broker: "b", port: 1, name: "My House", version: "1")
            configuration.onTrouble = { [troubles] trouble in troubles.update { $0.append(trouble) } }
            configuration.onLog = { [log] line in log.update { $0.append(line) } }
            link = SurfaceLink(configuration)
            client = try MQTTClient(link.clientConfiguration(configuration)) { _ in }
            client.mailbox.setConnected(true)
            for change in before { link.take(change) }
            commands = link.open(client, TestState.house)
        }

        /// Carries out messages, and returns after the last one.
        func run(_ messages: [MQTTMessage]) async {
            let (stream, emit) = AsyncStream.makeStream(of: MQTTMessage.self)
            for message in messages { emit.yield(message) }
            emit.finish()
            await runner.run(stream)
        }

        var runner: CommandRunner {
            CommandRunner(house: house, link: link) { [log] line in log.update { $0.append(line) } }
        }

        /// Makes announcements last until a zone was told to play.
        ///
        /// - Returns: The commands in the order of their ends.
        func holdAnnouncements() -> Recorder<[HouseCommand]> {
            let ended = Recorder<[HouseCommand]>([])
            house.state.withLock { state in
                state.beforeOutcome = { command in
                    if case .announce = command {
                        _ = try? await ended.wait(for: "another command", limit: .seconds(30)) { commands in
                            commands.contains(.play(TestState.zone)) ? true : nil
                        }
                    }
                    ended.update { $0.append(command) }
                }
            }
            return ended
        }

        func take() -> [MQTTMessage] {
            var messages: [MQTTMessage] = []
            while let message = client.mailbox.takeMessage() { messages.append(message) }
            return messages
        }
    }

    private static let play = MQTTMessage(topic: "tutti/my_house/zone/1/play/set", payload: [])

    private static func announcement(_ location: String) -> MQTTMessage {
        MQTTMessage(topic: "tutti/my_house/zone/1/announce/set", text: location)
    }

    private static func change(_ revision: UInt64, _ name: String) -> HouseChange {
        HouseChange(revision: revision, body: .zone(TestState.playing(name)))
    }

    @Test("settings become those of the client: a will, filters, a stable name")
    func settings() throws {
        var configuration = MQTTSurface.Configuration(broker: "b", port: 1, name: "My House", version: "1")
        (configuration.isEncrypted, configuration.certificates) = (true, "/ca")
        let link = SurfaceLink(configuration)
        let found = try link.clientConfiguration(configuration)
        #expect(found.will == MQTTMessage(topic: "tutti/my_house/status", text: "offline", isRetained: true))
        #expect(found.encryption == MQTTConfiguration.Encryption(certificates: "/ca"))
        #expect(found.clientID.hasPrefix("tutti-my_house-"))
        let second = try SurfaceLink(configuration).clientConfiguration(configuration)
        #expect(found.clientID == second.clientID)
        #expect(
            found.subscriptions.prefix(2) == ["tutti/my_house/zone/+/+/set", "tutti/my_house/room/+/+/set"])
        #expect(found.subscriptions.contains("homeassistant/status"))
        for wrong in ["a/#", "a+b", String(repeating: "x", count: 300)] {
            configuration.topic = wrong
            #expect(throws: MQTTSettingsError.self) {
                try SurfaceLink(configuration).clientConfiguration(configuration)
            }
        }
    }

    @Test("the link publishes nothing without a connection, and everything with one")
    func connection() throws {
        let test = try Fixture()
        test.link.take(Self.change(18, "Garden"))
        #expect(test.take().isEmpty)
        test.link.take(.connected)
        #expect(test.take().byTopic["tutti/my_house/zone/1/name"] == "Garden")
        test.link.take(Self.change(19, "Attic"))
        #expect(test.take().byTopic["tutti/my_house/zone/1/name"] == "Attic")
        test.link.take(.disconnected(MQTTFailure(.lost, "It is lost.")))
        test.link.take(Self.change(20, "Cellar"))
        #expect(test.take().isEmpty)
        test.link.take(.connected)
        #expect(test.take().byTopic["tutti/my_house/zone/1/name"] == "Cellar")
        #expect(test.troubles.value == [nil, "It is lost.", nil])
    }

    @Test("a surface that is closed during its start does not connect afterwards")
    func closedDuringStart() async throws {
        let surface = MQTTSurface(
            configuration: .init(broker: "127.0.0.1", port: 9, name: "My House", version: "1"))
        let house = FakeHouse()
        house.state.withLock { $0.beforeSnapshot = { await surface.stop() } }
        try await surface.start(house)
        let isOpen = surface.isOpen
        #expect(!isOpen)
        await surface.stop()
    }

    @Test("a zone that is removed without a connection does not come back with the next one")
    func removedMeanwhile() throws {
        let test = try Fixture()
        test.link.take(.connected)
        // Nothing of it was sent.
        test.link.take(.disconnected(MQTTFailure(.lost, "It is lost.")))
        test.link.take(HouseChange(revision: 18, body: .zoneRemoved(TestState.zone)))
        test.link.take(.connected)
        #expect(!test.take().contains { $0.topic.contains("/zone/1/") || $0.topic.contains("zone_1_") })
    }

    @Test("changes before the first snapshot count only if the snapshot lacks them")
    func early() throws {
        let old = try Fixture(before: [Self.change(16, "Old"), Self.change(17, "Older")])
        #expect(old.link.house.zone(TestState.zone)?.name == "Music")
        let new = try Fixture(before: [Self.change(18, "New"), Self.change(19, "Newer")])
        #expect(new.link.house.zone(TestState.zone)?.name == "Newer")
    }

    @Test("a flood of commands is cut to fifty, with one line of the log")
    func flood() async throws {
        let test = try Fixture()
        test.link.take(.connected)
        for _ in 0..<5_000 {
            test.link.take(.message(MQTTMessage(topic: "tutti/my_house/zone/1/next/set", payload: [])))
        }
        test.link.close()
        await test.runner.run(test.commands)
        let count = test.house.state.withLock { $0.commands.count }
        // A slow machine lets some more through.
        #expect((50...100).contains(count))
        #expect(test.log.value.count == 1 && test.log.value.first?.contains("dropped") == true)
    }

    @Test("a command that the house refuses is answered with its sentence")
    func refusal() async throws {
        let test = try Fixture()
        test.link.take(.connected)
        _ = test.take()
        test.house.state.withLock { $0.refusal = HouseError(.conflict, "The room is not there.") }
        await test.run([Self.play, MQTTMessage(topic: "tutti/my_house/zone/1/volume/set", text: "loud")])
        let sentences = ["The room is not there.", "volume/set must be a number, not “loud”."]
        let answers = test.take()
        #expect(answers.map(\.text) == sentences)
        // The house logs its own refusals.
        #expect(test.log.value == [sentences[1] + " (tutti/my_house/zone/1/volume/set)"])
        #expect(answers.allSatisfy { $0.topic == "tutti/my_house/zone/1/error" && !$0.isRetained })
    }

    @Test("a slow announcement holds up no other command, and the next announcement follows it")
    func slowAnnouncement() async throws {
        let test = try Fixture()
        let ended = test.holdAnnouncements()
        await test.run([Self.announcement("/a.wav"), Self.announcement("/b.wav"), Self.play])
        let announcements = ["/a.wav", "/b.wav"].map { location in
            HouseCommand.announce(AnnouncementRequest(location: location, rooms: [TestState.kitchen]))
        }
        #expect(ended.value == [HouseCommand.play(TestState.zone)] + announcements)
    }

    @Test("an announcement that is one too many is answered, and the others keep their order")
    func manyAnnouncements() async throws {
        let test = try Fixture()
        test.link.take(.connected)
        _ = test.take()
        let ended = test.holdAnnouncements()
        let sent = (1...13).map { "/\($0).wav" }
        await test.run(sent.map(Self.announcement) + [Self.play])
        let read = ended.value.compactMap { command -> String? in
            guard case .announce(let request) = command else { return nil }
            return request.location
        }
        // The first one is read at once, or still waits.
        #expect([10, 11].contains(read.count) && read == sent.filter { read.contains($0) })
        let answers = test.take()
        #expect(answers.count == sent.count - read.count && test.log.value.count == answers.count)
        #expect(
            answers.allSatisfy {
                $0.topic == "tutti/my_house/zone/1/error"
                    && $0.text == "Too many announcements wait. Try again later."
            })
    }

    @Test("leftovers of zones that are gone are removed, and nothing else")
    func sweep() throws {
        let test = try Fixture()
        test.link.take(.connected)
        _ = test.take()
        func retained(_ topic: String) -> [MQTTMessage] {
            test.link.take(.message(MQTTMessage(topic: topic, text: "{}", isRetained: true)))
            return test.take()
        }
        let zone = retained("tutti/my_house/zone/9/state")
        #expect(
            zone.count == ZoneFields.names.count && zone.allSatisfy { $0.payload.isEmpty && $0.isRetained })
        #expect(retained("tutti/my_house/room/attic/state").count == RoomFields.names.count)
        let announcement = "homeassistant/sensor/tutti_my_house/zone_9_title/config"
        #expect(retained(announcement).map(\.topic) == [announcement])
        for known in [
            "tutti/my_house/zone/1/state", "tutti/my_house/room/bath/state",
            "homeassistant/sensor/tutti_my_house/zone_1_title/config", "tutti/my_house/zone/x/state",
        ] { #expect(retained(known).isEmpty) }
    }

    @Test("the start of Home Assistant and a late will are answered")
    func births() throws {
        let test = try Fixture()
        test.link.take(.connected)
        let all = test.take().count
        let birth = MQTTEvent.message(MQTTMessage(topic: "homeassistant/status", text: "online"))
        test.link.take(birth)
        #expect(test.take().count == all)
        test.link.take(birth)
        #expect(test.take().isEmpty)
        test.link.take(.message(MQTTMessage(topic: "tutti/my_house/status", text: "offline")))
        #expect(test.take().byTopic == ["tutti/my_house/status": "online"])
    }
}
