import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport
import TuttiWire

@testable import AirPlaySender

@Suite("Volume and displays", .timeLimit(.minutes(10)), .tags(.machine))
struct DisplaysTests {
    private static var later: HostTime { SystemClock.now.advanced(by: .seconds(3600)) }

    private static func track(_ title: String, frame: Int64, artwork: [UInt8]? = nil) -> ScheduledTrack {
        var dmap = DMAPMetadata()
        dmap.title = title
        let picture = artwork.flatMap { TrackMetadata.Artwork(kind: .png, bytes: $0) }
        return ScheduledTrack(
            frame: frame, frameCount: 44_100, metadata: TrackMetadata(dmap: dmap, artwork: picture))
    }

    @Test(
        "the volume is sent as text",
        arguments: [(100.0, "0.000000"), (50.0, "-15.000000"), (0.0, "-144.000000")])
    func volume(percent: Double, text: String) async throws {
        let stage = try Stage(.standard)
        try await stage.wait(for: .waitingForClock)
        stage.group.setVolume(Volume(percent: percent))
        let request = try await stage.receiver.wait(for: .volume).request
        #expect(request.headers["Content-Type"] == "text/parameters")
        #expect(String(decoding: request.body, as: UTF8.self) == "volume: \(text)\r\n")
        await stage.group.close()
    }

    @Test("a volume that a speaker takes only while it plays is sent again until it does", arguments: [1, 3])
    func earlyVolume(refusals: Int) async throws {
        let stage = try Stage(.refusesVolume(times: refusals))
        try await stage.wait(for: .waitingForClock)
        stage.group.setVolume(Volume(percent: 30))
        _ = try await stage.receiver.wait(for: .volume)
        stage.fill(40)
        stage.start()
        let again = try await stage.receiver.wait(for: .volume, times: refusals + 1).request
        #expect(try Volume(body: again.body) == Volume(percent: 30))
        await stage.group.close()
    }

    @Test("a speaker gets the last of several volumes that come faster than it answers")
    func slider() async throws {
        let stage = try Stage(.holds(.volume))
        try await stage.wait(for: .waitingForClock)
        stage.group.setVolume(Volume(percent: 0))
        _ = try await stage.receiver.wait(for: .volume)
        for percent in 1...100 { stage.group.setVolume(Volume(percent: Double(percent))) }
        // Once this is answered, all before it are carried out.
        _ = await stage.group.cut(at: .max)
        stage.receiver.release(.volume)
        let last = try await stage.receiver.wait(for: .volume, times: 2).request
        #expect(try Volume(body: last.body) == Volume(percent: 100))
        await stage.group.close()
        #expect(stage.receiver.log.value.count(.volume) == 2)
    }

    @Test("a speaker's own volume reaches no other speaker, and is sent again after a reconnect")
    func oneSpeaker() async throws {
        let first = try FakeReceiver(name: "First", host: 1)
        let second = try FakeReceiver(name: "Second", host: 2)
        let stage = Stage([first, second])
        try await stage.wait(for: .waitingForClock, of: first)
        try await stage.wait(for: .waitingForClock, of: second)
        stage.group.setVolume(Volume(percent: 20), speaker: "Second")
        _ = try await second.wait(for: .volume)
        second.drop()
        let again = try await second.wait(for: .volume, times: 2)
        #expect(again.connection == 2)
        #expect(try Volume(body: again.request.body) == Volume(percent: 20))
        #expect(first.log.value.count(.volume) == 0)
        await stage.group.close()
    }

