import Foundation
import Testing
import TuttiTestMedia
import TuttiTestSupport

@testable import AVFoundation
@testable import Playback

@Suite("AVPlayerLayer and AVPlayerItemVideoOutput", .timeLimit(.minutes(5)))
struct AVPlayerLayerTests {
    let folder: TestFolder
    let sink = PictureRecorder()

    init() throws { folder = try TestFolder() }

    private func player() -> AVPlayer { AVPlayer(queue: RenderQueue(route: SilentRoute())) }

    private func item(
        _ name: String = "film.mp4", _ film: FilmFile = .h264(isOpen: true), sound: String? = "aac"
    ) throws -> AVPlayerItem {
        var film = film
        film.soundCodec = sound
        try film.write(to: folder.file(name))
        return AVPlayerItem(url: URL(fileURLWithPath: folder.file(name)))
    }

    private func ready(_ item: AVPlayerItem) async throws {
        let (notes, token) = (Recorder(false), Recorder<NSKeyValueObservation?>(nil))
        token.update {
            $0 = item.observe(\.status, options: [.initial]) { item, _ in
                if item.status != .unknown { notes.update { $0 = true } }
            }
        }
        _ = try await notes.wait(for: "the item") { $0 ? true : nil }
        token.value?.invalidate()
        #expect(item.status == .readyToPlay)
    }

    /// The time in the middle of a picture.
    private func middle(of number: Int) -> CMTime { CMTime(value: Int64(number) * 2 + 1, timescale: 50) }

    @Test(
        "A paused player's layer shows the first picture, then the picture of each seek",
        arguments: ["aac", nil])
    func seeks(sound: String?) async throws {
        let (player, item) = (player(), try item(sound: sound))
        let layer = AVPlayerLayer(player: player)
        layer.tuttiFrameSink = sink
        player.replaceCurrentItem(with: item)
        try await sink.wait(for: 0)
        #expect(layer.isReadyForDisplay)
        #expect(item.presentationSize == CGSize(width: 160, height: 96))
        for number in [31, 30, 58, 5, 23, 24, 1, 47] {
            #expect(await player.seek(to: middle(of: number)))
            try await sink.wait(for: number)
        }
        #expect(layer.copyDisplayedPixelBuffer().flatMap(PictureRecorder.number) == 47)
        #expect(layer.tuttiPictureCounts.corrupt == 0)
    }

    @Test("Pictures after the sound's end are shown, and count in the durations")
    func longerThanSound() async throws {
        var film = FilmFile.h264(isOpen: true)
        film.soundSeconds = 1
        let (player, item) = (player(), try item("long.mp4", film))
        let layer = AVPlayerLayer(player: player)
        layer.tuttiFrameSink = sink
        player.replaceCurrentItem(with: item)
        try await sink.wait(for: 0)
        #expect(await player.seek(to: middle(of: 50)))
        try await sink.wait(for: 50)
        #expect(abs(item.duration.seconds - 2.4) < 0.003)
        #expect(abs(try await item.asset.load(.duration).seconds - 2.4) < 0.003)
    }

    @Test("A sink is told once why there are no pictures")
    func failedPictures() async throws {
        let (player, item) = (player(), try item())
        player.replaceCurrentItem(with: item)
        try await ready(item)
        try FileManager.default.removeItem(atPath: folder.file("film.mp4"))
        let layer = AVPlayerLayer(player: player)
        layer.tuttiFrameSink = sink
        let notice = try await sink.notices.wait(for: "a notice") { $0.first }
        guard case .failed(let reason) = notice else {
            Issue.record("\(notice)")
            return
        }
        #expect(reason.contains("film.mp4"))
        await player.seek(to: middle(of: 20))
        #expect(sink.notices.value.count == 1 && item.status == .readyToPlay)
    }

    @Test("A sink is told once that no picture can be decoded")
    func undecodable() async throws {
        var film = FilmFile("png")
        film.pixelFormat = "rgb24"
        let (player, item) = (player(), try item("film.mov", film, sound: "pcm_s16le"))
        // Without its signature, no picture is one.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("film.mov")))
        while let mark = bytes.range(of: Data([0x89, 0x50, 0x4E, 0x47])) {
            bytes.replaceSubrange(mark, with: [0, 0, 0, 0])
        }
        try bytes.write(to: URL(fileURLWithPath: folder.file("film.mov")))
        let layer = AVPlayerLayer(player: player)
        layer.tuttiFrameSink = sink
        player.replaceCurrentItem(with: item)
        let notice = try await sink.notices.wait(for: "a notice") { $0.first }
        guard case .failed(let reason) = notice else {
            Issue.record("\(notice)")
            return
        }
        #expect(reason.contains("cannot be decoded") && layer.tuttiPictureCounts.corrupt >= 25)
        #expect(sink.notices.value.count == 1)
        // The count stays when the item goes.
        player.replaceCurrentItem(with: nil)
        #expect(layer.tuttiPictureCounts.corrupt >= 25)
    }

