import Testing
import TuttiHouseSimulation

/// Edits of a queue whose next items the speakers hold already.
@Suite("Edited queues in houses")
struct QueueEditTests {
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
}
