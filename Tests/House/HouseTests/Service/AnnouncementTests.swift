import Foundation
import Testing
import TuttiMusicLibrary

@testable import TuttiHouse

@Suite("Announcements of a house")
struct AnnouncementTests {
    let house = TestHouse()
    private let zone = TestHouse.zone

    private func announce(
        _ location: String = "bell", _ rooms: [RoomID] = [], pause: Bool = false, volume: Double? = nil
    ) async throws -> AnnouncementID? {
        let request = AnnouncementRequest(
            location: location, rooms: rooms, volume: volume, pausesMusic: pause)
        return try await house.perform(.announce(request)).announcement
    }

    private func waitUntilOver() async throws {
        for _ in 0..<10_000 {
            if await house.house.snapshot().announcements.isEmpty { return }
            await Task.yield()
        }
        Issue.record("the announcement does not end")
    }

    @Test("it is mixed into the music of a zone that plays, in the rooms that were named")
    func mixed() async throws {
        try await house.start()
        try await house.fill(rooms: [TestHouse.kitchen, TestHouse.bath])
        try await house.perform(.play(zone))
        _ = try await announce("bell", [TestHouse.bath])
        try await waitUntilOver()
        let player = house.outputs.players[0].now
        #expect(player.mixed == [[TestHouse.bath]] && player.alone.isEmpty)
        #expect(player.rates.last == 1)
    }

    @Test("music that waits goes back to where the announcement began")
    func paused() async throws {
        try await house.start()
        try await house.fill(rooms: [TestHouse.kitchen, TestHouse.bath])
        try await house.perform(.play(zone))
        try await house.perform(.seek(zone, seconds: 40))
        _ = try await announce("bell", [TestHouse.bath], pause: true)
        try await waitUntilOver()
        let player = house.outputs.players[0].now
        #expect(player.mixed == [[TestHouse.bath]] && player.alone.isEmpty)
        #expect(player.seeks.count == 2 && (40.25..<45).contains(player.seeks.last ?? 0))
    }

    @Test("music whose track would end meanwhile waits, so that the track is heard to its end")
    func pausedAtEnd() async throws {
        try await house.start()
        try await house.fill(rooms: [TestHouse.kitchen, TestHouse.bath])
        try await house.perform(.play(zone))
        try await house.perform(.seek(zone, seconds: 96))
        _ = try await announce("bell", [TestHouse.bath], pause: true)
        try await waitUntilOver()
        var player = house.outputs.players[0].now
        #expect(player.mixed.isEmpty && player.alone == [[TestHouse.bath]] && player.seeks.count == 1)
        #expect(player.rates.suffix(3) == [1, 0, 1])
        // Music that continues more softly needs no end.
        _ = try await announce("bell", [TestHouse.bath])
        try await waitUntilOver()
        player = house.outputs.players[0].now
        #expect(player.mixed == [[TestHouse.bath]] && player.alone.count == 1)
    }

    @Test("a zone that is paused stays so; rooms that were not named are silent meanwhile")
    func pausedZone() async throws {
        try await house.start()
        try await house.fill(rooms: [TestHouse.kitchen, TestHouse.bath])
        try await house.perform(.play(zone))
        try await house.perform(.pause(zone))
        _ = try await announce("bell", [TestHouse.bath])
        try await waitUntilOver()
        let player = house.outputs.players[0].now
        #expect(player.mixed.isEmpty && player.alone == [[TestHouse.bath]])
        #expect(player.rooms.suffix(2) == [[TestHouse.bath], [TestHouse.kitchen, TestHouse.bath]])
        #expect(await house.snapshot()?.state == .paused && player.rates.last == 0)
    }

    @Test("rooms that sleep are woken and sleep again; those without a zone too")
    func asleep() async throws {
        try await house.start()
        try await house.perform(.moveRoom(TestHouse.kitchen, to: zone))
        _ = try await announce()
        try await waitUntilOver()
        let (own, guest) = (house.outputs.players[0].now, house.outputs.players[1].now)
        #expect(own.alone == [[TestHouse.kitchen]] && own.rooms == [[TestHouse.kitchen], []])
        #expect(guest.alone == [[TestHouse.bath, TestHouse.hall]] && guest.isClosed)
        #expect(await house.snapshot()?.state == .stopped)
    }

