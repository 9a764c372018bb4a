import Testing

@testable import TuttiHouse

@Suite("Playback of a zone")
struct PlaybackTests {
    private static let zone = TestHouse.zone

    @Test("play opens the rooms, schedules the queue and runs; pause keeps rooms and position")
    func playing() async throws {
        let test = TestHouse()
        try await test.start()
        let ids = try await test.fill(rooms: [TestHouse.kitchen, TestHouse.bath])
        try await test.perform(.play(Self.zone))
        let player = test.outputs.players[0]
        // Both are asked for their speakers at once; the first to answer may play a moment before the other.
        let rooms = player.now.rooms
        #expect(rooms.last == [TestHouse.kitchen, TestHouse.bath])
        #expect(player.now.scheduled == ids)
        #expect(player.now.rates.last == 1)
        #expect(await test.snapshot()?.state == .waiting)
        await test.handle(.state(.playing))
        #expect(await test.snapshot()?.state == .playing)

        player.state.withLock { $0.position?.seconds = 42 }
        try await test.perform(.pause(Self.zone))
        #expect(player.now.rates.last == 0)
        #expect(player.now.rooms == rooms)
        let paused = await test.snapshot()
        #expect(paused?.state == .paused && paused?.position == 42)
        try await test.perform(.play(Self.zone))
        #expect(player.now.starts.last == .some(nil))
        #expect(player.now.rates.last == 1)
    }

    @Test("a room whose speakers are found late joins the others, which do not wait for it")
    func lateRoom() async throws {
        let test = TestHouse()
        try await test.start()
        let (search, end) = AsyncStream<Void>.makeStream()
        test.outputs.searches.withLock { $0[TestHouse.bath] = search }
        try await test.fill(rooms: [TestHouse.kitchen, TestHouse.bath])
        _ = try await test.house.perform(.play(Self.zone), from: TestHouse.origin)
        let player = test.outputs.players[0]
        while player.now.rooms.isEmpty { await Task.yield() }
        #expect(player.now.rooms == [[TestHouse.kitchen]])
        #expect(player.now.rates.last == 1)
        end.finish()
        await test.house.settle()
        #expect(player.now.rooms == [[TestHouse.kitchen], [TestHouse.kitchen, TestHouse.bath]])
    }

