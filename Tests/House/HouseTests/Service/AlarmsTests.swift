import Foundation
import Testing
import TuttiMusicLibrary

@testable import TuttiHouse

@Suite("Alarms")
final class AlarmsTests {
    private static let zone = TestHouse.zone
    /// The clock of a test house begins at 13:46:40 UTC, on a Monday.
    private static let minute = 13 * 60 + 50
    private static let wait = 200.0
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    private var path: String { folder.appendingPathComponent("house.db").path }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func alarm(_ change: (inout Alarm) -> Void = { _ in }) -> Alarm {
        var alarm = Alarm(zone: zone, minute: minute)
        change(&alarm)
        return alarm
    }

    private static func house(statePath: String? = nil) async throws -> TestHouse {
        let test = TestHouse(statePath: statePath)
        await test.house.useUTC()
        try await test.start()
        return test
    }

    @Test("an alarm plays its items in place of the queue, at its volume, and is off then")
    func ringing() async throws {
        let test = try await Self.house()
        try await test.fill(rooms: [TestHouse.kitchen, TestHouse.bath])
        try await test.perform(.setRoomVolume(TestHouse.kitchen, 60))
        try await test.perform(.setRoomVolume(TestHouse.bath, 30))
        let set = try await test.perform(
            .setAlarm(
                Self.alarm {
                    ($0.items, $0.volume) = ([.location("x"), .location("y")], 20)
                }))
        let id = try #require(set.alarm)
        await test.advance(by: Self.wait - 1)
        #expect(test.outputs.players[0].now.rates.last ?? 0 == 0)
        await test.advance(by: 1.5)
        #expect(try await test.titles() == ["x", "y"])
        #expect(test.outputs.players[0].now.rates.last == 1)
        #expect(test.outputs.players[0].now.rooms.last == [TestHouse.kitchen, TestHouse.bath])
        let snapshot = await test.house.snapshot()
        #expect(snapshot.zones[0].volume == 20)
        #expect(snapshot.rooms.first { $0.id == TestHouse.bath }?.volume == 10)
        #expect(snapshot.alarms.map(\.isOn) == [false] && snapshot.alarms[0].id == id)
        #expect(test.surface.changes.last { if case .alarms = $0.body { true } else { false } } != nil)
        #expect(test.log.contains("Music: the alarm at 13:50 rings"))
    }

