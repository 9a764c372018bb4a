import AirPlaySender
import Testing

@testable import TuttiHouse

@Suite("Rooms of zones")
struct RoomsTests {
    private static let zone = TestHouse.zone

    @Test("a room joins a zone that plays, and leaves it, while it plays")
    func joining() async throws {
        let test = TestHouse()
        try await test.start()
        try await test.fill()
        try await test.perform(.play(Self.zone))
        try await test.perform(.moveRoom(TestHouse.bath, to: Self.zone))
        let player = test.outputs.players[0]
        #expect(player.now.rooms.last == [TestHouse.kitchen, TestHouse.bath])
        try await test.perform(.moveRoom(TestHouse.kitchen, to: nil))
        #expect(player.now.rooms.last == [TestHouse.bath])
        #expect(player.now.rates == [0, 1])
        try await test.perform(.moveRoom(TestHouse.bath, to: nil))
        #expect(player.now.rooms.last == [])
        #expect(await test.snapshot()?.state == .paused)
    }

    @Test("a room that moves between zones leaves the first before it joins the second")
    func moving() async throws {
        let test = TestHouse()
        try await test.start()
        try await test.fill(rooms: [TestHouse.kitchen, TestHouse.bath])
        let other = try #require(
            try await test.perform(.makeZone(name: "Upstairs", rooms: [TestHouse.hall])).zone)
        try await test.fill(other, ["x"], rooms: [])
        try await test.perform(.play(Self.zone))
        try await test.perform(.play(other))
        let moves = Task { try await test.perform(.moveRoom(TestHouse.bath, to: other)) }
        _ = try await moves.value
        #expect(test.outputs.players[0].now.rooms.last == [TestHouse.kitchen])
        #expect(test.outputs.players[1].now.rooms.last == [TestHouse.hall, TestHouse.bath])
        #expect(await test.snapshot(of: other)?.rooms == [TestHouse.bath, TestHouse.hall])
    }

    @Test("a zone runs only once its rooms are connected, whatever happens meanwhile")
    func connecting() async throws {
        let test = TestHouse()
        try await test.start()
        let ids = try await test.fill()
        await test.find([])
        try await test.perform(.play(Self.zone))
        let facts = TrackFacts(title: nil, artist: nil, album: nil, duration: 100, isLive: false)
        await test.house.claimRooms(of: Self.zone)
        await test.house.handle(.opened(ids[0], facts), of: Self.zone)
        #expect(test.outputs.players[0].now.rates.last ?? 0 == 0)
        await test.house.settle()
    }

    @Test("a room that is not there is named, and joins when it appears")
    func absence() async throws {
        let test = TestHouse()
        try await test.start()
        try await test.fill(rooms: [TestHouse.kitchen, TestHouse.bath])
        await test.find([TestHouse.kitchen])
        try await test.perform(.play(Self.zone))
        #expect(test.outputs.players[0].now.rooms.last == [TestHouse.kitchen])
        let bath = await test.house.snapshot().rooms.first { $0.id == TestHouse.bath }
        #expect(bath?.isPresent == false && bath?.trouble?.code == "absent")
        await test.find([TestHouse.kitchen, TestHouse.bath])
        #expect(test.outputs.players[0].now.rooms.last == [TestHouse.kitchen, TestHouse.bath])
    }

    @Test("speakers of one name are told apart in their zone")
    func twins() async throws {
        let test = TestHouse()
        test.outputs.commonName.withLock { $0 = "Go" }
        try await test.start()
        try await test.fill(rooms: [TestHouse.kitchen, TestHouse.bath])
        try await test.perform(.play(Self.zone))
        let targets = test.outputs.players[0].now.targets
        #expect(targets[TestHouse.bath]?.name == "Go" && targets[TestHouse.kitchen]?.name == "Go (2)")
    }

    @Test("an event of a speaker is for its own room, whatever speaker has the same name")
    func twinEvents() {
        let names = RoomNames()
        names.set(
            [(TestHouse.kitchen, "1"), (TestHouse.bath, "2")].map { room, id in
                var target = SpeakerTarget(name: "Go", addresses: [])
                target.id = id
                return ZoneRoom(id: room, targets: [target])
            })
        let event = SpeakerGroupEvent.state(speaker: NamedSpeaker(id: "2", name: "Go"), .playing)
        let told = RoomEvents.events(of: .speaker(event), names).map { "\($0)" }
        #expect(told == ["\(ZoneEvent.room(TestHouse.bath, .playing))"])
    }

    private static func rooms(_ numbers: Range<Int>) -> [RoomID] {
        numbers.map { RoomID(rawValue: "speaker-\($0)") }
    }

    @Test("a new speaker takes the place of the unused room that has been away longest, of 256")
    func manyRooms() async throws {
        let test = TestHouse()
        try await test.start(rooms: Self.rooms(0..<2) + [TestHouse.kitchen])
        let used = Self.rooms(2..<4)
        await test.find(Self.rooms(2..<RoomRegistry.limit - 1))
        try await test.perform(.setRoomVolume(used[0], 20))
        try await test.perform(.moveRoom(used[1], to: Self.zone))
        #expect(await test.house.snapshot().rooms.count == RoomRegistry.limit)
        await test.advance(by: 1)
        await test.find([TestHouse.bath])
        var known = Set(await test.house.snapshot().rooms.map(\.id))
        // The kitchen and the first two went a second before the others.
        #expect(known.count == RoomRegistry.limit && known.contains(TestHouse.bath))
        #expect(!known.contains(TestHouse.kitchen) && known.isSuperset(of: Self.rooms(0..<2)))
        #expect(test.surface.changes.contains { $0.body == .roomRemoved(TestHouse.kitchen) })
        await test.find(Self.rooms(1000..<1000 + RoomRegistry.limit - 2))
        known = Set(await test.house.snapshot().rooms.map(\.id))
        #expect(known == Set(Self.rooms(1000..<1000 + RoomRegistry.limit - 2) + used))
        #expect(!test.log.contains { $0.contains("cannot become a room") })
    }

    @Test("a speaker for which there is no place is named in the log, once, and gets the next place")
    func noPlace() async throws {
        let test = TestHouse()
        try await test.start()
        let all = Self.rooms(0..<RoomRegistry.limit)
        await test.find(all)
        #expect(await test.house.snapshot().rooms.count == RoomRegistry.limit)
        await test.find(all + [TestHouse.bath])
        await test.find(all + [TestHouse.bath, TestHouse.hall])
        let lines = test.log.filter { $0.contains("cannot become a room") }
        #expect(lines.count == 1 && lines[0].hasPrefix("bath is on the network"))
        let others = Array(all.dropLast()) + [TestHouse.bath]
        await test.find(others)
        #expect(Set(await test.house.snapshot().rooms.map(\.id)) == Set(others))
    }

    @Test("a hidden output is no room: it leaves its zone and the list")
    func hiding() async throws {
        let test = TestHouse()
        try await test.start()
        try await test.fill(rooms: [TestHouse.kitchen, TestHouse.bath])
        try await test.perform(.play(Self.zone))
        await test.house.setRooms(hidden: ["bath"], defaultVolume: nil)
        await test.house.settle()
        #expect(test.outputs.players[0].now.rooms.last == [TestHouse.kitchen])
        #expect(await test.house.snapshot().rooms.map(\.id) == [TestHouse.hall, TestHouse.kitchen])
        #expect(test.surface.changes.contains { $0.body == .roomRemoved(TestHouse.bath) })
        await test.house.setRooms(hidden: [], defaultVolume: nil)
        #expect(await test.house.snapshot().rooms.count == 3)
    }

    @Test("a room's failure is its trouble until it plays again")
    func troubles() async throws {
        let test = TestHouse()
        try await test.start()
        try await test.fill()
        try await test.perform(.play(Self.zone))
        await test.handle(.room(TestHouse.kitchen, .playing))
        let trouble = Trouble(code: "silent", message: "kitchen does not answer")
        await test.handle(.roomTrouble(TestHouse.kitchen, trouble))
        #expect(await test.house.snapshot().rooms.first { $0.id == TestHouse.kitchen }?.trouble == trouble)
        await test.handle(
            .roomTrouble(TestHouse.kitchen, Trouble(code: "answers-again", message: "kitchen answers")))
        #expect(await test.house.snapshot().rooms.first { $0.id == TestHouse.kitchen }?.trouble == nil)
    }

    @Test("a lost room that is looked for again keeps the reason of its loss until it plays")
    func lostAndLocated() async throws {
        let test = TestHouse()
        try await test.start()
        try await test.fill()
        try await test.perform(.play(Self.zone))
        let trouble = Trouble(code: "clock-ports", message: "UDP 319 is taken by ptp4l (pid 7)")
        await test.handle(.room(TestHouse.kitchen, .lost))
        await test.handle(.roomTrouble(TestHouse.kitchen, trouble))
        await test.house.run(.locate(TestHouse.kitchen))
        #expect(await test.house.snapshot().rooms.first { $0.id == TestHouse.kitchen }?.trouble == trouble)
        await test.handle(.room(TestHouse.kitchen, .playing))
        #expect(await test.house.snapshot().rooms.first { $0.id == TestHouse.kitchen }?.trouble == nil)
    }

    @Test("a room that could hold more tells why it does not, until its session ends")
    func fallbackSession() async throws {
        let test = TestHouse()
        try await test.start()
        try await test.fill()
        let names = RoomNames()
        names.set([ZoneRoom(id: TestHouse.kitchen, targets: [SpeakerTarget(name: "Kitchen", addresses: [])])])
        let reason = "buffered sound needs PTP; UDP 319 is taken by ptp4l (pid 7)"
        let choice = SessionChoice(.realtime, .ntp, reason, isFallback: true)
        for event in RoomEvents.events(of: .speaker(.chosen(speaker: "Kitchen", choice)), names) {
            await test.handle(event)
        }
        let session = RoomSnapshot.Session(stream: "realtime", reason: reason, isFallback: true)
        #expect(await test.house.snapshot().rooms.first { $0.id == TestHouse.kitchen }?.session == session)
        #expect(test.log.last == "kitchen: realtime session, because \(reason)")
        await test.handle(.room(TestHouse.kitchen, .idle))
        #expect(await test.house.snapshot().rooms.first { $0.id == TestHouse.kitchen }?.session == nil)
    }

    @Test("a room begins with the default volume when it is used for the first time, whenever it was found")
    func defaultVolume() async throws {
        let test = TestHouse()
        try await test.start()
        await test.house.setRooms(hidden: [], defaultVolume: 30)
        try await test.perform(.setRoomVolume(TestHouse.bath, 55))
        try await test.fill(rooms: [TestHouse.kitchen, TestHouse.bath])
        let volumes = await test.house.snapshot().rooms.map(\.volume)
        #expect(volumes == [55, nil, 30])
    }

    @Test("the zone's volume keeps the proportions of its rooms")
    func volumes() async throws {
        let test = TestHouse()
        try await test.start()
        try await test.fill(rooms: [TestHouse.kitchen, TestHouse.bath])
        try await test.perform(.setRoomVolume(TestHouse.kitchen, 80))
        try await test.perform(.setRoomVolume(TestHouse.bath, 40))
        try await test.perform(.play(Self.zone))
        try await test.perform(.setZoneVolume(Self.zone, 40))
        #expect(test.outputs.players[0].now.volumes == [TestHouse.kitchen: 40, TestHouse.bath: 20])
        #expect(await test.snapshot()?.volume == 40)
        for bad in [-1.0, 101, Double.nan] {
            await #expect(throws: HouseError.self) {
                try await test.perform(.setRoomVolume(TestHouse.bath, bad))
            }
        }
    }

    @Test("a wrong password is told, forgotten and asked for again")
    func passwords() async throws {
        let test = TestHouse()
        try await test.start(rooms: [TestHouse.kitchen])
        test.outputs.failures.withLock { $0[TestHouse.kitchen] = "kitchen wants a password" }
        try await test.fill()
        try await test.perform(.play(Self.zone))
        let room = await test.house.snapshot().rooms[0]
        #expect(room.trouble?.message == "kitchen wants a password")
        test.outputs.failures.withLock { $0 = [:] }
        try await test.perform(.setRoomPassword(TestHouse.kitchen, "secret"))
        #expect(test.outputs.players[0].now.rooms.last == [TestHouse.kitchen])
        await #expect(throws: HouseError.self) {
            try await test.perform(.setRoomPassword(TestHouse.kitchen, ""))
        }
    }

    @Test("a zone's playback moves to another zone with its position")
    func transfer() async throws {
        let test = TestHouse()
        try await test.start()
        try await test.fill()
        let other = try #require(
            try await test.perform(.makeZone(name: "Upstairs", rooms: [TestHouse.hall])).zone)
        try await test.perform(.play(Self.zone))
        test.outputs.players[0].state.withLock { $0.position?.seconds = 12 }
        try await test.perform(.transfer(Self.zone, to: other))
        #expect(try await test.titles(of: other) == ["a", "b", "c"])
        #expect(try await test.titles().isEmpty)
        let moved = await test.snapshot(of: other)
        #expect(moved?.position == 12 && moved?.state == .waiting)
        #expect(await test.snapshot()?.state == .stopped)
    }
}
