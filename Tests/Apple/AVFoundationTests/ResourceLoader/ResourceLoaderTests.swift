import Testing
import TuttiPCM
import TuttiTestMedia
import TuttiTestSupport

@testable import AVFoundation
@testable import Playback

@Suite("Bytes provided by a program", .timeLimit(.minutes(10)), .tags(.machine))
struct ResourceLoaderTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func bytes(_ name: String, frames: Int = 100_000) throws -> [UInt8] {
        try MediaFile.kind(name).write(Signal.noiseFloat(frameCount: frames), to: folder.file(name))
        return try TestFolder.bytes(of: folder.file(name))
    }

    private func asset(_ delegate: ProvidingDelegate) throws -> AVURLAsset {
        let asset = AVURLAsset(url: try #require(URL(string: "vault://songs/1")))
        asset.resourceLoader.setDelegate(delegate, queue: delegate.queue)
        return asset
    }

    @Test(
        "provided bytes read like a file, with ranges and without",
        arguments: ["a.flac", "aac.m4a", "cbr.mp3"],
        [ProvidingDelegate.Way.ranges, .whole, .silentAboutFacts])
    func read(name: String, way: ProvidingDelegate.Way) async throws {
        // Without a length the index at the end of a stream cannot be read.
        if name == "aac.m4a", way == .silentAboutFacts { return }
        let delegate = ProvidingDelegate(way, bytes: try bytes(name))
        let asset = try asset(delegate)
        let track = try #require(try await asset.load(.tracks).first)
        let heard = try SampleReading(asset, track).heard()
        let whole = try DecodedRun(path: folder.file(name)).buffer
        let sound = try #require(heard.buffer)
        #expect(sound.frameCount >= 100_000 && sound[0..<100_000] == whole[0..<100_000])
        let questions = delegate.questions.value
        #expect(questions.first?.wantsFacts == true && questions.first?.length == 2)
        if way == .ranges { #expect(questions.allSatisfy { $0.length <= 1 << 20 }) }
    }

    @Test("provided bytes play, and a seek requests its own range")
    func plays() async throws {
        let delegate = ProvidingDelegate(.ranges, bytes: try bytes("a.flac", frames: 44_100 * 60))
        let item = AVPlayerItem(asset: try asset(delegate))
        let player = AVPlayer(queue: RenderQueue(route: SilentRoute()))
        player.replaceCurrentItem(with: item)
        let sought = await player.seek(to: CMTime(value: 50, timescale: 1))
        #expect(sought && item.duration.seconds == 60)
        let furthest = delegate.questions.value.map(\.offset).max() ?? 0
        #expect(furthest > Int64(delegate.bytes.count) / 2)
        player.replaceCurrentItem(with: nil)
    }

    @Test("a redirect to the web is followed")
    func redirect() async throws {
        let server = try LoopbackServer(.gives(try bytes("a.flac")))
        let delegate = ProvidingDelegate(.redirects(try server.url("a.flac")), bytes: [])
        let asset = try asset(delegate)
        #expect(try await asset.load(.duration) == CMTime(value: 100_000, timescale: 44_100))
        #expect(!server.requests.value.isEmpty)
    }

    @Test("a circular redirect is an error")
    func circle() async throws {
        let url = try #require(URL(string: "vault://songs/1"))
        let delegate = ProvidingDelegate(.redirects(url), bytes: [])
        let error = await #expect(throws: AVError.self) { try await asset(delegate).load(.duration) }
        #expect(delegate.questions.value.count == 9)
        #expect(error?.code == .serverIncorrectlyConfigured)
    }

    @Test(
        "a delegate that refuses, fails or lies causes an error with its cause",
        arguments: [
            (.refuses, NSURLErrorDomain, NSURLErrorUnsupportedURL), (.fails, "Vault", 7),
            (.promisesNegative, NSURLErrorDomain, NSURLErrorBadServerResponse),
        ] as [(ProvidingDelegate.Way, String, Int)])
    func failures(way: ProvidingDelegate.Way, domain: String, code: Int) async throws {
        let delegate = ProvidingDelegate(way, bytes: try bytes("a.flac"))
        let error = await #expect(throws: AVError.self) { try await asset(delegate).load(.duration) }
        #expect(error?.code == .contentIsUnavailable)
        let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(cause?.domain == domain && cause?.code == code)
    }

    @Test("a length beyond the provided bytes is an error at the end, not a trap")
    func tooLong() async throws {
        let delegate = ProvidingDelegate(.promisesTooMuch, bytes: try bytes("a.wav"))
        let asset = try asset(delegate)
        let track = try #require(try await asset.load(.tracks).first)
        let reading = try SampleReading(asset, track)
        _ = reading.buffers()
        #expect(reading.reader.status == .failed)
    }

    @Test("a delegate that never answers is cancelled, and the asset fails")
    func silence() async throws {
        let delegate = ProvidingDelegate(.neverAnswers, bytes: [])
        let asset = try asset(delegate)
        asset.resourceLoader.timeLimit = .milliseconds(1)
        let error = await #expect(throws: AVError.self) { try await asset.load(.duration) }
        #expect((error?.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == NSURLErrorTimedOut)
        _ = try await delegate.cancelled.wait(for: "didCancel") { $0 == 1 ? true : nil }
    }

    @Test("a player whose delegate never answers stops at once")
    func stop() async throws {
        let delegate = ProvidingDelegate(.neverAnswers, bytes: [])
        let player = AVPlayer(queue: RenderQueue(route: SilentRoute()))
        player.replaceCurrentItem(with: AVPlayerItem(asset: try asset(delegate)))
        player.play()
        _ = try await delegate.questions.wait(for: "the question") { $0.isEmpty ? nil : true }
        player.replaceCurrentItem(with: nil)
        _ = try await delegate.cancelled.wait(for: "didCancel") { $0 == 1 ? true : nil }
    }

    @Test("an address without a provider reports so")
    func nobody() async throws {
        let item = AVPlayerItem(url: try #require(URL(string: "vault://songs/1")))
        let player = AVPlayer(queue: RenderQueue(route: SilentRoute()))
        let failed = Recorder(false)
        let token = item.observe(\.status) { item, _ in failed.update { $0 = item.status == .failed } }
        player.replaceCurrentItem(with: item)
        _ = try await failed.wait(for: "the failure") { $0 ? true : nil }
        token.invalidate()
        #expect((item.error as? AVError)?.localizedDescription.contains("set a delegate") == true)
    }
}
