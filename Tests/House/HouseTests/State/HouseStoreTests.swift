import Foundation
import Testing
import TuttiDatabase
import TuttiMusicLibrary

@testable import TuttiHouse

@Suite("The stored state of a house")
final class HouseStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    private var path: String { folder.appendingPathComponent("house.db").path }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test("a house that ends without warning goes on where it was")
    func survival() async throws {
        let test = TestHouse(statePath: path)
        try await test.start()
        let ids = try await test.fill(rooms: [TestHouse.kitchen, TestHouse.bath])
        try await test.perform(.setShuffle(TestHouse.zone, true))
        try await test.perform(.setRepeat(TestHouse.zone, .all))
        try await test.perform(.setRoomVolume(TestHouse.bath, 33))
        try await test.perform(.setRoomDelay(TestHouse.bath, milliseconds: -120))
        try await test.perform(.jump(TestHouse.zone, ids[1]))
        test.outputs.players[0].state.withLock { $0.position?.seconds = 61.5 }
        await test.advance(by: 1)
        let before = await test.house.snapshot()

        // Nothing is closed: as after `kill -9`.
        let again = TestHouse(statePath: path)
        await again.house.start()
        await again.house.settle()
        let after = await again.house.snapshot()
        #expect(after.zones.map(\.rooms) == before.zones.map(\.rooms))
        #expect(after.zones[0].current == before.zones[0].current)
        #expect(after.zones[0].position == 61.5)
        #expect(after.zones[0].shuffle && after.zones[0].repeatMode == .all)
        #expect(after.zones[0].state == .waiting)
        let bath = after.rooms.first { $0.id == TestHouse.bath }
        #expect(bath?.volume == 33 && bath?.delay == -120)
        // The rooms are opened before a search has found them.
        #expect(again.outputs.players[0].now.rooms.last == [TestHouse.kitchen, TestHouse.bath])
        #expect(again.outputs.players[0].now.starts.last == 61.5)
        let more = try await again.perform(.add(TestHouse.zone, [.location("d")], .end))
        #expect(more.entries.allSatisfy { new in !ids.contains(new) })
    }

    @Test("a house that ends after a change of track, before it was written, goes on in that track")
    func laterTrack() async throws {
        let test = TestHouse(statePath: path)
        try await test.start()
        let ids = try await test.fill()
        try await test.perform(.play(TestHouse.zone))
        // Only the position is written before the player tells of its new entry.
        test.outputs.players[0].state.withLock { $0.position = (ids[1], 30) }
        await test.advance(by: 1)
        let again = TestHouse(statePath: path)
        await again.house.start()
        await again.house.settle()
        let zone = await again.snapshot()
        #expect(zone?.current?.id == ids[1] && zone?.position == 30)
        #expect(again.outputs.players[0].now.scheduled == [ids[1], ids[2]])
        #expect(again.outputs.players[0].now.starts.last == 30)
    }

    @Test("a stored position of an entry that the queue lacks is ignored")
    func unknownPlace() throws {
        let entries = (1...2).map { number in
            QueueEntry(
                id: EntryID(rawValue: Int64(number)),
                track: PlayableTrack(location: "\(number)", title: "\(number)"))
        }
        var queue = HouseQueue()
        var random = SystemRandomNumberGenerator()
        try queue.insert(entries, at: .end, using: &random)
        queue.setCurrent(entries[0].id)
        var zone = StoredZone(id: ZoneID(rawValue: 7), name: "Z")
        (zone.current, zone.position) = (entries[0].id, 100)
        let store = HouseStore(path: path)
        store.write(zone, queue, old: nil, HouseCounters())
        func read() -> StoredZone? { HouseStore(path: path).read().zones.first?.zone }
        #expect(read()?.current == entries[0].id && read()?.position == 100)
        (zone.current, zone.position) = (EntryID(rawValue: 9), 30)
        store.writePosition(of: zone)
        #expect(read()?.current == entries[0].id && read()?.position == 0)
    }

    @Test("a house may begin paused")
    func paused() async throws {
        let test = TestHouse(statePath: path)
        try await test.start()
        try await test.fill()
        try await test.perform(.play(TestHouse.zone))
        let again = TestHouse(statePath: path) { $0.resumesPlaying = false }
        await again.house.start()
        #expect(await again.snapshot()?.state == .paused)
        #expect(again.outputs.players[0].now.rates.last ?? 0 == 0)
    }

    @Test("a damaged database is set aside, with a sentence")
    func damage() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: path))
        let test = TestHouse(statePath: path)
        try await test.start()
        let snapshot = await test.house.snapshot()
        #expect(snapshot.zones.map(\.name) == ["Music"])
        #expect(snapshot.troubles.map(\.code) == ["state-damaged"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).contains {
                $0.contains("corrupt")
            })
    }

    @Test("parts that cannot be read are left out, with a sentence that counts them")
    func unreadParts() async throws {
        _ = try storeQueue(of: 3)
        let store = HouseStore(path: path)
        store.write(StoredRoom(id: TestHouse.hall, name: "hall", kind: .airPlay))
        let database = try Database(path: path, migrations: HouseSchema.migrations)
        try database.run("UPDATE room SET content = x'7B7D'")
        try database.run("UPDATE entry SET content = x'00' WHERE id = 2")
        let test = TestHouse(statePath: path)
        try await test.start()
        let snapshot = await test.house.snapshot()
        #expect(snapshot.troubles.map(\.code) == ["state-in-part"])
        #expect(snapshot.troubles.first?.message.contains("2 parts ") == true)
        #expect(try await test.titles().map { $0.suffix(1) } == ["1", "3"])
    }

    /// Stores zone 1 with a queue whose entries have the numbers from 1.
    private func storeQueue(of count: Int = 2000) throws -> (StoredZone, HouseQueue) {
        let entries = (1...count).map { number in
            let title = String(repeating: "x", count: 100) + "\(number)"
            let track = PlayableTrack(location: "\(number)", title: title)
            return QueueEntry(id: EntryID(rawValue: Int64(number)), track: track)
        }
        var queue = HouseQueue()
        var random = SystemRandomNumberGenerator()
        try queue.insert(entries, at: .end, using: &random)
        let zone = StoredZone(id: TestHouse.zone, name: "Upstairs")
        let counters = HouseCounters(lastEntry: Int64(count), lastZone: 1)
        HouseStore(path: path).write(zone, queue, old: nil, counters)
        return (zone, queue)
    }

    /// Fills pages in the middle of the file, which opening does not read, with junk.
    private func damageMiddle() throws {
        let file = URL(fileURLWithPath: path)
        var bytes = try Data(contentsOf: file)
        let first = bytes.count / 4096 / 2
        try #require(first > 20)
        for index in first * 4096..<(first + 4) * 4096 { bytes[index] = 0x5A }
        // In place: the file may be open.
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: bytes)
        try handle.close()
    }

    private func filesAside() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.contains("corrupt") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
        }
    }

    @Test("damage that only reading finds sets the file aside too, and the new state is stored")
    func damagedPage() async throws {
        _ = try storeQueue()
        try damageMiddle()
        let test = TestHouse(statePath: path)
        try await test.start()
        #expect(await test.house.snapshot().troubles.map(\.code) == ["state-damaged"])
        #expect(try filesAside().count == 1)
        try await test.fill()
        try await test.perform(.setRoomVolume(TestHouse.kitchen, 33))
        let again = TestHouse(statePath: path)
        await again.house.start()
        #expect(try await again.titles() == ["a", "b", "c"])
        let after = await again.house.snapshot()
        #expect(after.troubles.isEmpty)
        #expect(after.rooms.map(\.volume) == [nil, nil, 33])
    }

    @Test("damage that a running house finds loses nothing: its state goes to a new file")
    func damageWhileRunning() async throws {
        let (_, queue) = try storeQueue()
        let test = TestHouse(statePath: path)
        try await test.start()
        try await test.perform(.setRoomVolume(TestHouse.kitchen, 33))
        // A change by another connection: the house's pages in memory are no longer valid.
        HouseStore(path: path).write(StoredRoom(id: TestHouse.hall, name: "hall", kind: .airPlay))
        try damageMiddle()
        try await test.perform(.remove(TestHouse.zone, queue.entries.dropLast(3).map(\.id)))
        #expect(await test.house.snapshot().troubles.map(\.code) == ["state-damaged"])
        #expect(try filesAside().count == 1)
        await test.advance(by: 10)
        let again = TestHouse(statePath: path)
        await again.house.start()
        let page = try await again.house.queue(of: TestHouse.zone, 0..<10)
        #expect(page.entries.map(\.id.rawValue) == [1998, 1999, 2000])
        let after = await again.house.snapshot()
        #expect(after.zones.map(\.name) == ["Upstairs"] && after.troubles.isEmpty)
        #expect(after.rooms.first { $0.id == TestHouse.kitchen }?.volume == 33)
    }

    @Test("a file that cannot be opened is tried again")
    func laterOpening() throws {
        let (zone, queue) = try storeQueue(of: 3)
        try FileManager.default.removeItem(at: folder)
        // A folder in the place of the file.
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let store = HouseStore(path: path)
        #expect(store.read().zones.isEmpty && store.trouble?.code == "state-not-read")
        store.write(zone, queue, old: nil, HouseCounters())
        store.writeAll(zones: [(zone, queue)], rooms: [], alarms: [], HouseCounters())
        #expect(store.isBehind && store.trouble?.code == "state-not-read")
        try FileManager.default.removeItem(atPath: path)
        store.writeAll(zones: [(zone, queue)], rooms: [], alarms: [], HouseCounters())
        #expect(!store.isBehind && store.trouble == nil && store.repair == nil)
        #expect(HouseStore(path: path).read().zones.first?.queue.entries == queue.entries)
    }

    @Test("state that was not read at the start is never overwritten, until its file is moved away")
    func unreadState() throws {
        let (zone, queue) = try storeQueue(of: 3)
        let kept = folder.appendingPathComponent("kept.db").path
        try FileManager.default.moveItem(atPath: path, toPath: kept)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let store = HouseStore(path: path)
        #expect(store.read().zones.isEmpty)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: kept, toPath: path)
        var other = zone
        other.name = "Other"
        for _ in 0..<2 {
            store.writeAll(zones: [(other, HouseQueue())], rooms: [], alarms: [], HouseCounters())
            #expect(store.isBehind && store.trouble?.code == "state-not-read")
            #expect(store.trouble?.message.contains("Restart the service") == true)
            let stored = HouseStore(path: path).read().zones.first
            #expect(stored?.zone.name == "Upstairs" && stored?.queue.entries == queue.entries)
        }
        try FileManager.default.moveItem(atPath: path, toPath: kept)
        store.writeAll(zones: [(other, HouseQueue())], rooms: [], alarms: [], HouseCounters())
        #expect(!store.isBehind && store.trouble == nil)
        #expect(HouseStore(path: path).read().zones.map(\.zone.name) == ["Other"])
    }

    @Test("edits of a long queue write what has changed")
    func longQueue() async throws {
        let test = TestHouse(statePath: path)
        try await test.start()
        let names = (0..<5000).map { "track \($0)" }
        let ids = try await test.fill(TestHouse.zone, names)
        try await test.perform(.move(TestHouse.zone, [ids[4000]], before: ids[3]))
        try await test.perform(.remove(TestHouse.zone, [ids[10], ids[4999]]))
        let again = TestHouse(statePath: path)
        await again.house.start()
        let page = try await again.house.queue(of: TestHouse.zone, 0..<6)
        #expect(page.length == 4998)
        #expect(page.entries.map(\.id) == [ids[0], ids[1], ids[2], ids[4000], ids[3], ids[4]])
    }

    @Test("a track of a length that no number tells is stored too")
    func strangeLength() async throws {
        let test = TestHouse(statePath: path)
        try await test.start()
        let ids = try await test.fill()
        let facts = TrackFacts(title: nil, artist: nil, album: nil, duration: .infinity, isLive: false)
        try await test.perform(.play(TestHouse.zone))
        await test.handle(.opened(ids[0], facts))
        let radio = PlayableTrack(location: "r", title: "r", duration: .nan)
        let entry = QueueEntry(id: EntryID(rawValue: 99), track: radio)
        var queue = HouseQueue()
        var random = SystemRandomNumberGenerator()
        try queue.insert([entry], at: .end, using: &random)
        let store = HouseStore(path: path)
        store.write(StoredZone(id: ZoneID(rawValue: 7), name: "Z"), queue, old: nil, HouseCounters())
        let read = HouseStore(path: path).read().zones.first { $0.zone.id.rawValue == 7 }
        #expect(read?.queue.entries.first?.track.duration?.isNaN == true)
    }

    @Test("identities survive as bytes, and a cut list loses its last one")
    func lists() {
        let ids = [1, -7, Int64.max].map { EntryID(rawValue: $0) }
        #expect(EntryList.decode(EntryList.encode(ids)) == ids)
        #expect(EntryList.decode(EntryList.encode(ids).dropLast(3)) == Array(ids.dropLast()))
        #expect(EntryList.decode(Data()).isEmpty)
    }
}
