import Foundation
import Testing

@testable import TuttiHouse

@Suite("Equaliser, night mode and loudest volume of rooms")
final class ComfortTests {
    private static let zone = TestHouse.zone
    private static let kitchen = TestHouse.kitchen
    private static let bass = Equalizer(gains: [12, 6, 0, 0, 0, 0, 0, 0, 0, -3.5])
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    private var path: String { folder.appendingPathComponent("house.db").path }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func room(_ test: TestHouse) async throws -> RoomSnapshot {
        try #require(await test.house.snapshot().rooms.first { $0.id == kitchen })
    }

    @Test("all are off at first, and cost the player nothing")
    func off() async throws {
        let test = TestHouse()
        try await test.start()
        try await test.fill()
        try await test.perform(.play(Self.zone))
        let room = try await Self.room(test)
        #expect(room.equalizer == nil && !room.nightMode && room.maximumVolume == 100)
        let player = test.outputs.players[0].now
        #expect(player.targets[Self.kitchen]?.treatment.isNone == true)
        #expect(player.targets[Self.kitchen]?.maximumVolume == 100)
        #expect(player.treatments.isEmpty && player.maximums.isEmpty && player.volumeHistory.isEmpty)
    }

    @Test("a room that plays gets them at once, and a session that opens begins with them")
    func applied() async throws {
        let test = TestHouse()
        try await test.start()
        try await test.fill()
        try await test.perform(.play(Self.zone))
        let player = test.outputs.players[0]
        try await test.perform(.setRoomEqualizer(Self.kitchen, Self.bass))
        #expect(player.now.treatments[Self.kitchen]?.equalizer == Self.bass.gains)
        try await test.perform(.setRoomNightMode(Self.kitchen, true))
        #expect(player.now.treatments[Self.kitchen]?.isNightMode == true)
        #expect(player.now.treatments[Self.kitchen]?.equalizer == Self.bass.gains)
        try await test.perform(.setRoomMaximumVolume(Self.kitchen, 60))
        #expect(player.now.maximums[Self.kitchen] == 60)
        let room = try await Self.room(test)
        #expect(room.equalizer == Self.bass && room.nightMode && room.maximumVolume == 60)
        #expect(
            test.surface.changes.contains {
                if case .room(let room) = $0.body { room.maximumVolume == 60 } else { false }
            })

        try await test.perform(.stop(Self.zone))
        try await test.perform(.play(Self.zone))
        let target = player.now.targets[Self.kitchen]
        #expect(target?.treatment.equalizer == Self.bass.gains && target?.treatment.isNightMode == true)
        #expect(target?.maximumVolume == 60)

        try await test.perform(.setRoomEqualizer(Self.kitchen, nil))
        try await test.perform(.setRoomNightMode(Self.kitchen, false))
        #expect(player.now.treatments[Self.kitchen]?.isNone == true)
    }

    @Test("a room that does not play keeps them for later")
    func later() async throws {
        let test = TestHouse()
        try await test.start()
        try await test.perform(.setRoomNightMode(Self.kitchen, true))
        #expect(test.outputs.players[0].now.treatments.isEmpty)
        try await test.fill()
        try await test.perform(.play(Self.zone))
        #expect(test.outputs.players[0].now.targets[Self.kitchen]?.treatment.isNightMode == true)
    }

    @Test("a room whose volume nobody knows gets a moderate one with its loudest")
    func unknownVolume() async throws {
        let test = TestHouse()
        try await test.start()
        try await test.perform(.setRoomMaximumVolume(Self.kitchen, 50))
        #expect(try await Self.room(test).volume == 30)
        let other = TestHouse { $0.defaultVolume = 12 }
        try await other.start()
        try await other.perform(.setRoomMaximumVolume(Self.kitchen, 50))
        #expect(try await Self.room(other).volume == 12)
    }

    @Test("they survive a restart, and rooms that were stored before them are read")
    func stored() async throws {
        let test = TestHouse(statePath: path)
        try await test.start()
        try await test.perform(.setRoomEqualizer(Self.kitchen, Self.bass))
        try await test.perform(.setRoomNightMode(Self.kitchen, true))
        try await test.perform(.setRoomMaximumVolume(Self.kitchen, 70))
        let again = TestHouse(statePath: path)
        await again.house.start()
        let room = try await Self.room(again)
        #expect(room.equalizer == Self.bass && room.nightMode && room.maximumVolume == 70)

        let old = #"{"id":"den","name":"Den","kind":"airPlay","delay":5,"references":[],"volume":40}"#
        let read = try JSONDecoder().decode(StoredRoom.self, from: Data(old.utf8))
        #expect(read.volume == 40 && read.equalizer == nil && read.nightMode == nil)
        #expect(Room(read).snapshot.maximumVolume == 100)
    }

    @Test("values out of range are refused with a sentence")
    func refusals() async throws {
        let test = TestHouse()
        try await test.start()
        let bad: [HouseCommand] = [
            .setRoomEqualizer(Self.kitchen, Equalizer(gains: [])),
            .setRoomEqualizer(Self.kitchen, Equalizer(gains: Array(repeating: 0, count: 11))),
            .setRoomEqualizer(Self.kitchen, Equalizer(gains: Array(repeating: 12.1, count: 10))),
            .setRoomEqualizer(Self.kitchen, Equalizer(gains: Array(repeating: .nan, count: 10))),
            .setRoomMaximumVolume(Self.kitchen, 0), .setRoomMaximumVolume(Self.kitchen, 100.5),
            .setRoomMaximumVolume(Self.kitchen, .nan), .setSleepFade(Self.zone, seconds: -1),
            .setSleepFade(Self.zone, seconds: 601), .setSleepFade(Self.zone, seconds: .nan),
        ]
        for command in bad {
            await #expect { try await test.perform(command) } throws: { error in
                (error as? HouseError)?.kind == .invalid
            }
        }
        await #expect(throws: HouseError.self) {
            try await test.perform(.setRoomNightMode(RoomID(rawValue: "attic"), true))
        }
        let room = try await Self.room(test)
        #expect(room.equalizer == nil && room.maximumVolume == 100)
    }
}
