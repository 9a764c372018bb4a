import Testing
import TuttiMusicLibrary

@testable import TuttiHouse

@Suite("Edits of the queue of a zone")
struct QueueCommandTests {
    private static let zone = TestHouse.zone

    /// A zone that plays the first of three tracks.
    private func playing(_ names: [String] = ["a", "b", "c"]) async throws -> (TestHouse, [EntryID]) {
        let test = TestHouse()
        try await test.start()
        let ids = try await test.fill(Self.zone, names)
        try await test.perform(.play(Self.zone))
        return (test, ids)
    }

    @Test("the removal of the entry that plays goes on with the next one, from its beginning")
    func current() async throws {
        let (test, ids) = try await playing()
        let player = test.outputs.players[0]
        player.state.withLock { $0.position?.seconds = 40 }
        try await test.perform(.remove(Self.zone, [ids[0]]))
        let zone = await test.snapshot()
        #expect(zone?.current?.id == ids[1] && zone?.position == 0 && zone?.state == .waiting)
        #expect(player.now.scheduled == [ids[1], ids[2]])
    }

    @Test("the removal of the last entry stops the zone, unless the queue repeats", arguments: [false, true])
    func last(repeats: Bool) async throws {
        let (test, ids) = try await playing()
        if repeats { try await test.perform(.setRepeat(Self.zone, .all)) }
        try await test.perform(.jump(Self.zone, ids[2]))
        try await test.perform(.remove(Self.zone, [ids[2]]))
        let zone = await test.snapshot()
        let state: ZoneSnapshot.State = repeats ? .waiting : .stopped
        #expect(zone?.current?.id == ids[0] && zone?.state == state)
        let rate = test.outputs.players[0].now.rates.last ?? 0
        #expect(rate == (repeats ? 1 : 0))
    }

    @Test("an emptied queue has no current entry, and the next addition begins anew")
    func emptied() async throws {
        let (test, ids) = try await playing()
        try await test.perform(.remove(Self.zone, ids))
        let zone = await test.snapshot()
        #expect(zone?.current == nil && zone?.index == nil && zone?.length == 0 && zone?.state == .stopped)
        let new = try await test.perform(.add(Self.zone, [.location("d")], .end)).entries
        #expect(await test.snapshot()?.current?.id == new[0])
        #expect(await test.snapshot()?.state == .stopped)
    }

