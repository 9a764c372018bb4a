import CoreMedia
import Foundation
import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestMedia
import TuttiTestSupport
import TuttiWebTestSupport

@testable import Playback

@Suite("Reading an item ahead", .timeLimit(.minutes(10)), .tags(.machine))
struct MediaFeedTests {
    let folder: TestFolder
    let changes = Recorder<Int>(0)

    init() throws { folder = try TestFolder() }

    private func file(_ name: String, frames: Int = 441_000) throws -> String {
        try MediaFile.kind(name).write(Signal.sweep(frameCount: frames), to: folder.file(name))
        return folder.file(name)
    }

    private func started(_ path: String, clock: any HostClock = SystemClock()) -> MediaFeed {
        let feed = MediaFeed(path: path, engine: .shared, machine: SystemMachine(clock: clock))
        let changes = changes
        feed.start { changes.update { $0 += 1 } }
        return feed
    }

    private func wait(_ feed: MediaFeed, _ what: String, _ isSo: @escaping @Sendable (ItemFeedState) -> Bool)
        async throws
    {
        _ = try await changes.wait(for: what) { _ in isSo(feed.state) ? true : nil }
    }

    @Test(
        "a feed reads as far as requested, and always the first sound",
        arguments: ["a.wav", "a.flac", "cbr.mp3"])
    func bounded(name: String) async throws {
        let feed = started(try file(name))
        try await wait(feed, "the first sound") { $0.isResting && $0.hasSound }
        #expect(feed.state.loadedEnd.seconds <= 1.1 && feed.state.waitingCount == 1)
        #expect(feed.state.facts?.duration.seconds.rounded() == 10)
        feed.read(until: CMTime(value: 4, timescale: 1))
        try await wait(feed, "four seconds") { $0.isResting && $0.loadedEnd.seconds >= 4 }
        #expect(feed.state.loadedEnd.seconds < 5.2 && !feed.state.isAtEnd)
        feed.read(until: CMTime(value: 60, timescale: 1))
        try await wait(feed, "the end") { $0.isAtEnd }
        feed.close()
    }

    @Test("the first buffer after a seek begins exactly at the target", arguments: ["a.flac", "cbr.mp3"])
    func seek(name: String) async throws {
        let feed = started(try file(name))
        try await wait(feed, "the first sound") { $0.hasSound }
        let place = CMTime(value: 123_457, timescale: 44_100)
        feed.seek(to: place)
        try await wait(feed, "the place") { $0.seekCount == 1 && $0.loadedEnd > place }
        #expect(feed.state.loadedStart == place)
        #expect(feed.take()?.outputPresentationTimeStamp == place)
        feed.close()
    }

    @Test("a seek beyond an estimated duration finds sound")
    func guessedLength() async throws {
        var signal = Signal.sweep(frameCount: 44_100)
        signal.appendSilence(frameCount: 30 * 44_100)
        try MediaFile.kind("aac.aac").write(signal, to: folder.file("guess.aac"))
        let feed = started(folder.file("guess.aac"))
        try await wait(feed, "the first sound") { $0.hasSound }
        // The first second has ten times the bit rate of the silence, so the estimate is too short.
        let facts = try #require(feed.state.facts)
        #expect(facts.duration.seconds < 20 && facts.isDurationGuessed)
        let place = CMTime(value: 25, timescale: 1)
        feed.seek(to: place)
        try await wait(feed, "the place") { $0.seekCount == 1 && $0.waitingCount > 0 }
        #expect(feed.take()?.outputPresentationTimeStamp == place)
        feed.close()
    }

    @Test("a playlist plays the first entry that opens; a playlist without one reports why")
    func lists() async throws {
        _ = try file("a.wav")
        let list = try folder.write(Array("#EXTM3U\nmissing.wav\na.wav\n".utf8), to: "list.m3u")
        let feed = started(list)
        try await wait(feed, "the first sound") { $0.hasSound }
        #expect(feed.state.list?.entries.map(\.location) == ["missing.wav", "a.wav"].map(folder.file))
        #expect(feed.state.list?.failures.count == 1)
        feed.close()
        let empty = started(try folder.write(Array("#EXTM3U\nmissing.wav\n".utf8), to: "bad.m3u"))
        try await wait(empty, "the failure") { $0.error != nil }
        #expect(empty.state.error.map { "\($0)".contains("missing.wav") } == true)
    }

    @Test("sound from a stalled server is usable to the quarter second; the fill rate counts its opening")
    func stalledServer() async throws {
        let (clock, gate) = (MovableClock(), ScriptedServer.Gate())
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: try file("a.wav"))))
        // Six of the file's ten seconds.
        let six = bytes.count * 6 / 10
        let server = try ScriptedServer { request in
            if request.number == 0 { clock.advance(by: .seconds(2)) }
            return .answer("200 OK", ["Content-Length: \(bytes.count)"]) + [
                .send([UInt8](bytes[..<six])), .wait(gate), .send([UInt8](bytes[six...])),
            ]
        }
        let feed = started(server.address("a.wav"), clock: clock)
        feed.read(until: CMTime(value: 60, timescale: 1))
        try await wait(feed, "what came") { $0.loadedEnd.seconds >= 5.5 }
        #expect(feed.state.loadedEnd.seconds <= 6)
        let rate = try #require(feed.state.fillRate)
        #expect(rate <= 3)
        gate.open()
        try await wait(feed, "the end") { $0.isAtEnd }
        #expect(feed.state.loadedEnd.seconds == 10)
        feed.close()
    }

    @Test("a file that cannot be read reports an error, without facts or sound")
    func missing() async throws {
        let feed = started(folder.file("none.wav"))
        try await wait(feed, "the failure") { $0.error != nil }
        #expect(feed.state.facts == nil && feed.take() == nil)
    }
}
