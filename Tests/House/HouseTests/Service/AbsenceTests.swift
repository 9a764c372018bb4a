import Foundation
import Testing
import TuttiMusicLibrary

@testable import TuttiHouse

@Suite("Music that is away for a while")
struct AbsenceTests {
    static let zone = TestHouse.zone

    /// A house whose zone plays the first of some tracks.
    private func playing(_ names: [String]) async throws -> (TestHouse, [EntryID]) {
        let test = TestHouse()
        try await test.start()
        let ids = try await test.fill(Self.zone, names)
        try await test.perform(.play(Self.zone))
        return (test, ids)
    }

    private func away(_ entry: EntryID) -> ZoneEvent { .failed(entry, "it does not exist", mayPass: true) }

    @Test(
        "a zone whose tracks are all away waits at the first of them, and goes on at its place when they are back"
    )
    func everything() async throws {
        let (test, ids) = try await playing(["a", "b"])
        let player = test.outputs.players[0]
        try await test.perform(.seek(Self.zone, seconds: 33))
        await test.handle(away(ids[0]))
        #expect(await test.snapshot()?.current?.id == ids[1])
        await test.handle(away(ids[1]))
        let waiting = await test.snapshot()
        #expect(waiting?.state == .waiting && waiting?.current?.id == ids[0] && waiting?.position == 33)
        #expect(
            waiting?.trouble?.code == "away"
                && waiting?.trouble?.message.contains("it does not exist") == true)
        #expect(player.now.scheduled == [])
        #expect(try await test.house.queue(of: Self.zone, 0..<9).entries.allSatisfy { $0.failure == nil })
        await test.advance(by: 4)
        #expect(player.now.scheduled == [])
        await test.advance(by: 2)
        #expect(player.now.scheduled == ids && player.now.starts.last == 33)
        await test.handle(.state(.playing))
        await test.advance(by: 60)
        let back = await test.snapshot()
        #expect(back?.state == .playing && back?.current?.id == ids[0] && back?.trouble == nil)
    }

    @Test("attempts become rarer, and after ten minutes the zone pauses where it waits")
    func patience() async throws {
        let (test, ids) = try await playing(["a"])
        let player = test.outputs.players[0]
        await test.handle(away(ids[0]))
        var attempts = 0
        for _ in 0..<650 {
            await test.advance(by: 1)
            guard player.now.scheduled == ids else { continue }
            attempts += 1
            await test.handle(away(ids[0]))
        }
        #expect((10...15).contains(attempts))
        let end = await test.snapshot()
        #expect(end?.state == .paused && end?.current?.id == ids[0] && end?.trouble?.code == "away")
        #expect(test.log.count { $0.contains("it does not exist") } == 1)
        try await test.perform(.play(Self.zone))
        #expect(player.now.scheduled == ids)
    }

    @Test("tracks that are away are passed over while others are there, and are not lost for the next round")
    func some() async throws {
        let (test, ids) = try await playing(["a", "b", "c"])
        let player = test.outputs.players[0]
        await test.handle(.state(.playing))
        await test.handle(away(ids[1]))
        #expect(player.now.scheduled == [ids[0], ids[2]])
        await test.advance(by: 6)
        #expect(player.now.scheduled == ids)
        #expect(await test.snapshot()?.state == .playing)
    }

    @Test("the queue ends with its last track that is there, if others were passed over before it")
    func end() async throws {
        let (test, ids) = try await playing(["a", "b", "c"])
        let player = test.outputs.players[0]
        await test.handle(.state(.playing))
        await test.handle(away(ids[1]))
        player.state.withLock { $0.position = (ids[2], 0) }
        await test.handle(.current(ids[2]))
        player.state.withLock { $0.position = nil }
        await test.handle(.ended(ids[2]))
        #expect(await test.snapshot()?.state == .stopped)
    }

    @Test("a queue of thousands that is away is not tried through")
    func thousands() async throws {
        let (test, ids) = try await playing((0..<200).map { "track \($0)" })
        var failed = 0
        for id in ids {
            guard await test.snapshot()?.current?.id == id else { break }
            await test.handle(away(id))
            failed += 1
        }
        #expect(failed <= 16)
        #expect(await test.snapshot()?.state == .waiting)
        #expect(await test.snapshot()?.current?.id == ids[0])
    }

    @Test("after a restart, entries that could not be played are tried again")
    func restart() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("house.db").path
        let first = TestHouse(statePath: path)
        try await first.start()
        let ids = try await first.fill(Self.zone, ["a", "b"])
        try await first.perform(.play(Self.zone))
        await first.handle(.failed(ids[0], "not audio"))
        await first.house.stop()
        let second = TestHouse(statePath: path)
        try await second.start()
        #expect(try await second.house.queue(of: Self.zone, 0..<9).entries.allSatisfy { $0.failure == nil })
    }

    @Test("troubles of the library are troubles of the house")
    func library() async throws {
        let test = TestHouse()
        var state = LibraryState()
        state.troubles = [LibraryTrouble(code: "folderMissing", message: "/music is missing.")]
        await test.house.setLibrary(state)
        #expect(await test.house.snapshot().troubles.map(\.message) == ["/music is missing."])
        state.troubles = []
        await test.house.setLibrary(state)
        #expect(await test.house.snapshot().troubles.isEmpty)
    }
}
