import Foundation
import Testing
import TuttiTestMedia
import TuttiTestSupport

@testable import AVFoundation
@testable import Playback

@Suite("Tutti's extensions of players and items", .timeLimit(.minutes(10)))
struct TuttiExtensionTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func player() -> AVQueuePlayer { AVQueuePlayer(queue: RenderQueue(route: SilentRoute())) }

    private func item(_ name: String = "a.wav", frames: Int = 44_100) throws -> AVPlayerItem {
        try MediaFile.kind(name).write(Signal.sweep(frameCount: frames), to: folder.file(name))
        return AVPlayerItem(tuttiLocation: folder.file(name))
    }

    private func isDecided(_ item: AVPlayerItem) async throws {
        let decided = Recorder(false)
        let token = item.observe(\.status, options: [.initial]) { item, _ in
            if item.status != .unknown { decided.update { $0 = true } }
        }
        defer { token.invalidate() }
        _ = try await decided.wait(for: "the item's status") { $0 ? true : nil }
    }

    // MARK: Sources

    @Test("the properties of a source are known when the item is ready, under the location as typed")
    func media() async throws {
        let (player, item) = (player(), try item())
        #expect(item.tuttiMedia == nil && item.tuttiPlaylist == nil)
        player.insert(item, after: nil)
        try await isDecided(item)
        let media = try #require(item.tuttiMedia)
        #expect(media.location == folder.file("a.wav"))
        #expect(media.codec == "PCM 16 bit" && media.bitDepth == 16)
        #expect(media.sampleRate == 44_100 && media.channelCount == 2 && media.duration == 1)
        #expect(!media.isLive && media.isSeekable && !media.isRemote && media.artwork == nil)
        #expect(media.withoutArtwork == media)
    }

    @Test("a missing file fails with its name")
    func location() async throws {
        let (player, item) = (player(), AVPlayerItem(tuttiLocation: "no-such-folder/a.wav"))
        player.insert(item, after: nil)
        try await isDecided(item)
        #expect(item.status == .failed && item.tuttiMedia == nil)
        #expect(item.error?.localizedDescription == "a.wav does not exist")
    }

    @Test("a playlist is read with its titles; a sound gives no playlist, and a missing file is an error")
    func playlist() throws {
        let text = "#EXTM3U\n#EXTINF:1,A song\na.mp3\nhttp://radio.example/live\n"
        let path = try folder.write(Array(text.utf8), to: "list.m3u")
        let list = try #require(try TuttiPlaylist.read(path))
        #expect(
            list.entries == [
                TuttiPlaylist.Entry(location: folder.file("a.mp3"), title: "A song"),
                TuttiPlaylist.Entry(location: "http://radio.example/live"),
            ])
        #expect(list.failures.isEmpty && TuttiPlaylist.isPlaylist(path))
        #expect(!TuttiPlaylist.isPlaylist("a.wav"))
        #expect(try TuttiPlaylist.read(try folder.write([1, 2, 3], to: "a.wav")) == nil)
        #expect(throws: AVError.self) { try TuttiPlaylist.read(folder.file("missing.m3u")) }
    }

    @Test("the properties of a file are read without a player; a cover beside the file only if wanted")
    func reading() throws {
        var file = MediaFile.kind("a.flac")
        file.tags = [("title", "T"), ("artist", "A"), ("album_artist", "B"), ("track", "3/9"), ("disc", "2")]
        try file.write(Signal.sweep(frameCount: 22_050), to: folder.file("a.flac"))
        let cover: [UInt8] = [0xFF, 0xD8, 0xFF, 1]
        _ = try folder.write(cover, to: "cover.jpg")
        let media = try TuttiMedia.read(folder.file("a.flac"))
        #expect(media.title == "T" && media.artist == "A" && media.albumArtist == "B")
        #expect(media.trackNumber == 3 && media.discNumber == 2 && media.duration == 0.5)
        #expect(media.location == folder.file("a.flac") && !media.isRemote && media.artwork == cover)
        #expect(try TuttiMedia.read(folder.file("a.flac"), searchesFolder: false).artwork == nil)
    }

    @Test("reading the properties of a missing file, a folder or junk is an error that names it")
    func unreadable() throws {
        let junk = try folder.write(Array("junk".utf8), to: "junk.mp3")
        for path in [folder.file("missing.mp3"), folder.path, junk] {
            let error = #expect(throws: AVError.self) { try TuttiMedia.read(path) }
            let name = URL(fileURLWithPath: path).lastPathComponent
            #expect(error?.localizedDescription.hasPrefix(name) == true)
        }
    }

    @Test("a file that ends too early is played, with a warning for its item")
    func warning() async throws {
        try MediaFile.kind("a.flac").write(Signal.noiseFloat(frameCount: 100_000), to: folder.file("a.flac"))
        let bytes = try TestFolder.bytes(of: folder.file("a.flac"))
        let half = try folder.write(Array(bytes.prefix(bytes.count / 2)), to: "half.flac")
        let (player, item) = (player(), AVPlayerItem(tuttiLocation: half))
        let warnings = Recorder<[String]>([])
        let token = NotificationCenter.default.addObserver(
            forName: AVPlayerItem.tuttiWarningNotification, object: item, queue: nil
        ) { notification in
            let text = notification.userInfo?[AVPlayerItem.tuttiWarningKey] as? String
            warnings.update { $0.append(text ?? "") }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        player.insert(item, after: nil)
        player.play()
        let first = try await warnings.wait(for: "the warning") { $0.first }
        #expect(first.hasPrefix("the file is incomplete: it has "))
    }

    // MARK: The timeline

    @Test("the start names the item time and the host time from which sound is audible")
    func start() async throws {
        let (player, item) = (player(), try item(frames: 441_000))
        #expect(player.tuttiStart == nil && CMTimebaseGetEffectiveRate(player.tuttiTimebase) == 0)
        player.insert(item, after: nil)
        try await isDecided(item)
        #expect(await player.seek(to: CMTime(value: 3, timescale: 1)))
        let runs = Recorder(false)
        let token = NotificationCenter.default.addObserver(
            forName: CMTimebase.effectiveRateChanged, object: player.tuttiTimebase, queue: nil
        ) { [weak player] _ in
            if player?.tuttiStart != nil { runs.update { $0 = true } }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        let before = CMClockGetTime(CMClockGetHostTimeClock())
        player.play()
        _ = try await runs.wait(for: "the start") { $0 ? true : nil }
        let start = try #require(player.tuttiStart)
        #expect(abs(start.itemTime.seconds - 3) < 0.01 && start.hostTime >= before)
        player.pause()
        player.core.settle()
        #expect(player.tuttiStart == nil)
    }

    @Test("an insertion behind an item that has left the queue fails without effect")
    func insertion() throws {
        let player = player()
        let (a, b, c) = (try item(), try item(), try item())
        #expect(player.tuttiInsert(a, after: nil) && player.tuttiInsert(b, after: a))
        #expect(player.tuttiInsert(c, after: a))
        #expect(player.items() == [a, c, b])
        player.remove(b)
        // A file of its own: c may be reading the other one.
        let d = try item("d.wav")
        #expect(!player.tuttiInsert(d, after: b) && !player.tuttiInsert(a, after: nil))
        #expect(player.items() == [a, c])
        #expect(player.tuttiInsert(d, after: nil) && player.items() == [a, c, d])
    }
}
