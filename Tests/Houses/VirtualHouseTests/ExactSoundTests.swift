import AirPlaySender
import Testing
import TuttiHouseSimulation

/// The sound that loudspeakers get, sample for sample.
@Suite("Exact sound in houses")
struct ExactSoundTests {
    @Test(
        "files of one format follow each other without a frame between, in every kind of room",
        arguments: RoomKind.allCases)
    func joins(kind: RoomKind) async throws {
        let album = try Album(seconds: [4, 3, 2])
        let record = try await live([kind], album) { house in
            for track in 0..<3 { house.add(track) }
            house.play()
            house.pass(12)
        }
        let room = try #require(record.rooms.first)
        #expect(room.isSequence(album.frames), "\(room)")
    }

    @Test("rooms of all kinds in one group play every frame, in step")
    func group() async throws {
        let album = try Album(seconds: [8])
        let record = try await live(RoomKind.allCases, album) { house in
            house.add(0)
            house.play()
            house.pass(12)
        }
        for room in record.rooms { #expect(room.isSequence(album.frames), "\(room)") }
        let times = record.rooms.compactMap(\.pieces.first?.time)
        let (earliest, latest) = (try #require(times.min()), try #require(times.max()))
        #expect(latest - earliest < 500_000)
    }

    /// Kinds of rooms and formats, with bytes a second that the sound in a room takes at least: ALAC of 16 bits takes fewer.
    static let wireFormats: [(RoomKind, SessionChoice.RealtimeFormat, Double)] = [
        (.realtime, .pcm, 120_000), (.realtime, .alac44100x24, 75_000), (.realtimeNTP, .pcm, 120_000),
        (.airPlay1, .pcm, 120_000),
    ]

    @Test("uncompressed sound, and 16 bits in packets of 24, arrive bit for bit", arguments: wireFormats)
    func formats(kind: RoomKind, format: SessionChoice.RealtimeFormat, leastBytesPerSecond: Double)
        async throws
    {
        let album = try Album(seconds: [4])
        let record = try await live([kind], album, format: format) { house in
            house.add(0)
            house.play()
            house.pass(3)
            let bytes = house.bytesPerSecond(in: 0)
            house.pass(5)
            return bytes
        }
        #expect(record.value > leastBytesPerSecond)
        let room = try #require(record.rooms.first)
        #expect(room.isSequence(album.frames), "\(room)")
    }

    @Test("the tenth session is as clean as the first")
    func tenSessions() async throws {
        let album = try Album(seconds: [1])
        let record = try await live([.buffered, .buffered], album) { house in
            for number in 0..<10 {
                if number > 0 { house.choose() }
                house.add(0)
                house.play()
                house.pass(2)
                house.leave()
                // A speaker's state of the session before is partly stale.
                house.pass(Double(number % 3) * 0.4)
            }
        }
        for room in record.rooms {
            #expect(room.frames == Array(repeating: album.frames[0], count: 10))
            #expect(room.foreignFrames == 0)
        }
    }
}