    @Test("An item says that its pictures are too large; others say nothing")
    func tooLarge() async throws {
        var film = FilmFile("png")
        film.pixelFormat = "rgb24"
        let (player, item) = (player(), try item("film.mov", film, sound: "pcm_s16le"))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("film.mov")))
        // The width and height in the description of the samples, each of two bytes.
        let size = try #require(bytes.range(of: Data([0, 160, 0, 96])))
        bytes.replaceSubrange(size, with: [0x2E, 0xE0, 0x2E, 0xE0])
        try bytes.write(to: URL(fileURLWithPath: folder.file("film.mov")))
        player.replaceCurrentItem(with: item)
        try await ready(item)
        guard case .failed(let reason) = try #require(item.tuttiPictureNotice) else { return }
        #expect(reason.contains("film.mov") && reason.contains("12000 × 12000"))
        let other = try self.item("sound.mp4")
        player.replaceCurrentItem(with: other)
        try await ready(other)
        #expect(other.tuttiPictureNotice == nil)
    }

    @Test(
        "Pictures of any layout reach the sink in one that screens show",
        arguments: ["png.mov", "prores.mov", "mjpeg.avi"])
    func layouts(name: String) async throws {
        let (player, item) = (player(), AVPlayerItem(url: URL(fileURLWithPath: try FilmFile.path(name))))
        let layer = AVPlayerLayer(player: player)
        layer.tuttiFrameSink = sink
        player.replaceCurrentItem(with: item)
        try await sink.wait(for: 0)
        let screens = [
            kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange,
            kCVPixelFormatType_32BGRA,
        ]
        let shown = try #require(layer.copyDisplayedPixelBuffer())
        #expect(screens.contains(CVPixelBufferGetPixelFormatType(shown)))
        layer.pixelBufferAttributes = [
            kCVPixelBufferPixelFormatTypeKey as String: Int(kCVPixelFormatType_32BGRA),
            kCVPixelBufferWidthKey as String: 80, kCVPixelBufferHeightKey as String: 48,
        ]
        let copy = try #require(layer.copyDisplayedPixelBuffer())
        #expect(CVPixelBufferGetPixelFormatType(copy) == kCVPixelFormatType_32BGRA)
        #expect(CVPixelBufferGetWidth(copy) == 80 && PictureRecorder.number(of: copy) == 0)
    }

    @Test("Playback shows the pictures in order, up to the last")
    func playing() async throws {
        let (player, item) = (player(), try item())
        let layer = AVPlayerLayer(player: player)
        layer.tuttiFrameSink = sink
        player.replaceCurrentItem(with: item)
        try await sink.wait(for: 0)
        player.rate = 2
        try await sink.wait(for: 59)
        let numbers = sink.seen.value.compactMap(\.number)
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        let counts = layer.tuttiPictureCounts
        #expect(counts.shown == numbers.count)
    }

    @Test("Steps go to the neighbouring pictures")
    func steps() async throws {
        let (player, item) = (player(), try item())
        let layer = AVPlayerLayer(player: player)
        layer.tuttiFrameSink = sink
        player.replaceCurrentItem(with: item)
        try await ready(item)
        #expect(item.canStepForward && item.canStepBackward)
        await player.seek(to: middle(of: 20))
        try await sink.wait(for: 20)
        item.step(byCount: 1)
        try await sink.wait(for: 21)
        item.step(byCount: -1)
        try await sink.wait(for: 20)
        item.step(byCount: 5)
        try await sink.wait(for: 25)
    }

    @Test("Steps back go to the picture before, whatever the rate, and whether it is decoded or not")
    func stepsBack() async throws {
        var film = FilmFile.h264(isOpen: true)
        film.rate = (24_000, 1001)
        let (player, item) = (player(), try item("film.mp4", film))
        let layer = AVPlayerLayer(player: player)
        layer.tuttiFrameSink = sink
        player.replaceCurrentItem(with: item)
        try await ready(item)
        await player.seek(to: CMTime(value: 41 * 1001, timescale: 48_000))
        try await sink.wait(for: 20)
        for number in (16...19).reversed() {
            item.step(byCount: -1)
            try await sink.wait(for: number)
        }
        item.step(byCount: -3)
        try await sink.wait(for: 13)
    }

    @Test("The last picture of a film goes when its track is disabled, or when a song follows")
    func leaving() async throws {
        let (player, item) = (player(), try item())
        let layer = AVPlayerLayer(player: player)
        layer.tuttiFrameSink = sink
        player.replaceCurrentItem(with: item)
        try await sink.wait(for: 0)
        #expect(layer.isReadyForDisplay)
        let track = try #require(item.tracks.first { $0.assetTrack?.mediaType == .video })
        // A layer without an item has removed what was there.
        let count = sink.removals.value
        track.isEnabled = false
        _ = try await sink.removals.wait(for: "the removal") { $0 == count + 1 ? true : nil }
        #expect(!layer.isReadyForDisplay && layer.copyDisplayedPixelBuffer() == nil)
        track.isEnabled = true
        _ = try await sink.seen.wait(for: "the picture again") { $0.count == 2 ? true : nil }
        #expect(layer.isReadyForDisplay)
        let path = folder.file("a.wav")
        try MediaFile.kind("a.wav").write(Signal.sweep(frameCount: 4410), to: path)
        player.replaceCurrentItem(with: AVPlayerItem(url: URL(fileURLWithPath: path)))
        _ = try await sink.removals.wait(for: "the second removal") { $0 == count + 2 ? true : nil }
        #expect(!layer.isReadyForDisplay && layer.videoRect == .zero)
    }

    @Test("A copy of an item has its subtitles and the largest size of its pictures")
    func copies() async throws {
        let item = try item()
        let path = folder.file("film.srt")
        try "1\n00:00:00,000 --> 00:00:02,000\na text\n".write(
            toFile: path, atomically: true, encoding: .utf8)
        try item.tuttiShowSubtitles(ofFile: path)
        item.preferredMaximumResolution = CGSize(width: 640, height: 360)
        let copy = try #require(item.copy() as? AVPlayerItem)
        #expect(copy.pictures.subtitles(at: .zero).cues.map(\.text) == ["a text"])
        #expect(copy.preferredMaximumResolution == item.preferredMaximumResolution)
    }

    @Test("A layer without a player, or whose track is disabled, shows nothing; enabling shows the picture")
    func disabled() async throws {
        let (player, item) = (player(), try item())
        let layer = AVPlayerLayer(player: player)
        player.replaceCurrentItem(with: item)
        try await ready(item)
        let track = try #require(item.tracks.first { $0.assetTrack?.mediaType == .video })
        #expect(item.tracks.count == 2 && track.currentVideoFrameRate == 0)
        track.isEnabled = false
        layer.tuttiFrameSink = sink
        track.isEnabled = true
        try await sink.wait(for: 0)
        #expect(sink.seen.value.count == 1 && track.currentVideoFrameRate == 25)
        player.replaceCurrentItem(with: nil)
        _ = try await sink.removals.wait(for: "the removal") { $0 > 0 ? true : nil }
        #expect(!layer.isReadyForDisplay)
    }

    @Test("An output hands out the picture of a time, in the wanted format and size, once as new")
    func output() async throws {
        let (player, item) = (player(), try item())
        let attributes: [String: any Sendable] = [
            kCVPixelBufferPixelFormatTypeKey as String: Int(kCVPixelFormatType_32BGRA),
            kCVPixelBufferWidthKey as String: 80, kCVPixelBufferHeightKey as String: 48,
        ]
        let output = AVPlayerItemVideoOutput(pixelBufferAttributes: attributes)
        let delegate = PullDelegate()
        output.setDelegate(delegate, queue: DispatchQueue(label: "pull"))
        item.add(output)
        player.replaceCurrentItem(with: item)
        output.requestNotificationOfMediaDataChange(withAdvanceInterval: 0.1)
        _ = try await delegate.changes.wait(for: "pictures") { $0 > 0 ? true : nil }
        #expect(output.hasNewPixelBuffer(forItemTime: .zero))
        var time = CMTime.invalid
        let buffer = try #require(output.copyPixelBuffer(forItemTime: .zero, itemTimeForDisplay: &time))
        #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_32BGRA)
        #expect(CVPixelBufferGetWidth(buffer) == 80 && CVPixelBufferGetHeight(buffer) == 48)
        #expect(PictureRecorder.number(of: buffer) == 0 && time == .zero)
        #expect(!output.hasNewPixelBuffer(forItemTime: .zero))
        output.requestNotificationOfMediaDataChange(withAdvanceInterval: 0.1)
        await player.seek(to: middle(of: 33))
        _ = try await delegate.changes.wait(for: "pictures after the seek") { $0 > 1 ? true : nil }
        let next = try #require(
            output.copyPixelBuffer(forItemTime: middle(of: 33), itemTimeForDisplay: &time))
        #expect(PictureRecorder.number(of: next) == 33 && time == CMTime(value: 33, timescale: 25))
        _ = try await delegate.flushes.wait(for: "the flush") { $0 > 0 ? true : nil }
    }

    @Test("An output that suppresses the player's rendering keeps layers empty")
    func suppressing() async throws {
        let (player, item) = (player(), try item())
        let (layer, output) = (AVPlayerLayer(player: player), AVPlayerItemVideoOutput())
        output.suppressesPlayerRendering = true
        item.add(output)
        layer.tuttiFrameSink = sink
        player.replaceCurrentItem(with: item)
        let delegate = PullDelegate()
        output.setDelegate(delegate, queue: DispatchQueue(label: "pull"))
        output.requestNotificationOfMediaDataChange(withAdvanceInterval: 0)
        _ = try await delegate.changes.wait(for: "pictures") { $0 > 0 ? true : nil }
        #expect(sink.seen.value.isEmpty)
        item.remove(output)
        await player.seek(to: middle(of: 3))
        try await sink.wait(for: 3)
    }

    @Test("Embedded texts and those of a file reach the sink at their times")
    func subtitles() async throws {
        var film = FilmFile.h264(isOpen: false)
        film.texts = [(0, "first"), (1, "second")]
        let (player, item) = (player(), try item("film.mkv", film))
        let layer = AVPlayerLayer(player: player)
        layer.tuttiFrameSink = sink
        player.replaceCurrentItem(with: item)
        try await sink.wait(for: 0)
        let asset = try #require(item.currentMediaSelection.asset)
        let group = try #require(try await asset.loadMediaSelectionGroup(for: .legible))
        #expect(group.allowsEmptySelection && group.defaultOption == nil && group.options.count == 1)
        item.select(group.options.first, in: group)
        await player.seek(to: CMTime(value: 1, timescale: 2))
        _ = try await sink.texts.wait(for: "the first text") { $0.last == ["first"] ? true : nil }
        await player.seek(to: CMTime(value: 3, timescale: 2))
        _ = try await sink.texts.wait(for: "the second text") { $0.last == ["second"] ? true : nil }
        item.select(nil, in: group)
        _ = try await sink.texts.wait(for: "no text") { $0.last == [] ? true : nil }
        let path = folder.file("film.de.srt")
        try "1\n00:00:01,000 --> 00:00:02,000\nein <i>Text</i>\n".write(
            toFile: path, atomically: true, encoding: .utf8)
        #expect(item.tuttiSubtitleFiles == [path])
        try item.tuttiShowSubtitles(ofFile: path)
        _ = try await sink.texts.wait(for: "the file's text") { $0.last == ["ein Text"] ? true : nil }
        #expect(throws: AVError.self) { try item.tuttiShowSubtitles(ofFile: folder.file("none.srt")) }
    }

    @Test("A sound file has no pictures, and its layer stays empty")
    func soundFile() async throws {
        let path = folder.file("a.wav")
        try MediaFile.kind("a.wav").write(Signal.sweep(frameCount: 4410), to: path)
        let (player, item) = (player(), AVPlayerItem(url: URL(fileURLWithPath: path)))
        let layer = AVPlayerLayer(player: player)
        layer.tuttiFrameSink = sink
        player.replaceCurrentItem(with: item)
        try await ready(item)
        #expect(item.presentationSize == .zero && !item.canStepForward && item.pictures.feed == nil)
        #expect(layer.videoRect == .zero && !layer.isReadyForDisplay)
    }

    @Test(
        "A gravity places a picture in the bounds",
        arguments: [
            (AVLayerVideoGravity.resizeAspect, CGRect(x: 0, y: 50, width: 200, height: 100)),
            (.resizeAspectFill, CGRect(x: -100, y: 0, width: 400, height: 200)),
            (.resize, CGRect(x: 0, y: 0, width: 200, height: 200)),
        ])
    func gravity(_ gravity: AVLayerVideoGravity, _ place: CGRect) {
        let bounds = CGRect(x: 0, y: 0, width: 200, height: 200)
        #expect(gravity.place(CGSize(width: 160, height: 80), in: bounds) == place)
        #expect(gravity.place(.zero, in: bounds) == .zero)
    }
}

/// A delegate that counts its calls.
private final class PullDelegate: NSObject, AVPlayerItemOutputPullDelegate, Sendable {
    let changes = Recorder(0)
    let flushes = Recorder(0)

    func outputMediaDataWillChange(_ sender: AVPlayerItemOutput) { changes.update { $0 += 1 } }
    func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) { flushes.update { $0 += 1 } }
}