    @Test("entries that are gone, or named twice, change nothing else")
    func gone() async throws {
        let (test, ids) = try await playing()
        let unknown = EntryID(rawValue: 999)
        try await test.perform(.remove(Self.zone, [ids[1], ids[1], unknown]))
        #expect(try await test.titles() == ["a", "c"])
        let revision = await test.snapshot()?.queueRevision
        try await test.perform(.remove(Self.zone, [unknown]))
        try await test.perform(.move(Self.zone, [unknown], before: ids[0]))
        #expect(await test.snapshot()?.queueRevision == revision)
        for command in [
            HouseCommand.move(Self.zone, [ids[0]], before: unknown), .jump(Self.zone, unknown),
            .add(Self.zone, [.location("x")], .before(unknown)),
        ] {
            await #expect { try await test.perform(command) } throws: { error in
                (error as? HouseError)?.kind == .notFound
            }
        }
        #expect(await test.snapshot()?.queueRevision == revision)
        #expect(try await test.titles() == ["a", "c"])
    }

    @Test(
        "entries move in the order in which they are named, before the target or the next one that stays",
        arguments: [
            ([2, 0], 1, "cab"), ([1], 1, "abc"), ([0, 1], 0, "abc"), ([1, 0], 0, "bac"), ([0], nil, "bca"),
            ([2, 1, 0], nil, "cba"), ([2], 0, "cab"), ([0, 0, 2], nil, "bac"),
        ] as [([Int], Int?, String)])
    func moves(moved: [Int], target: Int?, order: String) async throws {
        let (test, ids) = try await playing()
        let player = test.outputs.players[0]
        player.state.withLock { $0.position?.seconds = 12 }
        try await test.perform(.move(Self.zone, moved.map { ids[$0] }, before: target.map { ids[$0] }))
        #expect(try await test.titles().joined() == order)
        // The track that plays goes on where it is, whatever its place.
        let zone = await test.snapshot()
        #expect(zone?.current?.id == ids[0] && zone?.position == 12)
        #expect(player.now.scheduled.first == ids[0])
    }

    @Test("additions go to their places, and only those that say so play at once")
    func places() async throws {
        let (test, ids) = try await playing()
        func add(_ name: String, _ place: QueuePlace) async throws -> EntryID? {
            try await test.perform(.add(Self.zone, [.location(name)], place)).entries.first
        }
        _ = try await add("next", .next)
        _ = try await add("end", .end)
        _ = try await add("before", .before(ids[0]))
        #expect(try await test.titles() == ["before", "a", "next", "b", "c", "end"])
        #expect(await test.snapshot()?.current?.id == ids[0])
        let now = try await add("now", .now)
        #expect(try await test.titles() == ["before", "a", "now", "next", "b", "c", "end"])
        #expect(await test.snapshot()?.current?.id == now)
        let only = try await add("only", .replace)
        #expect(try await test.titles() == ["only"])
        #expect(await test.snapshot()?.current?.id == only)
        await #expect { try await test.perform(.add(Self.zone, [], .replace)) } throws: { error in
            (error as? HouseError)?.kind == .notFound
        }
        #expect(try await test.titles() == ["only"])
    }

    @Test("a full queue refuses one entry more as a whole, and can be replaced")
    func full() async throws {
        let test = TestHouse()
        try await test.start()
        let names = (0..<HouseQueueLimits.entries - 1).map { "\($0)" }
        try await test.fill(Self.zone, names)
        await #expect {
            try await test.perform(.add(Self.zone, [.location("x"), .location("y")], .end))
        } throws: { error in
            (error as? HouseError)?.kind == .limit
        }
        #expect(await test.snapshot()?.length == names.count)
        try await test.perform(.add(Self.zone, [.location("x")], .next))
        #expect(await test.snapshot()?.length == HouseQueueLimits.entries)
        try await test.perform(.add(Self.zone, [.location("x"), .location("y")], .replace))
        #expect(await test.snapshot()?.length == 2)
    }

    @Test("clients that add at the same time lose nothing, and each gets its own entries")
    func simultaneous() async throws {
        let test = TestHouse()
        try await test.start()
        let entries: [EntryID] = await withTaskGroup(of: [EntryID].self) { group in
            for number in 0..<40 {
                group.addTask {
                    let command = HouseCommand.add(
                        TestHouse.zone, [.location("\(number)"), .location("\(number)")], .end)
                    // A refusal leaves the set too small.
                    let outcome = try? await test.house.perform(command, from: TestHouse.origin)
                    return outcome?.entries ?? []
                }
            }
            return await group.reduce(into: []) { $0.append(contentsOf: $1) }
        }
        #expect(Set(entries).count == 80)
        let titles = try await test.titles()
        #expect(titles.count == 80)
        for pair in stride(from: 0, to: 80, by: 2) { #expect(titles[pair] == titles[pair + 1]) }
    }

    @Test("an empty queue has no next entry to go to, nor a place to seek to")
    func nothing() async throws {
        let test = TestHouse()
        try await test.start()
        try await test.perform(.moveRoom(TestHouse.kitchen, to: Self.zone))
        for command in [
            HouseCommand.next(Self.zone), .seek(Self.zone, seconds: 0), .skip(Self.zone, seconds: 9),
        ] {
            await #expect { try await test.perform(command) } throws: { error in
                (error as? HouseError)?.kind == .conflict
            }
        }
        for command in [
            HouseCommand.previous(Self.zone), .pause(Self.zone), .stop(Self.zone), .clear(Self.zone),
        ] {
            try await test.perform(command)
        }
        #expect(await test.snapshot()?.state == .stopped)
    }
}

@Suite("Commands of zones and rooms")
struct ZoneCommandTests {
    private static let zone = TestHouse.zone

