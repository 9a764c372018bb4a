import AVFoundation
import Foundation
import Testing
import TuttiRouteTestSupport
import TuttiTestMedia
import TuttiTestSupport
import TuttiWebTestSupport

extension TestFolder {
    /// A WAV file of 16 bit silence at 8 kHz.
    func silence(seconds: Int) throws -> URL {
        let count = UInt32(seconds * 16_000)
        func bytes(_ value: UInt32, _ size: Int = 4) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let format = bytes(1, 2) + bytes(1, 2) + bytes(8000) + bytes(16_000) + bytes(2, 2) + bytes(16, 2)
        let header =
            Array("RIFF".utf8) + bytes(count + 36) + Array("WAVEfmt ".utf8) + bytes(16) + format
            + Array("data".utf8) + bytes(count)
        let path = file("silence-\(seconds).wav")
        try Data(header + [UInt8](repeating: 0, count: Int(count))).write(to: URL(fileURLWithPath: path))
        return URL(fileURLWithPath: path)
    }
}

extension AVPlayer {
    /// Comes back when the current item can be played.
    nonisolated func readyToPlay() async throws {
        let notes = Recorder<Bool>(false)
        let token = observe(\.currentItem?.status, options: [.initial]) { player, _ in
            notes.update { $0 = player.currentItem?.status == .readyToPlay }
        }
        _ = try await notes.wait(for: "an item that is ready") { $0 ? true : nil }
        token.invalidate()
    }
}

@Suite("Programs 01 and 06: players", .timeLimit(.minutes(10)))
struct PlayerTests {
    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        _ = SharedCatalogue.isSilent
    }

    @Test("a queue of files plays, is edited and sought")
    func simplePlayer() async throws {
        let urls = try [1, 2, 3].map { try folder.silence(seconds: $0 * 20) }
        let program = SimplePlayer(urls: urls)
        try await program.player.readyToPlay()
        #expect(program.player.items().count == 3)
        program.skip()
        #expect(program.player.items().count == 2)
        program.append(try folder.silence(seconds: 5))
        #expect(program.player.items().count == 3)
        #expect(await program.jumpAndWait(to: 12.5))
        #expect(program.player.currentTime().seconds == 12.5)
        program.start()
        #expect(program.player.rate == 1)
        program.stop()
        #expect(program.player.rate == 0 && program.player.timeControlStatus == .paused)
    }

    @Test("the buffer model learns a file's length and loaded share")
    func buffering() async throws {
        // It listens for what changes from then on: nothing comes before it does.
        let gate = ScriptedServer.Gate()
        let bytes = try TestFolder.bytes(of: try folder.silence(seconds: 10).path)
        let server = try ScriptedServer { [.wait(gate)] + .file(bytes, to: $0) }
        let url = try #require(URL(string: server.address("silence.wav")))
        let model = BufferingModel(url: url)
        gate.open()
        let share = Recorder<Float>(0)
        let token = model.player.observe(\.currentItem?.loadedTimeRanges, options: [.initial]) { player, _ in
            let end = player.currentItem?.loadedTimeRanges.first?.timeRangeValue.end.seconds ?? 0
            share.update { $0 = Float(end / 10) }
        }
        _ = try await share.wait(for: "all of the file") { $0 == 1 ? true : nil }
        token.invalidate()
        // The model's own observers are called by the same thread, in their own time.
        while model.length != 10 || model.isWaiting { await Task.yield() }
        #expect(model.player.currentItem?.isPlaybackBufferFull == true)
    }
}
