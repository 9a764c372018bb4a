import Synchronization
import Testing
import TuttiDBus
import TuttiHouse

@testable import TuttiHouseMPRIS

@Suite(.timeLimit(.minutes(1))) struct MPRISSurfaceTests {
    private func surface(_ address: String?, bus: MPRISSurface.Configuration.Bus) -> (
        MPRISSurface, AsyncStream<String?>
    ) {
        var configuration = MPRISSurface.Configuration(bus: bus, web: nil)
        configuration.address = address
        let (troubles, emit) = AsyncStream.makeStream(of: String?.self)
        configuration.onTrouble = { emit.yield($0) }
        return (MPRISSurface(configuration: configuration), troubles)
    }

    private func house() -> FakeHouse {
        let house = FakeHouse()
        house.state.withLock { $0.snapshot.zones = [ZoneSnapshot(id: ZoneID(rawValue: 1), name: "Kitchen")] }
        return house
    }

    @Test("a bus that a user asked for and that is missing is a trouble with a sentence")
    func missing() async throws {
        let (surface, troubles) = surface("unix:path=/nonexistent/bus", bus: .session)
        try await surface.start(house())
        var iterator = troubles.makeAsyncIterator()
        let sentence = try #require(await iterator.next() ?? nil)
        #expect(sentence.contains("/nonexistent/bus cannot be reached: No such file"))
        #expect(sentence.contains("DBUS_SESSION_BUS_ADDRESS"))
        await surface.stop()
    }

    @Test(
        "with auto, a machine without a bus has no players and no trouble, and nothing runs",
        // No address of a socket; an address whose socket is missing, as when a user's runtime folder has none.
        arguments: ["tcp:host=192.0.2.1", "unix:path=/nonexistent/bus"])
    func auto(_ address: String) async throws {
        let told = Mutex<[String?]>([])
        var configuration = MPRISSurface.Configuration(bus: .auto, web: nil)
        configuration.address = address
        configuration.onTrouble = { sentence in told.withLock { $0.append(sentence) } }
        let (surface, house) = (MPRISSurface(configuration: configuration), house())
        try await surface.start(house)
        #expect(!surface.isRunning)
        for revision in 0..<1_000 {
            surface.houseDidChange(
                HouseChange(
                    revision: UInt64(revision),
                    body: .zone(ZoneSnapshot(id: ZoneID(rawValue: 1), name: "Kitchen"))))
        }
        await surface.stop()
        #expect(house.state.withLock { $0.snapshots } == 0)
        #expect(told.withLock { $0.isEmpty })
    }

    @Test("a surface that stops tells nothing more, also not the end of its trouble")
    func silence() async throws {
        let told = Mutex<[String?]>([])
        var configuration = MPRISSurface.Configuration(bus: .session, web: nil)
        configuration.address = "unix:path=/nonexistent/bus"
        let (first, emit) = AsyncStream.makeStream(of: Void.self)
        configuration.onTrouble = { sentence in
            told.withLock { $0.append(sentence) }
            emit.yield()
        }
        let surface = MPRISSurface(configuration: configuration)
        try await surface.start(house())
        for await _ in first { break }
        #expect(surface.isRunning)
        await surface.stop()
        #expect(told.withLock { $0.count } == 1)
    }

    @Test("a surface that never started stops")
    func unstarted() async { await surface(nil, bus: .system).0.stop() }
}

@Suite struct ChangeInboxTests {
    private let zone = ZoneID(rawValue: 1)

    @Test("many changes of a zone are its last one")
    func coalescing() {
        let inbox = ChangeInbox()
        for revision in 1...1_000 {
            var zone = ZoneSnapshot(id: zone, name: "Kitchen")
            zone.position = Double(revision)
            inbox.add(HouseChange(revision: UInt64(revision), body: .zone(zone)))
            inbox.add(HouseChange(revision: UInt64(revision), body: .depths([:])))
        }
        let batch = inbox.take()
        #expect(batch.zones.count == 1)
        #expect(batch.zones[zone]?.revision == 1_000)
        #expect(inbox.take().zones.isEmpty)
    }

    @Test("a removal and a change of a queue are kept")
    func others() {
        let inbox = ChangeInbox()
        inbox.add(HouseChange(revision: 1, body: .zone(ZoneSnapshot(id: zone, name: ""))))
        inbox.add(HouseChange(revision: 2, body: .zoneRemoved(zone)))
        inbox.add(HouseChange(revision: 3, body: .queue(ZoneID(rawValue: 2), revision: 9, length: 4)))
        let batch = inbox.take()
        #expect(batch.zones[zone]?.change == .removed)
        #expect(batch.queues[ZoneID(rawValue: 2)]?.revision == 9)
    }

    @Test("a closed inbox keeps nothing")
    func closed() {
        let inbox = ChangeInbox()
        inbox.close()
        inbox.add(HouseChange(revision: 1, body: .zoneRemoved(zone)))
        #expect(inbox.take().zones.isEmpty)
    }
}