    @Test("a command reaches the one of two speakers of one name whose id it has, and both are shown")
    func twins() async throws {
        let receivers = [
            try FakeReceiver(name: "Kitchen", host: 1), try FakeReceiver(name: "Kitchen", host: 2),
        ]
        let targets = receivers.enumerated().map { index, receiver in
            var target = receiver.target()
            target.id = "02:00:00:AA:00:0\(index + 1)"
            return target
        }
        let clock = FakeClock()
        let group = SpeakerGroup(
            targets: targets, store: PacketStore(),
            identity: SenderIdentity(name: "Stage", clock: clock.identity), clock: clock,
            timing: Stage.timing, machine: SystemMachine())
        group.setFormat(.alac44100x16)
        let speakers = targets.map(\.named)
        var missing = Set(speakers)
        for await event in group.events {
            if case .state(let speaker, .waitingForClock) = event { missing.remove(speaker) }
            if missing.isEmpty { break }
        }
        group.setVolume(Volume(percent: 20), speaker: speakers[1].id)
        let request = try await receivers[1].wait(for: .volume).request
        #expect(try Volume(body: request.body) == Volume(percent: 20))
        #expect(receivers[0].log.value.count(.volume) == 0)
        #expect(await group.depths().map(\.speaker) == speakers)
        await group.close()
    }

    @Test("metadata, artwork and progress carry the RTP time at which the track begins")
    func metadata() async throws {
        let stage = try Stage(.standard)
        stage.fill(200)
        stage.group.setTracks([Self.track("Ännchen", frame: 352 * 10, artwork: [1, 2, 3])])
        try await stage.wait(for: .waitingForClock)
        stage.start(at: 352 * 5, host: Self.later)
        let picture = try await stage.receiver.wait(for: .artwork).request
        // The metadata is sent once before the first audio, without artwork, and once with artwork.
        let text = try await stage.receiver.wait(for: .metadata, times: 2).request
        let progress = try await stage.receiver.wait(for: .progress, times: 2).request
        let packet = try #require(try await stage.receiver.waitForPackets(195).first { $0.frame == 352 * 10 })
        let start = packet.rtpTime
        #expect(text.headers["RTP-Info"] == "rtptime=\(start.rawValue)")
        #expect(try DMAPMetadata(exactly: text.body).title == "Ännchen")
        #expect(picture.headers["RTP-Info"] == "rtptime=\(start.rawValue)")
        #expect(picture.headers["Content-Type"] == "image/png" && picture.body == [1, 2, 3])
        let expected = Progress(start: start, current: start, end: start.advanced(by: 44_100))
        #expect(try Progress(body: progress.body) == expected)
        #expect(stage.receiver.log.value.count(.artwork) == 1)
        await stage.group.close()
    }

    @Test("a speaker that is silent without text gets the sender's name if the program has told of no track")
    func noTrack() async throws {
        let stage = try Stage(.wantsText)
        let text = try await stage.receiver.wait(for: .metadata).request
        #expect(try DMAPMetadata(exactly: text.body).title == "Stage")
        #expect(text.headers["RTP-Info"] != nil)
        await stage.group.close()
    }

    @Test("changed metadata of a track is sent; unchanged metadata is not sent again")
    func changedText() async throws {
        let stage = try Stage(.standard)
        stage.fill(200)
        stage.group.setTracks([Self.track("First", frame: 0)])
        try await stage.wait(for: .waitingForClock)
        stage.start(at: 0, host: Self.later)
        _ = try await stage.receiver.wait(for: .metadata, times: 2)
        stage.group.setTracks([Self.track("First", frame: 0)])
        stage.group.setTracks([Self.track("Second", frame: 0)])
        var cleared = Self.track("Third", frame: 0)
        cleared.metadata.artwork = .cleared
        stage.group.setTracks([cleared])
        let second = try await stage.receiver.wait(for: .metadata, times: 3).request
        let third = try await stage.receiver.wait(for: .metadata, times: 4).request
        #expect(try DMAPMetadata(exactly: second.body).title == "Second")
        #expect(try DMAPMetadata(exactly: third.body).title == "Third")
        let picture = try await stage.receiver.wait(for: .artwork).request
        #expect(picture.headers["Content-Type"] == "image/none" && picture.body.isEmpty)
        await stage.group.close()
    }