    private func refusal(_ test: TestHouse, _ command: HouseCommand) async -> HouseError.Kind? {
        do {
            try await test.perform(command)
            return nil
        } catch {
            return (error as? HouseError)?.kind
        }
    }

    @Test("a command that asks for what is so already succeeds, and no surface is told of it")
    func repeated() async throws {
        let test = TestHouse()
        try await test.start()
        try await test.fill()
        try await test.perform(.setRoomVolume(TestHouse.kitchen, 30))
        let before = await test.house.snapshot()
        let count = test.surface.changes.count
        let commands: [HouseCommand] = [
            .pause(Self.zone), .stop(Self.zone), .setRate(Self.zone, 1), .setShuffle(Self.zone, false),
            .setRepeat(Self.zone, .off), .sleep(Self.zone, afterSeconds: nil), .setLevelling(Self.zone, .off),
            .setCrossfade(Self.zone, seconds: 0), .setSleepFade(Self.zone, seconds: 0),
            .renameZone(Self.zone, " Music "), .moveRoom(TestHouse.kitchen, to: Self.zone),
            .moveRoom(TestHouse.bath, to: nil), .transfer(Self.zone, to: Self.zone),
            .setZoneVolume(Self.zone, 30), .setRoomVolume(TestHouse.kitchen, 30),
            .setRoomDelay(TestHouse.kitchen, milliseconds: 0), .setRoomEqualizer(TestHouse.kitchen, nil),
            .setRoomNightMode(TestHouse.kitchen, false), .remove(Self.zone, []),
            .move(Self.zone, [], before: nil),
        ]
        for command in commands {
            try await test.perform(command)
            #expect(test.surface.changes.count == count, "\(command)")
        }
        let after = await test.house.snapshot()
        #expect(after.zones == before.zones && after.rooms == before.rooms)
    }

    @Test("a zone's name loses the spaces around it, and has 1 to 100 characters")
    func names() async throws {
        let test = TestHouse()
        try await test.start()
        try await test.perform(.renameZone(Self.zone, " \tÉté \"au\" jardin\n"))
        #expect(await test.snapshot()?.name == "Été \"au\" jardin")
        for name in ["", " \n\t", String(repeating: "x", count: 101)] {
            #expect(await refusal(test, .renameZone(Self.zone, name)) == .invalid)
            #expect(await refusal(test, .makeZone(name: name, rooms: [])) == .invalid)
        }
        let long = String(repeating: "é", count: 100)
        try await test.perform(.renameZone(Self.zone, long))
        #expect(await test.snapshot()?.name == long)
        #expect(await refusal(test, .renameZone(ZoneID(rawValue: 9), "x")) == .notFound)
    }

    @Test("a zone with a room that does not exist is not made")
    func unknownRoom() async throws {
        let test = TestHouse()
        try await test.start()
        let attic = RoomID(rawValue: "attic")
        #expect(await refusal(test, .makeZone(name: "X", rooms: [TestHouse.bath, attic])) == .notFound)
        let house = await test.house.snapshot()
        #expect(house.zones.count == 1 && house.rooms.allSatisfy { $0.zone == nil })
    }

