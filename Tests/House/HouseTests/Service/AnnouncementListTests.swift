import Playback
import Testing

@testable import TuttiHouse

@Suite("The list of announcements")
struct AnnouncementListTests {
    private let kitchen = TestHouse.kitchen
    private let bath = TestHouse.bath
    private let hall = TestHouse.hall

    private func add(
        _ rooms: Set<RoomID>, volume: Double? = nil, seconds: Double = 1, to list: inout AnnouncementList
    ) -> AnnouncementID {
        let source = AnnouncementSource(
            location: "/bell.wav", title: "Bell", sound: AnnouncementSound.silence(seconds: seconds))
        let request = AnnouncementRequest(location: "/bell.wav", volume: volume)
        return list.add(request, source, in: rooms)
    }

    @Test(
        "an announcement waits for every earlier one that shares a room with it, also for one that waits itself"
    )
    func order() throws {
        var list = AnnouncementList()
        let first = add([kitchen], to: &list)
        let second = add([kitchen, bath], to: &list)
        let third = add([bath], to: &list)
        let fourth = add([hall], to: &list)
        #expect([first, second, third, fourth] == [first, second, third, fourth].sorted())
        #expect(list.ready.map(\.id) == [first, fourth])
        let begun = try #require(list.announcement(first))
        begun.task = Task {}
        #expect(list.ready.map(\.id) == [fourth])
        #expect(list.snapshots.map(\.state) == [.playing, .waiting, .waiting, .waiting])
        list.remove(begun)
        #expect(list.ready.map(\.id) == [second, fourth])
        #expect(list.all(for: [bath]).map(\.id) == [second, third] && list.announcement(first) == nil)
        #expect(list.removeAll().count == 3 && list.snapshots.isEmpty && list.ready.isEmpty)
        // A number is given once.
        #expect(add([hall], to: &list) > fourth)
    }

    @Test("a room has an announcement's volume only while that one is heard")
    func volumes() throws {
        var list = AnnouncementList()
        let loud = add([kitchen], volume: 60, to: &list)
        let plain = add([bath], to: &list)
        #expect(!list.hasOwnVolume(in: kitchen))
        for id in [loud, plain] {
            let announcement = try #require(list.announcement(id))
            announcement.task = Task {}
        }
        #expect(
            list.hasOwnVolume(in: kitchen) && !list.hasOwnVolume(in: bath) && !list.hasOwnVolume(in: hall))
    }

    @Test("announcements that are being read count in the limit, until they are read or refused")
    func reading() throws {
        var list = AnnouncementList()
        let request = AnnouncementRequest(location: "/bell.wav")
        for _ in 0..<AnnouncementLimits.count - 1 { try list.beginReading(request) }
        _ = add([kitchen], to: &list)
        #expect(throws: HouseError.self) { try list.beginReading(request) }
        list.endReading()
        try list.beginReading(request)
        for volume in [-0.1, 100.1, .nan, .infinity] as [Double] {
            var bad = request
            bad.volume = volume
            #expect(throws: HouseError(.invalid, "The volume must be between 0 and 100 percent.")) {
                try list.beginReading(bad)
            }
        }
    }

    @Test("a zone plays its own rooms, and rooms of no zone play together")
    func parts() throws {
        var list = AnnouncementList()
        let id = add([kitchen, bath, hall], to: &list)
        let zone = ZoneID(rawValue: 4)
        let announcement = try #require(list.announcement(id))
        let parts = announcement.parts(zone: { $0 == TestHouse.kitchen ? zone : nil })
        #expect(parts.count == 2)
        #expect(parts.first { $0.zone == zone }?.part.rooms == [kitchen])
        #expect(parts.first { $0.zone == nil }?.part.rooms == [bath, hall])
    }
}
