import Foundation
import Testing
import TuttiTestMedia
import TuttiTestSupport

@testable import AVFoundation
@testable import Playback

@Suite("A layer's settings and texts on its sink", .timeLimit(.minutes(5)))
struct LayerSinkTests {
    let folder: TestFolder
    let sink = PictureRecorder()

    init() throws { folder = try TestFolder() }

    private func makePlayer() -> AVPlayer { AVPlayer(queue: RenderQueue(route: SilentRoute())) }

    /// A film of two pictures, each of which is still for four seconds.
    private func makeStillFilm() throws -> AVPlayerItem {
        var film = FilmFile("png")
        film.pixelFormat = "rgb24"
        (film.rate, film.pictureCount) = ((1, 4), 2)
        film.soundCodec = "pcm_s16le"
        try film.write(to: folder.file("film.mov"))
        return AVPlayerItem(url: URL(fileURLWithPath: folder.file("film.mov")))
    }

    @Test("a gravity reaches the sink only if the program sets it, and also a sink that comes later")
    func gravity() async throws {
        let layer = AVPlayerLayer()
        layer.tuttiFrameSink = sink
        _ = try await sink.awake.wait(for: "the first settings") { $0.isEmpty ? nil : true }
        #expect(sink.gravities.value.isEmpty && layer.videoGravity == .resizeAspect)
        layer.videoGravity = .resizeAspectFill
        _ = try await sink.gravities.wait(for: "the gravity") { $0 == [.resizeAspectFill] ? true : nil }
        #expect(layer.videoGravity == .resizeAspectFill)
        let other = PictureRecorder()
        layer.tuttiFrameSink = other
        _ = try await other.gravities.wait(for: "the gravity, too") { $0 == [.resizeAspectFill] ? true : nil }
        layer.videoGravity = .resizeAspect
        _ = try await other.gravities.wait(for: "the first gravity") { $0.last == .resizeAspect ? true : nil }
        #expect(sink.gravities.value == [.resizeAspectFill])
    }

    @Test("a display layer's gravity reaches its sink, and so does the need for an awake display")
    func displayLayer() async throws {
        let layer = AVSampleBufferDisplayLayer()
        let timebase = CMTimebase(sourceClock: .hostTimeClock)
        layer.controlTimebase = timebase
        layer.videoGravity = .resize
        layer.tuttiFrameSink = sink
        _ = try await sink.gravities.wait(for: "the gravity") { $0 == [.resize] ? true : nil }
        _ = try await sink.awake.wait(for: "standing time") { $0 == [false] ? true : nil }
        try timebase.setRate(1)
        _ = try await sink.awake.wait(for: "running time") { $0 == [false, true] ? true : nil }
        layer.preventsDisplaySleepDuringVideoPlayback = false
        _ = try await sink.awake.wait(for: "the wish") { $0 == [false, true, false] ? true : nil }
        #expect(layer.videoGravity == .resize && !layer.preventsDisplaySleepDuringVideoPlayback)
    }

    @Test("the display stays awake while pictures play and the program wants it")
    func displaySleep() async throws {
        let (player, item) = (makePlayer(), try makeStillFilm())
        let layer = AVPlayerLayer(player: player)
        layer.tuttiFrameSink = sink
        player.replaceCurrentItem(with: item)
        try await sink.wait(for: 0)
        #expect(sink.awake.value == [false])
        player.rate = 0.25
        _ = try await sink.awake.wait(for: "playback") { $0 == [false, true] ? true : nil }
        player.preventsDisplaySleepDuringVideoPlayback = false
        _ = try await sink.awake.wait(for: "the wish") { $0 == [false, true, false] ? true : nil }
        player.preventsDisplaySleepDuringVideoPlayback = true
        _ = try await sink.awake.wait(for: "the other wish") { $0.count == 4 ? true : nil }
        player.pause()
        let all = try await sink.awake.wait(for: "the pause") { $0.count == 5 ? $0 : nil }
        #expect(all == [false, true, false, true, false])
    }

    @Test("texts change during a still picture, and after the film's last picture")
    func stillPicture() async throws {
        let (player, item) = (makePlayer(), try makeStillFilm())
        let path = folder.file("film.srt")
        // Each begins during the last picture.
        let texts = [
            "1\n00:00:04,000 --> 00:00:04,300\nfirst\n", "2\n00:00:04,500 --> 00:00:07,800\nsecond\n",
        ]
        try texts.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let layer = AVPlayerLayer(player: player)
        layer.tuttiFrameSink = sink
        player.replaceCurrentItem(with: item)
        try await sink.wait(for: 0)
        try item.tuttiShowSubtitles(ofFile: path)
        #expect(await player.seek(to: CMTime(value: 41, timescale: 10)))
        try await sink.wait(for: 1)
        _ = try await sink.texts.wait(for: "the first text") { $0.last == ["first"] ? true : nil }
        player.play()
        _ = try await sink.texts.wait(for: "the second text") { $0.last == ["second"] ? true : nil }
        #expect(sink.seen.value.last?.number == 1)
    }
}
