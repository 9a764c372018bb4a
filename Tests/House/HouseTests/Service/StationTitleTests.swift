import Testing
import TuttiMusicLibrary

@testable import TuttiHouse

@Suite("Titles that stations announce")
struct StationTitleTests {
    private static let zone = TestHouse.zone

    /// A zone that plays a station, before a song, and the entries of both.
    private func listening() async throws -> (TestHouse, [EntryID]) {
        let test = TestHouse()
        try await test.start()
        let ids = try await test.fill(Self.zone, ["radio", "song"])
        try await test.perform(.play(Self.zone))
        let facts = TrackFacts(title: nil, artist: nil, album: nil, duration: nil, isLive: true)
        await test.handle(.opened(ids[0], facts))
        await test.handle(.streamTitle(ids[0], "On air"))
        try #require(await test.snapshot()?.streamTitle == "On air")
        return (test, ids)
    }

    @Test("a station that is removed from a stopped zone leaves no title to the next entry")
    func removed() async throws {
        let (test, ids) = try await listening()
        try await test.perform(.stop(Self.zone))
        try await test.perform(.remove(Self.zone, [ids[0]]))
        let zone = await test.snapshot()
        #expect(zone?.current?.id == ids[1] && zone?.streamTitle == nil)
    }

    @Test("a cleared queue shows no title, and its next first entry none either")
    func cleared() async throws {
        let (test, _) = try await listening()
        try await test.perform(.clear(Self.zone))
        #expect(await test.snapshot()?.streamTitle == nil)
        try await test.perform(.add(Self.zone, [.location("other")], .end))
        let zone = await test.snapshot()
        #expect(zone?.current?.track.title == "other" && zone?.streamTitle == nil)
    }

    @Test(
        "a station that ends, or fails, gives its place to an entry without its title",
        arguments: [true, false])
    func ended(fails: Bool) async throws {
        let (test, ids) = try await listening()
        if fails {
            await test.handle(.failed(ids[0], "the server is gone"))
        } else {
            try await test.perform(.sleepAtEndOfTrack(Self.zone))
            test.outputs.players[0].state.withLock { $0.position = nil }
            await test.handle(.ended(ids[0]))
        }
        let zone = await test.snapshot()
        #expect(zone?.current?.id == ids[1] && zone?.streamTitle == nil)
    }

    @Test(
        "a title stays through a pause, a move and additions, and a late one of another entry changes nothing"
    )
    func kept() async throws {
        let (test, ids) = try await listening()
        try await test.perform(.pause(Self.zone))
        try await test.perform(.move(Self.zone, [ids[0]], before: nil))
        try await test.perform(.add(Self.zone, [.location("more")], .next))
        await test.handle(.streamTitle(ids[1], "Another"))
        let zone = await test.snapshot()
        #expect(zone?.index == 1 && zone?.streamTitle == "On air")
        await test.handle(.streamTitle(ids[0], nil))
        #expect(await test.snapshot()?.streamTitle == nil)
    }
}
