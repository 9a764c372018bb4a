import Testing
import TuttiMusicLibrary

@testable import TuttiHouse

@Suite("Log of the house")
struct LogTests {
    let house = TestHouse()

    @Test("commands are told in words, with names of zones, rooms and tracks")
    func commands() async throws {
        try await house.start()
        let zone = TestHouse.zone
        try await house.perform(.renameZone(zone, "Evening"))
        let entries = try await house.fill(zone, ["a", "b", "c", "d"])
        try await house.perform(.seek(zone, seconds: 63))
        try await house.perform(.skip(zone, seconds: -2.5))
        try await house.perform(.move(zone, entries, before: nil))
        try await house.perform(.moveRoom(TestHouse.kitchen, to: nil))
        try await house.perform(.setRoomVolume(TestHouse.bath, 30))
        try await house.perform(.makeZone(name: "Party", rooms: [TestHouse.bath, TestHouse.hall]))
        let told = house.log.filter { $0.hasPrefix("test: ") }.map { String($0.dropFirst(6)) }
        #expect(
            told == [
                "name “Music” “Evening”", "move “kitchen” to “Evening”",
                "add a, b, c and 1 more in “Evening”", "go to 63 s in “Evening”",
                "skip -2.5 s in “Evening”", "move “a”, “b”, “c” and 1 more in “Evening”",
                "take “kitchen” out of its zone", "volume 30 % of “bath”",
                "new zone “Party” with “bath”, “hall”",
            ])
    }

    @Test("a refusal is told with its reason")
    func refusal() async throws {
        try await house.start()
        await #expect(throws: HouseError.self) {
            try await house.perform(.pause(ZoneID(rawValue: 9)))
        }
        #expect(house.log.last == "test: pause zone 9, refused: There is no zone 9.")
    }

    @Test("neither passwords nor an address's query are told")
    func secrets() async throws {
        try await house.start()
        try await house.perform(.setRoomPassword(TestHouse.kitchen, "hunter2"))
        let station = "https://me:hunter2@radio.example/live?key=hunter2#hunter2"
        try await house.perform(.add(TestHouse.zone, [.location(station)], .end))
        #expect(!house.log.contains { $0.contains("hunter2") })
        #expect(house.log.contains("test: add https://radio.example/live?… in “Music”"))
        for text in ["me:hunter2@radio.example/live", "radio.example/live?key=hunter2"] {
            try await house.perform(.add(TestHouse.zone, [.location(text)], .end))
        }
        #expect(!house.log.contains { $0.contains("hunter2") })
        #expect(
            house.log.suffix(2) == ["test: add an address in “Music”", "test: add an address in “Music”"])
    }

    @Test("the library's troubles are told once")
    func troubles() async throws {
        var state = LibraryState()
        state.troubles = [LibraryTrouble(code: "folderMissing", message: "/music is missing.")]
        await house.house.setLibrary(state)
        state.tracks = 3
        await house.house.setLibrary(state)
        #expect(house.log == ["/music is missing."])
    }
}
