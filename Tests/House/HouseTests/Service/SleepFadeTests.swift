import Foundation
import Testing

@testable import TuttiHouse

@Suite("The fade of the sleep timer")
struct SleepFadeTests {
    private static let zone = TestHouse.zone
    private static let kitchen = TestHouse.kitchen
    private static let bath = TestHouse.bath

    /// A zone of kitchen at 50 and bath at 20 that plays, and lowers its volume within 20 seconds.
    private static func playing() async throws -> (TestHouse, FakePlayer.Record) {
        let test = TestHouse()
        try await test.start()
        try await test.fill(rooms: [kitchen, bath])
        try await test.perform(.setRoomVolume(kitchen, 50))
        try await test.perform(.setRoomVolume(bath, 20))
        try await test.perform(.setSleepFade(zone, seconds: 20))
        try await test.perform(.play(zone))
        let player = test.outputs.players[0]
        player.state.withLock { ($0.volumes, $0.volumeHistory) = ([:], [:]) }
        return (test, player)
    }

    @Test("the speakers' volumes fall in steps below a decibel, users' stay, and return after the pause")
    func fade() async throws {
        let (test, player) = try await Self.playing()
        try await test.perform(.sleep(Self.zone, afterSeconds: 60))
        await test.advance(by: 39)
        #expect(player.now.volumes.isEmpty)
        for _ in 0..<42 { await test.advance(by: 0.5) }
        let history = try #require(player.now.volumeHistory[Self.kitchen])
        // A percent of a volume is 0.3 dB.
        #expect(zip([50] + history, history).allSatisfy { $0 > $1 && ($0 - $1) * 0.3 < 1 })
        #expect((player.now.volumes[Self.kitchen] ?? 9) < 1.5)
        #expect(await test.snapshot()?.state == .paused)
        #expect(await test.snapshot()?.volume == 50)
        await test.advance(by: 2.5)
        #expect(player.now.volumes == [Self.kitchen: 50, Self.bath: 20])
        #expect(await test.snapshot()?.sleepFade == 20)
    }

    @Test("both rooms fall in proportion, and come back when the timer is turned off")
    func cancelled() async throws {
        let (test, player) = try await Self.playing()
        try await test.perform(.sleep(Self.zone, afterSeconds: 60))
        await test.advance(by: 50)
        #expect(player.now.volumes == [Self.kitchen: 25, Self.bath: 10])
        try await test.perform(.sleep(Self.zone, afterSeconds: nil))
        #expect(player.now.volumes == [Self.kitchen: 50, Self.bath: 20])
        await test.advance(by: 20)
        #expect(await test.snapshot()?.state == .waiting)
    }

    @Test("a longer timer, a fade of 0 and a play after the pause give the volume back at once")
    func changed() async throws {
        let (test, player) = try await Self.playing()
        try await test.perform(.sleep(Self.zone, afterSeconds: 10))
        #expect(player.now.volumes == [Self.kitchen: 25, Self.bath: 10])
        try await test.perform(.sleep(Self.zone, afterSeconds: 15))
        #expect(player.now.volumes == [Self.kitchen: 37.5, Self.bath: 15])
        try await test.perform(.setSleepFade(Self.zone, seconds: 0))
        #expect(player.now.volumes == [Self.kitchen: 50, Self.bath: 20])
        try await test.perform(.setSleepFade(Self.zone, seconds: 20))
        #expect(player.now.volumes == [Self.kitchen: 37.5, Self.bath: 15])
        await test.advance(by: 15)
        #expect(await test.snapshot()?.state == .paused)
        try await test.perform(.play(Self.zone))
        #expect(player.now.volumes == [Self.kitchen: 50, Self.bath: 20])
    }

    @Test("a user who changes the volume has it at once, and sleeps in from there")
    func touched() async throws {
        let (test, player) = try await Self.playing()
        try await test.perform(.sleep(Self.zone, afterSeconds: 20))
        await test.advance(by: 10)
        try await test.perform(.setRoomVolume(Self.kitchen, 40))
        #expect(player.now.volumes[Self.kitchen] == 40)
        await test.advance(by: 1)
        #expect(player.now.volumes[Self.kitchen] == 36)
        #expect(player.now.volumes[Self.bath] == 9)
        // The speaker's own buttons.
        await test.handle(.volume(Self.bath, 60))
        #expect(await test.house.snapshot().rooms.first { $0.id == Self.bath }?.volume == 60)
        await test.advance(by: 3)
        #expect(player.now.volumes[Self.bath] == 40)
        await test.advance(by: 6)
        await test.advance(by: 3)
        #expect(player.now.volumes == [Self.kitchen: 40, Self.bath: 60])
    }

    @Test("a speaker that reports the volume it was sent is no user")
    func echo() async throws {
        let (test, player) = try await Self.playing()
        try await test.perform(.sleep(Self.zone, afterSeconds: 20))
        await test.advance(by: 10)
        await test.handle(.volume(Self.kitchen, 25.4))
        #expect(await test.snapshot()?.volume == 50)
        await test.advance(by: 2)
        #expect(player.now.volumes[Self.kitchen] == 20)
    }

    @Test("the end of a track is faded to as well, as far as it is known")
    func endOfTrack() async throws {
        let (test, player) = try await Self.playing()
        try await test.perform(.setRate(Self.zone, 2))
        try await test.perform(.sleepAtEndOfTrack(Self.zone))
        await test.advance(by: 1)
        #expect(player.now.volumes.isEmpty)
        // 20 of 100 seconds are left, 10 at this rate.
        player.state.withLock { $0.position?.seconds = 80 }
        await test.advance(by: 1)
        #expect(player.now.volumes == [Self.kitchen: 25, Self.bath: 10])
        try await test.perform(.seek(Self.zone, seconds: 10))
        #expect(player.now.volumes == [Self.kitchen: 50, Self.bath: 20])
    }

    @Test("a room that joins begins softly, one that leaves stays soft while it still sounds")
    func members() async throws {
        let (test, player) = try await Self.playing()
        try await test.perform(.setRoomVolume(TestHouse.hall, 80))
        try await test.perform(.sleep(Self.zone, afterSeconds: 10))
        try await test.perform(.moveRoom(TestHouse.hall, to: Self.zone))
        #expect(player.now.targets[TestHouse.hall]?.volume == 40)
        try await test.perform(.moveRoom(Self.bath, to: nil))
        #expect(player.now.volumes[Self.bath] == 10)
        await test.house.stop()
        #expect(player.now.volumes[TestHouse.hall] == 80)
        // A step of the fade that was on its way.
        await test.advance(by: 1)
        #expect(player.now.volumes[TestHouse.hall] == 80)
    }

    @Test("a zone without a fade never changes a volume")
    func none() async throws {
        let (test, player) = try await Self.playing()
        try await test.perform(.setSleepFade(Self.zone, seconds: 0))
        try await test.perform(.sleep(Self.zone, afterSeconds: 5))
        for _ in 0..<12 { await test.advance(by: 0.5) }
        #expect(await test.snapshot()?.state == .paused)
        #expect(player.now.volumes.isEmpty)
        #expect(await !test.house.isFading)
    }
}

extension House {
    /// Whether a task waits for the next step of a fade.
    fileprivate var isFading: Bool { fader.timer.isSet }
}
