import Testing

@testable import TuttiHouse

@Suite("Rooms that move between zones")
struct RoomMoveTests {
    private static let kitchen = TestHouse.kitchen

    /// Zones of a house that has found the kitchen.
    private static func makeZones() -> ZoneRegistry {
        let environment = HouseEnvironment.fake()
        let rooms = RoomRegistry(environment)
        _ = rooms.take([FoundRoom(id: kitchen, name: "kitchen", kind: .airPlay)], used: [])
        return ZoneRegistry(environment, rooms: rooms)
    }

    @Test("a zone that plays pauses when its last room leaves, and its sessions follow")
    func lastRoom() {
        let zones = Self.makeZones()
        let (first, second) = (zones.make("First"), zones.make("Second"))
        let settings = RoomSettings(zones: zones)
        settings.move(Self.kitchen, to: first) { _, _ in }
        (first.stored.wish, first.isOpen) = (.playing, true)
        var moved: [ZoneID] = []
        var effects: [ZoneEffect] = []
        settings.move(Self.kitchen, to: second) { effect, zone in
            moved.append(zone.id)
            effects.append(effect)
        }
        let left: ZoneEffect = [.rooms, .changed]
        #expect(moved == [first.id, first.id, second.id])
        #expect(effects == [ZoneEffect.changed, left, ZoneEffect.changed])
        #expect(first.wish == .paused && zones.zone(of: Self.kitchen) === second)
    }

    @Test("a room that is in the zone already changes nothing")
    func sameZone() {
        let zones = Self.makeZones()
        let zone = zones.make("First")
        let settings = RoomSettings(zones: zones)
        settings.move(Self.kitchen, to: zone) { _, _ in }
        var count = 0
        settings.move(Self.kitchen, to: zone) { _, _ in count += 1 }
        #expect(count == 0)
    }
}
