import Foundation
import Playback
import Synchronization
import Testing
import TuttiMusicLibrary

@testable import TuttiHouse

@Suite("Inputs of zones")
struct InputTests {
    /// A source that does nothing.
    final class Source: LiveSource {
        func open(
            _ player: LivePlayer, onVolume: @escaping @Sendable (Double) -> Void
        ) throws(RouteError) {}
        func close() async {}
    }

    /// A source with a slider, which keeps the volumes that it is to show.
    final class Slider: LiveSource {
        private let volumes = Mutex<[Double]>([])

        var shown: [Double] { volumes.withLock { $0 } }

        func open(
            _ player: LivePlayer, onVolume: @escaping @Sendable (Double) -> Void
        ) throws(RouteError) {}
        func setVolume(_ percent: Double) { volumes.withLock { $0.append(percent) } }
        func close() async {}
    }

    private static func house(_ slider: Slider, statePath: String? = nil) -> TestHouse {
        TestHouse(statePath: statePath) { configuration in
            configuration.inputs = { _, _ in
                [HouseInput(InputSnapshot(name: "Desktop", kind: .desktop), source: slider)]
            }
        }
    }

    private let house = TestHouse { configuration in
        configuration.inputs = { _, _ in
            [("Radio", .pipe), ("Desktop", .desktop)].map { name, kind in
                HouseInput(InputSnapshot(name: name, kind: kind), source: Source())
            }
        }
    }
    private let zone = TestHouse.zone
    private var player: FakePlayer.Record { house.outputs.players[0] }

    private func tell(_ event: LiveEvent, of input: String = "Radio") async {
        await house.house.handle(.live(event), ofInput: input, in: zone)
        await house.house.settle()
    }

    private func calls(_ name: String = "Radio") -> [FakeInput.Call] {
        player.now.inputs.first { $0.name == name }?.calls ?? []
    }

    private func begin() async throws {
        try await house.start()
        try await house.fill()
        try await house.perform(.play(zone))
        player.state.withLock { $0.position?.seconds = 42 }
        await tell(.soundArrived)
        await tell(.running)
    }

    @Test("sound at an input pauses the queue at its position, and is shown as what plays")
    func takes() async throws {
        try await begin()
        let snapshot = try #require(await house.snapshot())
        #expect(snapshot.input == InputSnapshot(name: "Radio", kind: .pipe))
        #expect(snapshot.inputs.map(\.name) == ["Radio", "Desktop"])
        #expect(snapshot.state == .playing && snapshot.current?.track.title == "Radio")
        #expect(snapshot.index == nil && player.now.rates.last == 0 && calls() == [.start])
        try await house.perform(.play(zone))
        let later = try #require(await house.snapshot())
        #expect(later.input == nil && later.position == 42 && calls() == [.start, .decline])
        #expect(player.now.rates.last == 1)
    }

    @Test("a minute of silence frees the rooms, and the queue stays paused")
    func idle() async throws {
        try await begin()
        await tell(.idle)
        let snapshot = try #require(await house.snapshot())
        #expect(snapshot.input == nil && snapshot.state == .paused && player.now.rooms.last == [])
        await tell(.soundArrived)
        #expect(player.now.rooms.last == [TestHouse.kitchen])
    }

    @Test("pause drops the input's sound, also sound that comes anew; play goes on with it")
    func pause() async throws {
        try await begin()
        try await house.perform(.pause(zone))
        #expect(await house.snapshot()?.state == .paused && calls() == [.start, .decline])
        await tell(.soundArrived)
        #expect(calls() == [.start, .decline])
        try await house.perform(.toggle(zone))
        #expect(await house.snapshot()?.input?.name == "Radio" && calls() == [.start, .decline, .start])
    }

    @Test("a sleep timer that ends while the input is paused is gone, for surfaces too")
    func sleepOfPausedInput() async throws {
        try await begin()
        try await house.perform(.sleep(zone, afterSeconds: 60))
        try await house.perform(.pause(zone))
        #expect(await house.snapshot()?.sleep != nil)
        await house.advance(by: 61)
        #expect(await house.snapshot()?.sleep == nil)
    }

