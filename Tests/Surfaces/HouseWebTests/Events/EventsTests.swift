import Synchronization
import Testing
import TuttiHouse
import TuttiHTTPService
import TuttiMusicLibrary
import TuttiTestSupport

@testable import TuttiHouseWeb

@Suite("The stream of events")
struct EventsTests {
    private static func zone(_ revision: UInt64, id: Int = 2, name: String = "Up") -> HouseChange {
        HouseChange(revision: revision, body: .zone(ZoneSnapshot(id: ZoneID(rawValue: id), name: name)))
    }

    @Test("a client gets the house, then each change with its number")
    func changes() async throws {
        let test = try await TestSurface()
        let listener = try EventListener(port: test.port)
        let first = await listener.events { $0.name == "house" }
        #expect(first.map(\.name) == ["house"] && first.first?.revision == 17)
        var library = LibraryState()
        library.tracks = 3
        let bodies: [HouseChange.Body] = [
            .zone(ZoneSnapshot(id: ZoneID(rawValue: 2), name: "Up\nDown")), .zoneRemoved(ZoneID(rawValue: 2)),
            .room(RoomSnapshot(id: RoomID(rawValue: "a"), name: "A", kind: .local)),
            .roomRemoved(RoomID(rawValue: "a")), .queue(ZoneID(rawValue: 2), revision: 9, length: 12),
            .library(library), .troubles([Trouble(code: "c", message: "m")]),
        ]
        for (index, body) in bodies.enumerated() {
            test.surface.houseDidChange(HouseChange(revision: 18 + UInt64(index), body: body))
        }
        let depth = RoomSnapshot.Depth(seconds: 61.25, fraction: 0.5)
        test.surface.houseDidChange(HouseChange(revision: 24, body: .depths([RoomID(rawValue: "a"): depth])))
        let events = await listener.events { $0.name == "depths" }
        #expect(
            events.map(\.name) == [
                "zone", "zoneRemoved", "room", "roomRemoved", "queue", "library", "troubles", "depths",
            ])
        #expect(events.map(\.revision) == [18, 19, 20, 21, 22, 23, 24, nil])
        try #require(events.count == 8)
        #expect(events[0].data.contains(#""name":"Up\nDown""#) && events[1].data == #"{"zone":2}"#)
        #expect(
            events[3].data == #"{"room":"a"}"#
                && events[6].data == #"{"troubles":[{"code":"c","message":"m"}]}"#)
        #expect(events[7].data == #"{"depths":{"a":{"fraction":0.5,"seconds":61.25}}}"#)
        await test.surface.stop()
    }

    @Test("a client that comes back gets what it missed, by header or by address")
    func resume() async throws {
        let test = try await TestSurface()
        let first = await (try EventListener(port: test.port)).events { $0.name == "house" }
        let id = try #require(first.first?.id)
        for revision in UInt64(18)...30 { test.surface.houseDidChange(Self.zone(revision)) }
        let byAddress = try EventListener(port: test.port, after: id)
        #expect(await byAddress.events { $0.revision == 30 }.map(\.revision) == Array(18...30))
        let later = id.replacing("-17", with: "-29")
        let byHeader = try EventListener(
            port: test.port, after: id, headers: ["Host: localhost", "Last-Event-ID: \(later)"])
        #expect(await byHeader.events { $0.revision == 30 }.map(\.revision) == [30])
        await test.surface.stop()
    }

    @Test(
        "a client with an id of another start, of the future or of no form gets the house",
        arguments: ["0000-18", "EPOCH-99", "EPOCH-", "EPOCH", "x", "EPOCH--1", ""])
    func otherIDs(id: String) async throws {
        let test = try await TestSurface()
        let first = await (try EventListener(port: test.port)).events { $0.name == "house" }
        let epoch = try #require(first.first?.id?.split(separator: "-").first)
        test.surface.houseDidChange(Self.zone(18))
        test.house.state.withLock { $0.snapshot.revision = 18 }
        let listener = try EventListener(port: test.port, after: id.replacing("EPOCH", with: epoch))
        #expect(await listener.events { _ in true }.first?.name == "house")
        await test.surface.stop()
    }

    @Test("a client that missed too much gets the house")
    func missedTooMuch() async throws {
        let test = try await TestSurface()
        let first = await (try EventListener(port: test.port)).events { $0.name == "house" }
        for revision in UInt64(18)...2_000 { test.surface.houseDidChange(Self.zone(revision)) }
        test.house.state.withLock { $0.snapshot.revision = 2_000 }
        let listener = try EventListener(port: test.port, after: try #require(first.first?.id))
        let events = await listener.events { _ in true }
        #expect(events.map(\.name) == ["house"] && events.first?.revision == 2_000)
        await test.surface.stop()
    }

    @Test("changes during the snapshot follow it once each, without a gap")
    func changesDuringSnapshot() async throws {
        let test = try await TestSurface()
        let surface = test.surface
        test.house.state.withLock { state in
            // The snapshot has revision 17; these happen before it is sent.
            state.onSnapshot = {
                for revision in UInt64(16)...20 { surface.houseDidChange(Self.zone(revision)) }
            }
        }
        let listener = try EventListener(port: test.port)
        let events = await listener.events { $0.revision == 20 }
        #expect(events.map(\.name) == ["house", "zone", "zone", "zone"])
        #expect(events.map(\.revision) == [17, 18, 19, 20])
        await test.surface.stop()
    }

    @Test("listeners that come while the house changes see each change once")
    func consistency() async throws {
        let test = try await TestSurface()
        let surface = test.surface
        let house = test.house
        let end: UInt64 = 3_017
        let changing = Task.detached {
            for revision in UInt64(18)...end {
                // The house changes its state and tells of it in one step.
                house.state.withLock { state in
                    state.snapshot.revision = revision
                    surface.houseDidChange(Self.zone(revision))
                }
                if revision.isMultiple(of: 100) { await Task.yield() }
            }
        }
        let port = test.port
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask { try await Self.follow(port, to: end) }
            }
            for try await isWhole in group { #expect(isWhole) }
        }
        await changing.value
        await test.surface.stop()
    }

    /// Listens as browsers do: a listener that is behind is cut off, comes back, and continues where it was.
    ///
    /// - Returns: Whether each change came once, in order; a snapshot stands for all changes up to it.
    private static func follow(_ port: UInt16, to end: UInt64) async throws -> Bool {
        var last: WebEvent?
        while last?.revision != end {
            let events = try await EventListener(port: port, after: last?.id).events { $0.revision == end }
            if events.isEmpty { return false }
            for event in events {
                guard let revision = event.revision else { return false }
                let isNext = last?.revision.map { revision == $0 + 1 } ?? false
                let isSnapshot = event.name == "house" && revision >= last?.revision ?? 0
                guard isNext || isSnapshot else { return false }
                last = event
            }
        }
        return true
    }

    @Test("a listener that goes is forgotten, and the stop ends the others")
    func end() async throws {
        let test = try await TestSurface()
        let listener = try EventListener(port: test.port)
        _ = await listener.events { $0.name == "house" }
        #expect(test.surface.listenerCount == 1)
        async let ended = listener.ends()
        await test.surface.stop()
        #expect(await ended)
        #expect(test.surface.listenerCount == 0)
        // After the stop.
        test.surface.houseDidChange(Self.zone(18))
    }

    @Test("HEAD of the stream has its type and no events")
    func head() async throws {
        let test = try await TestSurface()
        let head = try await test.ask("HEAD", "/events")
        #expect(head.status == 200 && head.headers["content-type"]?.hasPrefix("text/event-stream") == true)
        await test.surface.stop()
    }
}
