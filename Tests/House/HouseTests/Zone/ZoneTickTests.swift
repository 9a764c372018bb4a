import Testing

@testable import TuttiHouse

@Suite("A zone as time passes")
struct ZoneTickTests {
    private static let start = 1000.0

    private static func makeZone(_ wish: StoredZone.Wish) -> Zone {
        var stored = StoredZone(id: TestHouse.zone, name: "Music")
        stored.wish = wish
        return Zone(
            stored, queue: HouseQueue(), player: FakePlayer(), now: { start }, log: { _, _ in })
    }

    @Test(
        "a paused zone keeps its rooms for the idle time, one at the end of its queue for two seconds",
        arguments: [(StoredZone.Wish.paused, 300.0), (StoredZone.Wish.stopped, 2.0)])
    func idle(wish: StoredZone.Wish, limit: Double) {
        let zone = Self.makeZone(wish)
        (zone.isOpen, zone.idleSince) = (true, Self.start)
        #expect(zone.tick(at: Self.start + limit - 0.5, idleSeconds: 300).isEmpty)
        let effect: ZoneEffect = [.rooms, .changed]
        #expect(zone.tick(at: Self.start + limit, idleSeconds: 300) == effect)
        #expect(!zone.isOpen && zone.idleSince == nil)
        #expect(zone.tick(at: Self.start + limit + 1, idleSeconds: 300).isEmpty)
    }

    @Test("a sleep timer pauses once, at its end")
    func sleep() {
        let zone = Self.makeZone(.playing)
        zone.stored.sleep = .at(Self.start + 60)
        #expect(zone.tick(at: Self.start + 59, idleSeconds: 300).isEmpty)
        #expect(zone.tick(at: Self.start + 60, idleSeconds: 300).contains(.changed))
        #expect(zone.wish == .paused && zone.stored.sleep == nil)
        #expect(zone.tick(at: Self.start + 61, idleSeconds: 300).isEmpty)
    }
}
