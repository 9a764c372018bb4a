import Testing
import TuttiHouseSimulation

/// Edits of a queue whose next items the speakers hold already.
@Suite("Edited queues in houses")
struct QueueEditTests {
    typealias Step = HouseScript.Step

    static let groups: [[RoomKind]] = [[.buffered, .buffered], [.shallow, .realtime], [.airPlay1]]

    @Test(
        "an item is removed, one moved and one inserted, without a gap, also where rooms hold what follows",
        arguments: groups)
    func edits(kinds: [RoomKind]) async throws {
        let album = try Album(seconds: [8, 3, 3, 3, 3])
        let record = try await live(kinds, album) { house in
            let items = (0..<4).map { house.add($0) }
            house.play()
            house.pass(4)
            let held = house.held(by: 0)
            house.remove(items[1])
            house.move(items[3], after: items[0])
            house.add(4, after: items[3])
            house.pass(18)
            return held
        }
        if kinds[0] == .buffered { #expect(record.value > 10) }
        let frames = album.frames
        for room in record.rooms {
            #expect(room.isSequence([frames[0], frames[3], frames[4], frames[2]]), "\(room)")
        }
    }

    @Test("the next item is removed while rooms hold all of it, without a gap")
    func removal() async throws {
        let album = try Album(seconds: [5, 4, 4])
        let record = try await live([.buffered, .buffered], album) { house in
            let items = (0..<3).map { house.add($0) }
            house.play()
            house.pass(3)
            house.remove(items[1])
            house.pass(9)
        }
        for room in record.rooms {
            #expect(room.isSequence([album.frames[0], album.frames[2]]), "\(room)")
        }
    }

    @Test("an item is inserted before one that rooms hold, without a gap")
    func insertion() async throws {
        let album = try Album(seconds: [5, 4, 4])
        let record = try await live([.buffered, .buffered], album) { house in
            let first = house.add(0)
            house.add(2)
            house.play()
            house.pass(3)
            house.add(1, after: first)
            house.pass(13)
        }
        for room in record.rooms { #expect(room.isSequence(album.frames), "\(room)") }
    }

    // MARK: Scripts

    /// Every kind of room, two in each house.
    private static let houses: [[VirtualHouse.Room]] = [
        [VirtualHouse.Room(), VirtualHouse.Room(kind: .shallow)],
        [VirtualHouse.Room(kind: .realtime), VirtualHouse.Room(kind: .airPlay1)],
        [
            VirtualHouse.Room(kind: .realtimeNTP),
            VirtualHouse.Room(kind: .realtime, manners: RoomManners("homepod")),
        ],
    ]

    /// The runs of a room in which the short song is heard.
    private func runsOfShortSong(_ room: HousePlan.Record.Room) -> [HeardRun] {
        room.runs.filter { $0.last.frame > FixedScript.songFrames }
    }

    @Test(
        "an inserted song is heard without a gap, and one that is removed again is not, in every kind of room",
        arguments: houses.indices)
    func script(index: Int) async throws {
        let record = try await FixedScript.live(
            Self.houses[index],
            [
                Step(.play, at: 0), Step(.seek(50), at: 3), Step(.insert, at: 6), Step(.insert, at: 7),
                Step(.remove, at: 8), Step(.play, at: 19),
            ])
        #expect(record.outcome.complaints == [])
        for room in record.rooms {
            #expect(FixedScript.pieces(room).count == 2)
            let short = runsOfShortSong(room)
            try #require(short.count == 1)
            #expect(short[0].first.frame < FixedScript.songFrames)
            #expect(short[0].last.frame > FixedScript.shortEnd - 300)
        }
    }

    @Test(
        "an edit while a room is out of reach leaves no gap in the others, and does not hold up a pause",
        arguments: [true, false],
        [[.buffered, .buffered, .buffered], [.buffered, .shallow, .realtime]] as [[RoomKind]])
    func outOfReach(removes: Bool, kinds: [RoomKind]) async throws {
        var steps = [Step(.play, at: 0), Step(.seek(40), at: 3)]
        if removes { steps.append(Step(.insert, at: 6)) }
        steps += [
            Step(.cut(0, seconds: 12, out: true, into: true), at: 10),
            Step(removes ? .remove : .insert, at: 14),
            Step(.pause, at: 14.2), Step(.play, at: 17), Step(.play, at: 26),
        ]
        let record = try await FixedScript.live(kinds.map { VirtualHouse.Room(kind: $0) }, steps)
        #expect(record.outcome.complaints == [])
        for room in record.rooms.dropFirst() {
            let pieces = FixedScript.pieces(room)
            try #require(pieces.count == 3)
            // The script begins at 3 s.
            #expect(pieces[1].last.time < 18_200_000_000)
            #expect(runsOfShortSong(room).allSatisfy { $0.last.frame > FixedScript.shortEnd - 300 })
            #expect(runsOfShortSong(room).count == (removes ? 0 : 1))
        }
        if removes { #expect(runsOfShortSong(record.rooms[0]).isEmpty) }
    }

    @Test(
        "a skip to a song that was inserted in a pause, while rooms were full, is heard from its first frame")
    func skipWhileFull() async throws {
        let record = try await FixedScript.live(
            [VirtualHouse.Room(kind: .shallow), VirtualHouse.Room(kind: .shallow)],
            [
                Step(.play, at: 0), Step(.seek(52), at: 3), Step(.pause, at: 5), Step(.insert, at: 8),
                Step(.skip, at: 9), Step(.play, at: 11),
            ])
        #expect(record.outcome.complaints == [])
        for room in record.rooms {
            let pieces = FixedScript.pieces(room)
            let last = try #require(pieces.last)
            #expect(abs(last.first.frame - FixedScript.songFrames) < 20)
            // The script begins at 3 s.
            #expect(last.first.time < 14_300_000_000)
        }
    }

    @Test("one plan of three edits its queue, and none whose rooms are given")
    func plans() {
        func edits(_ plan: HousePlan) -> Bool { plan.script.steps.contains { $0.act == .insert } }
        let drawn = (UInt64(1)...60).map { HousePlan(seed: $0, seconds: 5) }
        #expect((8...32).contains(drawn.filter(edits).count))
        let given = (UInt64(1)...60).map { HousePlan(seed: $0, kinds: [.buffered], seconds: 5) }
        #expect(!given.contains(where: edits))
    }
}
