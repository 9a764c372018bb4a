import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlaySender

@Suite("Announcements of a group", .timeLimit(.minutes(10)), .tags(.machine))
struct AnnouncementTests {
    private static let frames: Int64 = 352 * 100

    /// A group that is to play in an hour, and holds real sound.
    private static func playing() async throws -> Stage {
        let stage = Stage([try FakeReceiver()])
        try SpeakerSoundTests.fill(stage.store, 0..<Int(frames), as: .alac44100x16)
        try await stage.wait(for: .waitingForClock)
        stage.start(host: SystemClock.now.advanced(by: .seconds(3600)))
        _ = try await stage.receiver.waitForPackets(100)
        try await stage.wait(for: .playing)
        return stage
    }

    private static func overlays(_ stage: Stage, seconds: Double = 0.2) -> [String: SoundOverlay] {
        let overlay = SpeakerSoundTests.announcement(seconds: seconds)
        return Dictionary(
            stage.receivers.map { ($0.target().name, overlay) }, uniquingKeysWith: { $1 })
    }

    /// Returns the number of packets whose sound differs from the store's.
    private static func changedCount(_ stage: Stage) async throws -> Int {
        let sound = try #require(await stage.group.members.first?.sound)
        let packets = SpeakerSoundTests.packets(of: sound, in: stage.store)
        return packets.count { packet in
            let own = stage.store.packet(atOrAfter: packet.index)
            return SpeakerSoundTests.payload(packet) != own.map { SpeakerSoundTests.payload($0) }
        }
    }

    @Test("sound that a speaker holds is sent again with the announcement in it")
    func exchange() async throws {
        let stage = try await Self.playing()
        guard case .begins = await stage.group.announce(1, Self.overlays(stage)) else {
            return #expect(Bool(false), "the announcement does not begin")
        }
        _ = try await stage.receiver.wait(for: .deferredFlush)
        let packets = try await stage.receiver.waitForPackets(200)
        #expect(packets[100...].map(\.rtpTime) == packets[..<100].map(\.rtpTime))
        guard case .until = await stage.group.progress(ofAnnouncement: 1) else {
            return #expect(Bool(false), "the announcement is not under way")
        }
        #expect(try await Self.changedCount(stage) > 60)
        await stage.group.close()
    }

    @Test("one that is ended leaves nothing for the sound after a jump")
    func endedThenCleared() async throws {
        let stage = try await Self.playing()
        _ = await stage.group.announce(1, Self.overlays(stage, seconds: 0.7))
        stage.group.cancelAnnouncement(1)
        stage.group.stop(at: 0)
        stage.store.removeAll()
        stage.group.clear()
        await stage.group.waitForStop()
        while await stage.group.announcements[1] != nil { await Task.yield() }
        try SpeakerSoundTests.fill(stage.store, 0..<Int(Self.frames), as: .alac44100x16)
        #expect(try await Self.changedCount(stage) == 0)
        #expect(await stage.group.progress(ofAnnouncement: 1) == .dropped)
        await stage.group.close()
    }

    @Test("a stop while an edit is under way sends nothing again until the edit is made")
    func stopDuringEdit() async throws {
        let stage = try await Self.playing()
        _ = await stage.group.announce(1, Self.overlays(stage))
        _ = try await stage.receiver.waitForPackets(200)
        let (frame, edited) = (352 * 90 as Int64, Int(352 * 95))
        #expect(await stage.group.cut(at: frame))
        stage.group.stop(at: 0)
        await stage.group.waitForStop()
        // Answered behind the commands before it.
        #expect(await stage.group.announce(2, Self.overlays(stage)) == .notNow)
        #expect(await stage.group.plan.isCutOpen)
        stage.store.truncate(at: frame)
        try SpeakerSoundTests.fill(stage.store, Int(frame)..<edited, as: .alac44100x16)
        stage.group.resume(from: frame)
        _ = try await stage.receiver.waitForPackets(295)
        #expect(try await Self.changedCount(stage) == 0)
        await stage.group.close()
    }

    @Test("where nothing plays, or another rate, or the sound ends too soon, nothing is announced")
    func refused() async throws {
        let stage = try await Self.playing()
        stage.store.finish()
        #expect(await stage.group.announce(1, Self.overlays(stage, seconds: 5)) == .nothingPlays)
        let other = SoundOverlay(
            PCMBuffer(sampleRate: .hz48000, channelCount: 2, samples: [0.1, 0.1] as [Float]), musicGain: 1)
        let name = stage.receiver.target().name
        #expect(await stage.group.announce(2, [name: other]) == .notNow)
        #expect(await stage.group.announce(3, ["nobody": other.ending(at: 1)]) != .begins(SystemClock.now))
        stage.group.stop(at: 0)
        await stage.group.waitForStop()
        #expect(await stage.group.announce(4, Self.overlays(stage)) == .nothingPlays)
        #expect(try await Self.changedCount(stage) == 0)
        await stage.group.close()
    }
}
