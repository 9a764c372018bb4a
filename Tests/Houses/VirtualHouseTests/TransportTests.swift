import Playback
import Testing
import TuttiHouseSimulation

/// Commands of a player, as rooms play them frame for frame.
@Suite("Commands in houses")
struct TransportTests {
    static let groups: [[RoomKind]] = [[.buffered, .buffered], [.shallow]]
    private static let rate = 44_100
    /// The longest part that a pause or a late start may repeat or leave out.
    private static let shortPart = rate / 20

    @Test("a seek and a skip are heard from their first frame", arguments: groups)
    func seekAndSkip(kinds: [RoomKind]) async throws {
        let album = try Album(seconds: [10, 4, 4])
        let record = try await live(kinds, album) { house in
            for track in 0..<3 { house.add(track) }
            house.play()
            house.pass(3)
            house.seek(to: 6)
            house.pass(2)
            house.skip()
            house.pass(11)
        }
        for room in record.rooms {
            #expect(room.pieces.count == 3, "\(room)")
            #expect(room.pieces.map(\.first) == [0, 6 * Self.rate, album.frames[1].lowerBound])
            #expect(room.pieces.last?.end == album.frames[2].upperBound)
            #expect(room.foreignFrames <= 2 * fadeFrames)
        }
    }

    @Test("a seek just after the start is heard from its first frame", arguments: groups)
    func seekAtOnce(kinds: [RoomKind]) async throws {
        let album = try Album(seconds: [20])
        let record = try await live(kinds, album) { house in
            house.add(0)
            house.play()
            house.pass(0.005)
            house.seek(to: 10)
            house.pass(3)
        }
        for room in record.rooms {
            #expect(room.pieces.last?.first == 10 * Self.rate, "\(room)")
            #expect(room.pieces.dropLast().allSatisfy { $0.first == 0 && $0.count < Self.rate / 2 })
        }
    }

    @Test(
        "a pause loses no frame, repeats at most a moment, and leaves rooms as full as before",
        arguments: groups)
    func pause(kinds: [RoomKind]) async throws {
        let album = try Album(seconds: [20])
        let record = try await live(kinds, album) { house in
            house.add(0)
            house.play()
            house.pass(6)
            let before = kinds.indices.map { house.held(by: $0) }
            house.pause()
            house.pass(5)
            house.play()
            house.pass(0.5)
            let after = kinds.indices.map { house.held(by: $0) }
            house.pass(16)
            return zip(before, after).map { $0 - $1 }
        }
        for (room, lost) in zip(record.rooms, record.value) {
            #expect(room.pieces.count == 2, "\(room)")
            let (first, second) = (try #require(room.pieces.first), try #require(room.pieces.last))
            #expect(first.first == 0 && second.end == album.frames[0].upperBound)
            #expect((0..<Self.shortPart).contains(first.end - second.first), "\(room)")
            #expect(room.foreignFrames <= fadeFrames)
            #expect(lost < 1.1)
        }
    }

    @Test("a pause in the last second of an item loses nothing of its end")
    func pauseBeforeTheEnd() async throws {
        let album = try Album(seconds: [4])
        let record = try await live([.buffered, .buffered], album) { house in
            house.add(0)
            house.play()
            house.pass(until: 3.5)
            house.pause()
            house.pass(2)
            house.play()
            house.pass(3)
        }
        for room in record.rooms {
            #expect(room.pieces.count == 2, "\(room)")
            let (first, second) = (try #require(room.pieces.first), try #require(room.pieces.last))
            #expect(first.first == 0 && second.end == album.frames[0].upperBound)
            #expect((0..<Self.shortPart).contains(first.end - second.first), "\(room)")
        }
    }

    @Test("a start at a given time is heard at that time, from its first frame", arguments: groups)
    func startAtTime(kinds: [RoomKind]) async throws {
        let album = try Album(seconds: [60])
        // Cold, within what the room holds, and far away.
        let places = [0, 12.5, 40]
        let record = try await live(kinds, album) { house in
            house.setWaits(false)
            house.add(0)
            house.pass(1)
            return places.map { place in
                let lead = place == 0 ? 2.5 : 1
                let due = house.start(at: place, in: lead)
                house.pass(lead + 0.7)
                house.pause()
                house.pass(0.5)
                return due
            }
        }
        for room in record.rooms {
            #expect(room.pieces.map(\.first) == places.map { Int($0 * Double(Self.rate)) }, "\(room)")
            for (piece, due) in zip(room.pieces, record.value) { #expect(abs(piece.time - due) < 1_000_000) }
        }
    }

    @Test("at the end of an item the player pauses, stays or goes on, as it is told")
    func ends() async throws {
        let album = try Album(seconds: [2, 4, 2])
        let record = try await live([.buffered], album) { house in
            house.setEndAction(.pause)
            for track in 0..<3 { house.add(track) }
            house.play()
            house.pass(4)
            let paused = (isPlaying: house.isPlaying, position: house.position)
            house.setEndAction(.advance)
            house.play()
            house.pass(1.5)
            house.setEndAction(.none)
            house.pass(5)
            let stayed = (isPlaying: house.isPlaying, position: house.position)
            // A program repeats an item in this way.
            house.seek(to: 3)
            house.pass(2)
            house.setEndAction(.advance)
            house.pass(4)
            return [paused, stayed].map { ($0.isPlaying ? 100 : 0) + $0.position }
        }
        let places = record.value
        #expect(places.count == 2 && abs(places[0] - 2) < 0.001 && abs(places[1] - 104) < 0.001)
        let room = try #require(record.rooms.first)
        #expect(room.pieces.count == 4, "\(room)")
        for (index, (piece, seconds)) in zip(room.pieces, [0..<2, 2..<6, 5..<6, 6..<8]).enumerated() {
            // A start that nothing has prepared leaves out frames that are due already.
            let most = index == 0 || index == 3 ? 0 : Self.shortPart
            #expect((0...most).contains(piece.first - seconds.lowerBound * Self.rate), "\(room)")
            #expect(piece.end == seconds.upperBound * Self.rate, "\(room)")
        }
    }

    @Test(
        "each volume reaches the speaker, and full volume is exact again",
        arguments: [RoomKind.buffered, .airPlay1])
    func volumes(kind: RoomKind) async throws {
        let album = try Album(seconds: [20])
        let record = try await live([kind], album) { house in
            house.add(0)
            house.play()
            house.pass(4)
            return [50.0, 30, 0, 100].map { percent in
                house.setVolume(percent)
                house.pass(1)
                return house.decibels(of: 0)
            }
        }
        // Percent are linear from -30 dB to 0; 0 is silence.
        #expect(record.value.count == 4)
        for (heard, wanted) in zip(record.value, [-15, -21, -144, 0.0]) {
            #expect(abs(heard - wanted) < 0.06)
        }
        let room = try #require(record.rooms.first)
        #expect(room.pieces.count == 2, "\(room)")
        #expect(room.pieces.first?.first == 0)
    }
}