    @Test("a zone without rooms or entries refuses to play, in words")
    func refusals() async throws {
        let test = TestHouse()
        try await test.start()
        await #expect(throws: HouseError(.conflict, "Music has no rooms to play in; choose one first.")) {
            try await test.perform(.play(Self.zone))
        }
        try await test.perform(.moveRoom(TestHouse.kitchen, to: Self.zone))
        await #expect(throws: HouseError(.conflict, "The queue of Music is empty; add something first.")) {
            try await test.perform(.play(Self.zone))
        }
        await #expect(throws: HouseError(.notFound, "There is no zone 9.")) {
            try await test.perform(.play(ZoneID(rawValue: 9)))
        }
    }

    @Test("music for a zone without rooms waits for a room; the first entry of a queue is the current one")
    func waiting() async throws {
        let test = TestHouse()
        try await test.start()
        let ids = try await test.fill(Self.zone, ["a", "b"], rooms: [])
        #expect(await test.snapshot()?.current?.id == ids[0])
        let new = try await test.perform(.add(Self.zone, [.location("c")], .replace)).entries
        #expect(await test.snapshot()?.current?.id == new[0])
        #expect(await test.snapshot()?.state == .stopped)
        #expect(test.outputs.players[0].now.rooms.isEmpty)
    }

    @Test("the next entry becomes current when it is heard, and the end of the queue stops the zone")
    func advancing() async throws {
        let test = TestHouse()
        try await test.start()
        let ids = try await test.fill()
        try await test.perform(.play(Self.zone))
        let player = test.outputs.players[0]
        player.state.withLock { $0.position = (ids[1], 0) }
        await test.handle(.current(ids[1]))
        #expect(await test.snapshot()?.current?.id == ids[1])
        #expect(player.now.scheduled == [ids[1], ids[2]])
        player.state.withLock { $0.position = (ids[2], 0) }
        await test.handle(.current(ids[2]))
        player.state.withLock { $0.position = nil }
        await test.handle(.ended(ids[2]))
        let end = await test.snapshot()
        #expect(end?.state == .stopped && end?.current?.id == ids[0] && end?.position == 0)
        #expect(player.now.rates.last == 0)
    }

    @Test("an edit before its event is heard does not restart a track that has ended")
    func lateEvent() async throws {
        let test = TestHouse()
        try await test.start()
        let ids = try await test.fill()
        try await test.perform(.play(Self.zone))
        let player = test.outputs.players[0]
        player.state.withLock { $0.position = (ids[1], 3) }
        try await test.perform(.remove(Self.zone, [ids[2]]))
        #expect(player.now.scheduled == [ids[1]])
        #expect(player.now.starts.last == .some(nil))
        #expect(await test.snapshot()?.current?.id == ids[1])
    }

    @Test("next and previous keep a pause, and previous restarts a track after three seconds")
    func skipping() async throws {
        let test = TestHouse()
        try await test.start()
        let ids = try await test.fill()
        try await test.perform(.play(Self.zone))
        try await test.perform(.pause(Self.zone))
        try await test.perform(.next(Self.zone))
        let player = test.outputs.players[0]
        #expect(await test.snapshot()?.current?.id == ids[1])
        #expect(await test.snapshot()?.state == .paused)
        #expect(player.now.rates.last == 0)
        player.state.withLock { $0.position?.seconds = 10 }
        try await test.perform(.previous(Self.zone))
        #expect(await test.snapshot()?.current?.id == ids[1])
        #expect(await test.snapshot()?.position == 0)
        try await test.perform(.previous(Self.zone))
        #expect(await test.snapshot()?.current?.id == ids[0])
    }

    @Test("a track that fails is passed over with its reason, and the last one stops the zone")
    func failures() async throws {
        let test = TestHouse()
        try await test.start()
        let ids = try await test.fill(Self.zone, ["a", "b"])
        try await test.perform(.play(Self.zone))
        await test.handle(.failed(ids[0], "not audio"))
        #expect(await test.snapshot()?.current?.id == ids[1])
        #expect(try await test.house.queue(of: Self.zone, 0..<9).entries[0].failure == "not audio")
        await test.handle(.failed(ids[1], "not audio"))
        let end = await test.snapshot()
        #expect(end?.state == .stopped && end?.trouble?.code == "unplayable")
    }

    @Test("seek moves within the track, beyond its end to the next one, and not in a radio station")
    func seeking() async throws {
        let test = TestHouse()
        try await test.start()
        let ids = try await test.fill()
        try await test.perform(.play(Self.zone))
        try await test.perform(.seek(Self.zone, seconds: 33))
        #expect(test.outputs.players[0].now.seeks == [33])
        try await test.perform(.skip(Self.zone, seconds: -50))
        #expect(test.outputs.players[0].now.seeks == [33, 0])
        try await test.perform(.seek(Self.zone, seconds: 100))
        #expect(await test.snapshot()?.current?.id == ids[1])
        for bad in [Double.nan, -Double.infinity, -1.0] {
            await #expect(throws: HouseError.self) { try await test.perform(.seek(Self.zone, seconds: bad)) }
        }
        let facts = TrackFacts(title: nil, artist: nil, album: nil, duration: nil, isLive: true)
        await test.handle(.opened(ids[1], facts))
        await #expect(throws: HouseError(.conflict, "A radio station cannot seek.")) {
            try await test.perform(.seek(Self.zone, seconds: 5))
        }
    }

    @Test("a sleep timer pauses at its time; at the end of a track, nothing of the next one is scheduled")
    func sleeping() async throws {
        let test = TestHouse()
        try await test.start()
        let ids = try await test.fill()
        try await test.perform(.play(Self.zone))
        try await test.perform(.sleep(Self.zone, afterSeconds: 60))
        await test.advance(by: 59)
        #expect(await test.snapshot()?.state == .waiting)
        await test.advance(by: 1)
        #expect(await test.snapshot()?.state == .paused)
        #expect(await test.snapshot()?.sleep == nil)

        try await test.perform(.play(Self.zone))
        try await test.perform(.sleepAtEndOfTrack(Self.zone))
        let player = test.outputs.players[0]
        #expect(player.now.scheduled == [ids[0]])
        player.state.withLock { $0.position = nil }
        await test.handle(.ended(ids[0]))
        let asleep = await test.snapshot()
        #expect(asleep?.state == .paused && asleep?.current?.id == ids[1] && asleep?.position == 0)
    }

    @Test("a paused zone lets its rooms go after a while, and plays on from where it was")
    func idling() async throws {
        let test = TestHouse()
        try await test.start()
        let ids = try await test.fill()
        try await test.perform(.play(Self.zone))
        let player = test.outputs.players[0]
        player.state.withLock { $0.position?.seconds = 30 }
        try await test.perform(.pause(Self.zone))
        await test.advance(by: 299)
        #expect(player.now.rooms.last == [TestHouse.kitchen])
        await test.advance(by: 1)
        #expect(player.now.rooms.last == [])
        try await test.perform(.play(Self.zone))
        #expect(player.now.rooms.last == [TestHouse.kitchen])
        #expect(await test.snapshot()?.current?.id == ids[0])
        #expect(await test.snapshot()?.position == 30)
    }

    @Test("the rooms are free soon after the end of the queue")
    func end() async throws {
        let test = TestHouse()
        try await test.start()
        let ids = try await test.fill(Self.zone, ["a"])
        try await test.perform(.play(Self.zone))
        let player = test.outputs.players[0]
        player.state.withLock { $0.position = nil }
        await test.handle(.ended(ids[0]))
        await test.advance(by: 1)
        #expect(player.now.rooms.last == [TestHouse.kitchen])
        await test.advance(by: 1)
        #expect(player.now.rooms.last == [])
    }

    @Test("a zone whose rooms other senders took is paused, and playing takes them back")
    func takenRooms() async throws {
        let test = TestHouse()
        try await test.start()
        _ = try await test.fill()
        try await test.perform(.play(Self.zone))
        await test.handle(.interrupted)
        #expect(await test.snapshot()?.state == .paused)
        #expect(test.outputs.players[0].now.rates.last == 0)
        try await test.perform(.play(Self.zone))
        #expect(test.outputs.players[0].now.rates.last == 1)
    }

    @Test("a speaker's button commands its zone")
    func buttons() async throws {
        let test = TestHouse()
        try await test.start()
        let ids = try await test.fill()
        try await test.perform(.play(Self.zone))
        await test.handle(.button(.next))
        while await test.snapshot()?.current?.id != ids[1] { await Task.yield() }
        await test.handle(.volume(TestHouse.kitchen, 35))
        #expect(await test.snapshot()?.volume == 35)
    }
}