    @Test("a track that only moves sends only its progress, also while paused")
    func placeAlone() async throws {
        let stage = try Stage(.standard)
        stage.fill(200)
        stage.group.setTracks([Self.track("First", frame: 0, artwork: [1, 2, 3])])
        try await stage.wait(for: .waitingForClock)
        stage.start(at: 0, host: Self.later)
        _ = try await stage.receiver.wait(for: .progress, times: 2)
        stage.group.stop(at: 0)
        stage.group.setTracks([Self.track("First", frame: -44_100, artwork: [1, 2, 3])])
        _ = try await stage.receiver.wait(for: .progress, times: 3)
        #expect(stage.receiver.log.value.count(.metadata) == 2)
        #expect(stage.receiver.log.value.count(.artwork) == 1)
        stage.group.setTracks([Self.track("Second", frame: 0)])
        let second = try await stage.receiver.wait(for: .metadata, times: 3).request
        #expect(try DMAPMetadata(exactly: second.body).title == "Second")
        await stage.group.close()
    }

    @Test("a resume sends the progress, and unchanged text and picture no second time")
    func resumed() async throws {
        let stage = try Stage(.standard)
        stage.fill(200)
        stage.group.setTracks([Self.track("First", frame: 0, artwork: [1, 2, 3])])
        try await stage.wait(for: .waitingForClock)
        stage.start(at: 0, host: Self.later)
        _ = try await stage.receiver.wait(for: .progress, times: 2)
        for start in 1...2 {
            stage.group.stop(at: 0)
            stage.start(at: 0, host: Self.later)
            _ = try await stage.receiver.wait(for: .progress, times: 2 + start)
        }
        #expect(stage.receiver.log.value.count(.metadata) == 2)
        #expect(stage.receiver.log.value.count(.artwork) == 1)
        await stage.group.close()
    }

    @Test("a picture that comes later is sent without the text, and a new text without the picture")
    func parts() async throws {
        let stage = try Stage(.standard)
        stage.fill(200)
        stage.group.setTracks([Self.track("First", frame: 0)])
        try await stage.wait(for: .waitingForClock)
        stage.start(at: 0, host: Self.later)
        _ = try await stage.receiver.wait(for: .metadata, times: 2)
        stage.group.setTracks([Self.track("First", frame: 0, artwork: [1, 2, 3])])
        _ = try await stage.receiver.wait(for: .artwork)
        #expect(stage.receiver.log.value.count(.metadata) == 2)
        stage.group.setTracks([Self.track("Second", frame: 0, artwork: [1, 2, 3])])
        let second = try await stage.receiver.wait(for: .metadata, times: 3).request
        #expect(try DMAPMetadata(exactly: second.body).title == "Second")
        stage.group.setTracks([Self.track("Third", frame: 0, artwork: [1, 2, 3])])
        _ = try await stage.receiver.wait(for: .metadata, times: 4)
        #expect(stage.receiver.log.value.count(.artwork) == 1)
        await stage.group.close()
    }

    @Test("a speaker that reconnects during a pause gets the track's artwork again")
    func reopenedDuringPause() async throws {
        let stage = try Stage(.standard)
        stage.fill(200)
        stage.group.setTracks([Self.track("First", frame: 0, artwork: [1, 2, 3])])
        try await stage.wait(for: .waitingForClock)
        stage.start(at: 0, host: Self.later)
        _ = try await stage.receiver.wait(for: .artwork)
        stage.group.stop(at: 0)
        try await stage.wait(for: .ready)
        stage.receiver.drop()
        let again = try await stage.receiver.wait(for: .artwork, times: 2)
        #expect(again.connection == 2)
        #expect(again.request.body == [1, 2, 3])
        await stage.group.close()
    }

    @Test("empty or oversized artwork is rejected")
    func artworkLimit() {
        let limit = TrackMetadata.Artwork.byteLimit
        #expect(TrackMetadata.Artwork(kind: .png, bytes: []) == nil)
        #expect(TrackMetadata.Artwork(kind: .png, bytes: [UInt8](repeating: 0, count: limit)) != nil)
        #expect(TrackMetadata.Artwork(kind: .png, bytes: [UInt8](repeating: 0, count: limit + 1)) == nil)
    }
}