    @Test(
        "one that the music's end or a jump cuts off is heard again; one that cannot be mixed is heard alone")
    func interrupted() async throws {
        try await house.start()
        try await house.fill()
        try await house.perform(.play(zone))
        let record = house.outputs.players[0]
        record.state.withLock { $0.outcomes = [.interrupted, .nothingPlays] }
        _ = try await announce("bell", [TestHouse.kitchen])
        try await waitUntilOver()
        #expect(record.now.mixed.count == 2 && record.now.alone.count == 1)
    }

    @Test("those for the same room follow one another, and each can be cancelled")
    func order() async throws {
        try await house.start()
        try await house.fill()
        try await house.perform(.play(zone))
        let record = house.outputs.players[0]
        record.state.withLock { $0.isEndless = true }
        let ids = [
            try await announce("one", [TestHouse.kitchen]), try await announce("two", [TestHouse.kitchen]),
            try await announce("three", [TestHouse.kitchen]),
        ].compactMap(\.self)
        var told = await house.house.snapshot().announcements
        #expect(told.map(\.state) == [.playing, .waiting, .waiting])
        try await house.perform(.cancelAnnouncement(ids[1]))
        try await house.perform(.cancelAnnouncement(ids[0]))
        for _ in 0..<10_000 where record.now.mixed.count < 2 { await Task.yield() }
        told = await house.house.snapshot().announcements
        #expect(told.map(\.id) == [ids[2]] && told.first?.state == .playing)
        await #expect(throws: HouseError.self) { try await house.perform(.cancelAnnouncement(ids[0])) }
        try await house.perform(.cancelAnnouncement(ids[2]))
        try await waitUntilOver()
    }

    @Test(
        "an announcement that cannot be is refused in words, and a file of the house is removed then and afterwards"
    )
    func refusals() async throws {
        try await house.start()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("bell-\(UUID().uuidString)")
        for (name, rooms, volume) in [
            ("broken", [TestHouse.kitchen], nil as Double?), ("bell", [RoomID(rawValue: "attic")], nil),
            ("bell", [], 101),
        ] {
            await #expect(throws: HouseError.self) { try await announce(name, rooms, volume: volume) }
        }
        for (path, isRefused) in [(file.path, false), (file.path + "broken", true)] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: path))
            let request = AnnouncementRequest(location: path, isTemporary: true)
            if isRefused {
                await #expect(throws: HouseError.self) { try await house.perform(.announce(request)) }
            } else {
                _ = try await house.perform(.announce(request))
            }
            try await waitUntilOver()
            #expect(!FileManager.default.fileExists(atPath: path))
        }
        await house.find([])
        await #expect(throws: HouseError.self) { try await announce() }
    }

    @Test("too many are refused")
    func tooMany() async throws {
        try await house.start()
        try await house.fill()
        try await house.perform(.play(zone))
        house.outputs.players[0].state.withLock { $0.isEndless = true }
        for _ in 0..<AnnouncementLimits.count { _ = try await announce("bell", [TestHouse.kitchen]) }
        await #expect(throws: HouseError.self) { try await announce("bell", [TestHouse.kitchen]) }
        for announcement in await house.house.snapshot().announcements {
            try await house.perform(.cancelAnnouncement(announcement.id))
        }
        try await waitUntilOver()
    }

    @Test("long sounds may wait up to a size; what would need more memory is refused, a short one is not")
    func tooLong() async throws {
        try await house.start()
        try await house.fill()
        try await house.perform(.play(zone))
        house.outputs.players[0].state.withLock { $0.isEndless = true }
        for _ in 0..<3 { _ = try await announce("long", [TestHouse.kitchen]) }
        let refusal = await #expect(throws: HouseError.self) {
            try await announce("long", [TestHouse.kitchen])
        }
        #expect(refusal?.kind == .limit)
        _ = try await announce("bell", [TestHouse.kitchen])
        let told = await house.house.snapshot().announcements
        #expect(told.map(\.title) == ["long", "long", "long", "bell"])
        for announcement in told.reversed() { try await house.perform(.cancelAnnouncement(announcement.id)) }
        try await waitUntilOver()
    }
}