    @Test("a house has 64 zones at most, the last one stays, and numbers of removed ones do not return")
    func count() async throws {
        let test = TestHouse()
        try await test.start()
        #expect(await refusal(test, .removeZone(Self.zone)) == .conflict)
        var last: ZoneID?
        for number in 2...64 { last = try await test.perform(.makeZone(name: "\(number)", rooms: [])).zone }
        #expect(await refusal(test, .makeZone(name: "65", rooms: [])) == .limit)
        let removed = try #require(last)
        try await test.perform(.removeZone(removed))
        #expect(await refusal(test, .play(removed)) == .notFound)
        let new = try await test.perform(.makeZone(name: "again", rooms: [TestHouse.bath])).zone
        #expect(new == ZoneID(rawValue: 65))
        try await test.perform(.removeZone(try #require(new)))
        #expect(await test.house.snapshot().rooms.allSatisfy { $0.zone == nil })
    }

    @Test(
        "playback moves with its rate, timer and random order, under new identities; an empty queue does not"
    )
    func transfer() async throws {
        let test = TestHouse()
        try await test.start()
        let ids = try await test.fill(Self.zone, ["a", "b", "c", "d"])
        try await test.perform(.setShuffle(Self.zone, true))
        try await test.perform(.setRate(Self.zone, 1.5))
        try await test.perform(.play(Self.zone))
        try await test.perform(.sleep(Self.zone, afterSeconds: 60))
        let made = try await test.perform(.makeZone(name: "Quiet", rooms: [])).zone
        let quiet = try #require(made)
        try await test.fill(quiet, ["old"], rooms: [])
        try await test.perform(.transfer(Self.zone, to: quiet))
        let moved = await test.snapshot(of: quiet)
        // A zone without rooms waits for one.
        #expect(
            moved?.state == .paused && moved?.rate == 1.5 && moved?.shuffle == true && moved?.sleep != nil)
        #expect(try await test.titles(of: quiet) == ["a", "b", "c", "d"])
        let entries = try await test.house.queue(of: quiet, 0..<9).entries
        #expect(Set(entries.map(\.id)).isDisjoint(with: ids))
        let left = await test.snapshot()
        #expect(left?.length == 0 && left?.sleep == nil && left?.state == .stopped)
        #expect(await refusal(test, .transfer(Self.zone, to: quiet)) == .conflict)
        #expect(await refusal(test, .transfer(quiet, to: ZoneID(rawValue: 9))) == .notFound)
        #expect(try await test.titles(of: quiet).count == 4)
    }

    @Test("only a room that is away and in no zone can be forgotten")
    func forgetting() async throws {
        let test = TestHouse()
        try await test.start()
        try await test.perform(.moveRoom(TestHouse.kitchen, to: Self.zone))
        #expect(await refusal(test, .forgetRoom(TestHouse.bath)) == .conflict)
        await test.find([])
        #expect(await refusal(test, .forgetRoom(TestHouse.kitchen)) == .conflict)
        try await test.perform(.forgetRoom(TestHouse.bath))
        #expect(await refusal(test, .forgetRoom(TestHouse.bath)) == .notFound)
        #expect(await Set(test.house.snapshot().rooms.map(\.id)) == [TestHouse.kitchen, TestHouse.hall])
    }

    @Test("values of rooms at their limits are taken, those beyond are refused")
    func limits() async throws {
        let test = TestHouse()
        try await test.start()
        let kitchen = TestHouse.kitchen
        for value in [0.0, 100] { try await test.perform(.setRoomVolume(kitchen, value)) }
        for value in [-1000.0, 1000] { try await test.perform(.setRoomDelay(kitchen, milliseconds: value)) }
        for value in [-0.01, 100.01, .nan, .infinity] as [Double] {
            #expect(await refusal(test, .setRoomVolume(kitchen, value)) == .invalid, "\(value)")
            #expect(await refusal(test, .setZoneVolume(Self.zone, value)) == .invalid, "\(value)")
        }
        for value in [-1000.5, 1000.5, .nan, -.infinity] as [Double] {
            #expect(await refusal(test, .setRoomDelay(kitchen, milliseconds: value)) == .invalid, "\(value)")
        }
        for password in ["", String(repeating: "ä", count: 129)] {
            #expect(await refusal(test, .setRoomPassword(kitchen, password)) == .invalid)
        }
        let room = await test.house.snapshot().rooms.first { $0.id == kitchen }
        #expect(room?.volume == 100 && room?.delay == 1000)
    }

    @Test("a house that has stopped refuses every command")
    func stopped() async throws {
        let test = TestHouse()
        try await test.start()
        try await test.fill()
        await test.house.stop()
        #expect(await refusal(test, .play(Self.zone)) == .unavailable)
        #expect(await refusal(test, .add(Self.zone, [.location("x")], .end)) == .unavailable)
        await test.house.stop()
    }
}