    @Test("an alarm with days stays on, and one that was removed or turned off is silent")
    func days() async throws {
        let test = try await Self.house()
        try await test.fill()
        let set = try await test.perform(.setAlarm(Self.alarm { $0.days = [.monday, .tuesday] }))
        await test.advance(by: Self.wait)
        #expect(await test.snapshot()?.state == .waiting)
        #expect(await test.house.snapshot().alarms[0].isOn)
        try await test.perform(.pause(Self.zone))
        await test.advance(by: 86_400)
        #expect(await test.snapshot()?.state == .waiting)
        try await test.perform(.pause(Self.zone))
        try await test.perform(.setAlarm(Self.alarm { ($0.id, $0.days, $0.isOn) = (set.alarm, [], false) }))
        await test.advance(by: 86_400)
        #expect(await test.snapshot()?.state == .paused)
        try await test.perform(.setAlarm(Self.alarm { $0.id = set.alarm }))
        try await test.perform(.removeAlarm(try #require(set.alarm)))
        await test.advance(by: 86_400)
        #expect(await test.snapshot()?.state == .paused)
        #expect(await test.house.snapshot().alarms.isEmpty)
    }

    @Test("items that are gone leave the queue, and others of them play")
    func missingItems() async throws {
        let test = try await Self.house()
        let ids = try await test.fill()
        let alarm = try await test.perform(.setAlarm(Self.alarm { $0.items = [.location("x")] })).alarm
        await test.house.replaceItems(of: try #require(alarm), [.album(1)])
        await test.advance(by: Self.wait)
        #expect(await test.snapshot()?.state == .waiting)
        #expect(await test.snapshot()?.current?.id == ids[0])
        try await test.perform(.pause(Self.zone))
        try await test.perform(.setAlarm(Self.alarm { ($0.id, $0.items) = (alarm, [.location("y")]) }))
        await test.house.replaceItems(of: try #require(alarm), [.album(1), .location("z")])
        await test.advance(by: 86_400)
        #expect(try await test.titles() == ["z"])
    }

    @Test("an alarm that cannot be heard says so")
    func unheard() async throws {
        let test = try await Self.house()
        try await test.perform(.setAlarm(Self.alarm()))
        await test.advance(by: Self.wait)
        #expect(await test.snapshot()?.trouble?.code == "alarm")
        #expect(await test.snapshot()?.trouble?.message.contains("has no rooms to play in") == true)
        try await test.perform(.moveRoom(TestHouse.kitchen, to: Self.zone))
        try await test.perform(.setAlarm(Self.alarm { $0.minute += 1 }))
        await test.advance(by: 60)
        #expect(await test.snapshot()?.trouble?.message.contains("The queue of Music is empty") == true)
        try await test.perform(.add(Self.zone, [.location("a")], .end))
        try await test.perform(.play(Self.zone))
        try await test.perform(.pause(Self.zone))
        await test.find([TestHouse.bath])
        try await test.perform(.setAlarm(Self.alarm { $0.minute += 2 }))
        await test.advance(by: 60)
        #expect(await test.snapshot()?.trouble?.message.contains("is on the network") == true)
        // It is tried all the same, and the trouble ends once it is heard.
        #expect(test.outputs.players[0].now.rates.last == 1)
        await test.handle(.state(.playing))
        #expect(await test.snapshot()?.trouble == nil)
        #expect(test.log.filter { $0.contains("cannot be heard") }.count == 3)
    }

    @Test("an alarm ends a forgotten sleep timer, and leaves music that plays already")
    func present() async throws {
        let test = try await Self.house()
        let ids = try await test.fill()
        try await test.perform(.play(Self.zone))
        try await test.perform(.sleep(Self.zone, afterSeconds: Self.wait + 600))
        try await test.perform(.setAlarm(Self.alarm { $0.fadeSeconds = 60 }))
        test.outputs.players[0].state.withLock { $0.position = (ids[1], 5) }
        await test.advance(by: Self.wait)
        #expect(await test.snapshot()?.sleep == nil)
        #expect(await test.snapshot()?.current?.id == ids[1])
        #expect(test.outputs.players[0].now.volumeHistory.isEmpty)
    }

    @Test("the volume rises once sound is heard, from almost nothing, and a user's volume counts at once")
    func rise() async throws {
        let test = try await Self.house()
        try await test.fill(rooms: [TestHouse.kitchen, TestHouse.bath])
        try await test.perform(.setRoomVolume(TestHouse.kitchen, 50))
        try await test.perform(.setRoomVolume(TestHouse.bath, 50))
        try await test.perform(.setAlarm(Self.alarm { $0.fadeSeconds = 100 }))
        await test.advance(by: Self.wait)
        let player = test.outputs.players[0]
        #expect(player.now.targets[TestHouse.kitchen]?.volume == 1)
        // The rooms take a while to wake.
        await test.advance(by: 20)
        await test.handle(.state(.playing))
        await test.advance(by: 50)
        #expect(player.now.volumes == [TestHouse.kitchen: 25, TestHouse.bath: 25])
        #expect(await test.snapshot()?.volume == 50)
        try await test.perform(.setRoomVolume(TestHouse.bath, 40))
        #expect(player.now.volumes[TestHouse.bath] == 40)
        await test.advance(by: 25)
        #expect(player.now.volumes == [TestHouse.kitchen: 37.5, TestHouse.bath: 40])
        await test.advance(by: 26)
        #expect(player.now.volumes == [TestHouse.kitchen: 50, TestHouse.bath: 40])
        #expect(await test.snapshot()?.volume == 50)
    }

    @Test("music that a sleep timer has lowered rises from there", arguments: [0.0, 40])
    func lowered(fadeSeconds: Double) async throws {
        let test = try await Self.house()
        try await test.fill(rooms: [TestHouse.kitchen, TestHouse.bath])
        try await test.perform(.setRoomVolume(TestHouse.kitchen, 50))
        try await test.perform(.setRoomVolume(TestHouse.bath, 20))
        try await test.perform(.setSleepFade(Self.zone, seconds: 20))
        try await test.perform(.play(Self.zone))
        await test.handle(.state(.playing))
        try await test.perform(.sleep(Self.zone, afterSeconds: Self.wait + 10))
        try await test.perform(.setAlarm(Self.alarm { $0.fadeSeconds = fadeSeconds }))
        await test.advance(by: Self.wait)
        let player = test.outputs.players[0]
        let rise = max(fadeSeconds, 10)
        #expect(await test.snapshot()?.sleep == nil)
        #expect(player.now.volumes == [TestHouse.kitchen: 25, TestHouse.bath: 10])
        await test.advance(by: rise / 2)
        #expect(player.now.volumes == [TestHouse.kitchen: 37.5, TestHouse.bath: 15])
        await test.advance(by: rise / 2)
        #expect(player.now.volumes == [TestHouse.kitchen: 50, TestHouse.bath: 20])
        #expect(await test.snapshot()?.volume == 50)
    }

    @Test("an alarm during the rise of another one goes on from there, and leaves a room that a user has set")
    func risesTwice() async throws {
        let test = try await Self.house()
        try await test.fill(rooms: [TestHouse.kitchen, TestHouse.bath])
        try await test.perform(.setRoomVolume(TestHouse.kitchen, 50))
        try await test.perform(.setRoomVolume(TestHouse.bath, 50))
        try await test.perform(.setAlarm(Self.alarm { $0.fadeSeconds = 100 }))
        try await test.perform(.setAlarm(Self.alarm { $0.minute += 1 }))
        await test.advance(by: Self.wait)
        await test.advance(by: 20)
        await test.handle(.state(.playing))
        try await test.perform(.setRoomVolume(TestHouse.bath, 40))
        let player = test.outputs.players[0]
        await test.advance(by: 40)
        #expect(player.now.volumes == [TestHouse.kitchen: 20, TestHouse.bath: 40])
        await test.advance(by: 5)
        #expect(player.now.volumes == [TestHouse.kitchen: 35, TestHouse.bath: 40])
        await test.advance(by: 5)
        #expect(player.now.volumes == [TestHouse.kitchen: 50, TestHouse.bath: 40])
    }

    @Test("an alarm survives a restart, rings within five minutes after its moment, and later not")
    func restart() async throws {
        let first = try await Self.house(statePath: path)
        try await first.fill()
        try await first.perform(.setAlarm(Self.alarm { $0.days = [.monday] }))
        try await first.perform(.setAlarm(Self.alarm { ($0.minute, $0.volume) = (Self.minute + 10, 5) }))
        await first.house.stop()

        let late = TestHouse(statePath: path)
        await late.house.useUTC()
        late.setTime(1_000_000 + Self.wait + 299)
        await late.house.start()
        await late.house.settle()
        #expect(await late.snapshot()?.state == .waiting)
        try await late.perform(.pause(Self.zone))
        await late.house.stop()

        // Rang already.
        let again = TestHouse(statePath: path)
        await again.house.useUTC()
        again.setTime(1_000_000 + Self.wait + 299.5)
        await again.house.start()
        await again.house.settle()
        #expect(await again.snapshot()?.state == .paused)
        #expect(await again.house.snapshot().alarms.map(\.isOn) == [true, true])
        await again.house.stop()

        // The second one was missed.
        let missed = TestHouse(statePath: path)
        await missed.house.useUTC()
        missed.setTime(1_000_000 + Self.wait + 600 + 301)
        await missed.house.start()
        await missed.house.settle()
        #expect(await missed.snapshot()?.state == .paused)
        #expect(await missed.house.snapshot().alarms.map(\.isOn) == [true, false])
        #expect(missed.log.contains { $0.contains("did not ring") })
        let new = try await missed.perform(.setAlarm(Self.alarm()))
        #expect(new.alarm == AlarmID(rawValue: 3))
    }

    @Test("alarms that make no sense are refused with a sentence")
    func refusals() async throws {
        let test = try await Self.house()
        let bad: [((inout Alarm) -> Void, HouseError.Kind)] = [
            ({ $0.minute = 1440 }, .invalid), ({ $0.minute = -1 }, .invalid), ({ $0.volume = 101 }, .invalid),
            ({ $0.volume = .nan }, .invalid), ({ $0.fadeSeconds = 601 }, .invalid),
            ({ $0.fadeSeconds = .nan }, .invalid), ({ $0.zone = ZoneID(rawValue: 9) }, .notFound),
            ({ $0.id = AlarmID(rawValue: 7) }, .notFound), ({ $0.items = [.album(1)] }, .notFound),
            ({ $0.items = Array(repeating: .location("x"), count: 201) }, .limit),
            ({ $0.items = [.location(String(repeating: "x", count: 70_000))] }, .limit),
        ]
        for (change, kind) in bad {
            await #expect { try await test.perform(.setAlarm(Self.alarm(change))) } throws: { error in
                (error as? HouseError)?.kind == kind
            }
        }
        await #expect(throws: HouseError.self) { try await test.perform(.removeAlarm(AlarmID(rawValue: 1))) }
        for _ in 0..<64 { try await test.perform(.setAlarm(Self.alarm { $0.isOn = false })) }
        await #expect(throws: HouseError(.limit, "A house has at most 64 alarms; remove one first.")) {
            try await test.perform(.setAlarm(Self.alarm()))
        }
        #expect(await test.house.snapshot().alarms.count == 64)
    }

    @Test("the alarms of a zone go with it, and a house without alarms waits for none")
    func removal() async throws {
        let test = try await Self.house()
        let zone = try #require(try await test.perform(.makeZone(name: "Bed", rooms: [])).zone)
        #expect(await !test.house.awaitsAlarm)
        try await test.perform(.setAlarm(Self.alarm { $0.zone = zone }))
        #expect(await test.house.awaitsAlarm)
        try await test.perform(.removeZone(zone))
        #expect(await test.house.snapshot().alarms.isEmpty)
        #expect(await !test.house.awaitsAlarm)
        try await test.perform(.setAlarm(Self.alarm { $0.isOn = false }))
        #expect(await !test.house.awaitsAlarm)
    }
}

extension House {
    func useUTC() { alarmClock.list.localTime = LocalTime { _ in 0 } }

    /// Whether a task waits for an alarm.
    var awaitsAlarm: Bool { alarmClock.timer.isSet }

    /// Changes an alarm's items as if the library had lost some since.
    func replaceItems(of alarm: AlarmID, _ items: [LibraryItem]) {
        alarmClock.list.stored[alarm]?.alarm.items = items
    }
}