    @Test(
        "a command of the queue lets the input go",
        arguments: ["play", "next", "previous", "jump", "now", "stop"])
    func letsGo(command: String) async throws {
        try await begin()
        let entry = EntryID(rawValue: 2)
        let commands: [String: HouseCommand] = [
            "play": .play(zone), "next": .next(zone), "previous": .previous(zone), "jump": .jump(zone, entry),
            "now": .add(zone, [.location("d")], .now), "stop": .stop(zone),
        ]
        try await house.perform(try #require(commands[command]))
        let snapshot = try #require(await house.snapshot())
        #expect(snapshot.input == nil && calls() == [.start, .decline])
        #expect(player.now.rates.last == (command == "stop" ? 0 : 1))
    }

    @Test("a user chooses an input; another one lets it go; seeking is refused")
    func choice() async throws {
        try await begin()
        try await house.perform(.playInput(zone, "Desktop"))
        #expect(await house.snapshot()?.input?.name == "Desktop")
        #expect(calls() == [.start, .decline] && calls("Desktop") == [.start])
        await #expect(throws: HouseError.self) { try await house.perform(.seek(zone, seconds: 3)) }
        await #expect(throws: HouseError.self) { try await house.perform(.playInput(zone, "Tape")) }
    }

    @Test("sound that comes during an announcement waits, and is heard after it")
    func announcement() async throws {
        try await house.start()
        try await house.fill()
        try await announce()
        await tell(.soundArrived)
        #expect(calls().isEmpty && player.now.alone == [[TestHouse.kitchen]])
        try await endAnnouncement()
        #expect(calls() == [.stop])
        await tell(.soundArrived)
        #expect(calls() == [.stop, .start])
        #expect(await house.snapshot()?.input?.name == "Radio")
    }

    @Test("an input that plays goes on after an announcement; one that was let go meanwhile stays so")
    func interrupted() async throws {
        for letsGo in [false, true] {
            let test = InputTests()
            try await test.begin()
            try await test.announce()
            await test.tell(.halted)
            await test.tell(.soundArrived)
            #expect(test.calls() == [.start, .stop])
            if letsGo { try await test.house.perform(.play(zone)) }
            try await test.endAnnouncement()
            #expect(test.calls() == [.start, .stop, letsGo ? .decline : .start])
            #expect(await test.house.snapshot()?.input?.name == (letsGo ? nil : "Radio"))
        }
    }

    private func announce() async throws {
        player.state.withLock { $0.isEndless = true }
        try await house.perform(.announce(AnnouncementRequest(location: "bell", rooms: [TestHouse.kitchen])))
        for _ in 0..<10_000 where player.now.alone.isEmpty { await Task.yield() }
    }

    private func endAnnouncement() async throws {
        let id = try #require(await house.house.snapshot().announcements.first?.id)
        try await house.perform(.cancelAnnouncement(id))
        for _ in 0..<10_000 {
            if await house.house.snapshot().announcements.isEmpty { return await house.house.settle() }
            await Task.yield()
        }
        Issue.record("the announcement does not end")
    }

    @Test(
        "rooms of an input that is halted or closed become free while the queue is paused",
        arguments: ["halted", "rename"])
    func frees(end: String) async throws {
        try await begin()
        if end == "halted" {
            await tell(.halted)
        } else {
            try await house.perform(.renameZone(zone, "Attic"))
        }
        #expect(await house.snapshot()?.input == nil && player.now.rooms.last == [TestHouse.kitchen])
        await house.advance(by: 24 * 3600)
        #expect(player.now.rooms.last == [])
    }

    @Test("a zone that is renamed has its inputs again")
    func rename() async throws {
        try await begin()
        try await house.perform(.renameZone(zone, "Attic"))
        for _ in 0..<10_000 where player.now.inputs.count < 4 { await Task.yield() }
        #expect(await house.snapshot()?.inputs.map(\.name) == ["Radio", "Desktop"])
    }

    @Test("a zone without rooms declines")
    func noRooms() async throws {
        try await house.start()
        await tell(.soundArrived)
        #expect(calls() == [.decline] && house.log.contains { $0.contains("no rooms") })
    }

    @Test("the volume of the source moves the rooms; a source whose outputs are taken lets go")
    func volume() async throws {
        try await begin()
        await house.house.handle(.volume(35), ofInput: "Radio", in: zone)
        await house.house.settle()
        #expect(await house.snapshot()?.volume == 35 && player.now.volumes[TestHouse.kitchen] == 35)
        await tell(.halted)
        #expect(await house.snapshot()?.input == nil)
    }

    @Test("a slider shows the rooms' volume from the start of a service on, while nothing plays")
    func shownVolume() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("tutti-inputs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("house.sqlite").path
        let first = Self.house(Slider(), statePath: path)
        try await first.start()
        try await first.fill()
        try await first.perform(.setRoomVolume(TestHouse.kitchen, 20))
        await first.house.stop()
        let slider = Slider()
        let second = Self.house(slider, statePath: path)
        try await second.start()
        #expect(slider.shown == [20])
        await second.house.stop()
    }

    @Test("a slider is low while the rooms' volume is unknown, and moves them from there")
    func unknownVolume() async throws {
        let slider = Slider()
        let house = Self.house(slider)
        try await house.start()
        try await house.fill()
        #expect(slider.shown == [House.cautiousVolume])
        await house.house.handle(.volume(27), ofInput: "Desktop", in: zone)
        #expect(await house.snapshot()?.volume == 27)
        try await house.perform(.setRoomVolume(TestHouse.kitchen, 50))
        #expect(slider.shown == [House.cautiousVolume, 50])
    }
}
