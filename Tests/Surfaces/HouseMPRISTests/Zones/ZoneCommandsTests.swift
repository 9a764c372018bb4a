import Testing
import TuttiHouse
import TuttiMPRIS
import TuttiMusicLibrary

@testable import TuttiHouseMPRIS

@Suite struct ZoneCommandsTests {
    private let zone = ZoneID(rawValue: 1)

    private func entry(_ number: Int64) -> EntryID { EntryID(rawValue: number) }

    @Test(
        "a command of the desktop is one of the house",
        arguments: [
            (PlayerCommand.next, HouseCommand.next(ZoneID(rawValue: 1))),
            (.previous, .previous(ZoneID(rawValue: 1))), (.play, .play(ZoneID(rawValue: 1))),
            (.pause, .pause(ZoneID(rawValue: 1))), (.playPause, .toggle(ZoneID(rawValue: 1))),
            (.stop, .stop(ZoneID(rawValue: 1))),
            (.seek(seconds: 5), .seek(ZoneID(rawValue: 1), seconds: 5)),
            (.setRate(2), .setRate(ZoneID(rawValue: 1), 2)),
            (.setLoop(.none), .setRepeat(ZoneID(rawValue: 1), .off)),
            (.setLoop(.track), .setRepeat(ZoneID(rawValue: 1), .one)),
            (.setLoop(.playlist), .setRepeat(ZoneID(rawValue: 1), .all)),
            (.setShuffle(true), .setShuffle(ZoneID(rawValue: 1), true)),
            (.setVolume(0.25), .setZoneVolume(ZoneID(rawValue: 1), 25)),
            (.removeTrack("/tutti/entry/7"), .remove(ZoneID(rawValue: 1), [EntryID(rawValue: 7)])),
            (.goTo("/tutti/entry/7"), .jump(ZoneID(rawValue: 1), EntryID(rawValue: 7))),
            (
                .open(address: "file:///a%20b.mp3"),
                .add(ZoneID(rawValue: 1), [.location("/a b.mp3")], .now)
            ),
            (
                .open(address: "HTTPS://radio.example/A"),
                .add(ZoneID(rawValue: 1), [.location("https://radio.example/A")], .now)
            ),
        ])
    func translation(_ command: PlayerCommand, _ expected: HouseCommand) async {
        let house = FakeHouse()
        #expect(await ZoneCommands(zone: zone, house: house).perform(command) == .values([]))
        #expect(house.commands == [expected])
    }

    private func add(after: String?, plays: Bool = false, to house: FakeHouse) async -> [HouseCommand] {
        let command = PlayerCommand.addTrack(address: "file:///new", after: after, plays: plays)
        _ = await ZoneCommands(zone: zone, house: house).perform(command)
        return house.commands
    }

    @Test("a track is added before the one that follows, or at the end")
    func places() async {
        let item = LibraryItem.location("/new")
        #expect(await add(after: nil, to: FakeHouse(entries: 3)) == [.add(zone, [item], .before(entry(1)))])
        #expect(await add(after: nil, to: FakeHouse()) == [.add(zone, [item], .end)])
        let first = await add(after: "/tutti/entry/1", to: FakeHouse(entries: 3))
        #expect(first == [.add(zone, [item], .before(entry(2)))])
        let last = await add(after: "/tutti/entry/3", to: FakeHouse(entries: 3))
        #expect(last == [.add(zone, [item], .end)])
        // The last one of a part of the queue.
        let part = await add(after: "/tutti/entry/2000", to: FakeHouse(entries: 2_500))
        #expect(part == [.add(zone, [item], .before(entry(2_001)))])
        let far = await add(after: "/tutti/entry/2400", to: FakeHouse(entries: 2_500))
        #expect(far == [.add(zone, [item], .before(entry(2_401)))])
    }

    @Test("a track that is added as the current one is played")
    func addAndPlay() async {
        let house = FakeHouse(entries: 3)
        house.state.withLock {
            $0.outcome = .success(CommandOutcome(revision: 1, entries: [EntryID(rawValue: 9)]))
        }
        #expect(await add(after: nil, plays: true, to: house).last == .jump(zone, entry(9)))
    }

    @Test("a refusal of the house reaches the desktop as its sentence")
    func refusals() async {
        let house = FakeHouse()
        house.state.withLock { $0.outcome = .failure(HouseError(.conflict, "The queue is empty.")) }
        let reply = await ZoneCommands(zone: zone, house: house).perform(.next)
        #expect(reply == .failure(.init(.failed, "The queue is empty.")))
        let missing = await add(after: "/tutti/entry/77", to: FakeHouse(entries: 3))
        #expect(missing.isEmpty)
        #expect(await add(after: "/elsewhere/1", to: FakeHouse(entries: 3)).isEmpty)
    }

    @Test("a file of another machine is refused")
    func foreignFile() async {
        let house = FakeHouse()
        let reply = await ZoneCommands(zone: zone, house: house).perform(.open(address: "file://other/a"))
        guard case .failure = reply else { Issue.record("not refused"); return }
        #expect(house.commands.isEmpty)
    }
}
