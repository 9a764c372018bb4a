import Foundation
import Testing
import TuttiTestMedia
import TuttiTestSupport

@testable import AVFoundation
@testable import Playback

@Suite("Players and their items", .timeLimit(.minutes(10)))
struct AVPlayerTests {
    let folder: TestFolder
    let notes = Recorder<[String]>([])

    init() throws { folder = try TestFolder() }

    private func player() -> AVPlayer { AVPlayer(queue: RenderQueue(route: SilentRoute())) }
    private func queuePlayer() -> AVQueuePlayer { AVQueuePlayer(queue: RenderQueue(route: SilentRoute())) }

    private func item(_ name: String = "a.wav", frames: Int = 44_100) throws -> AVPlayerItem {
        let file = MediaFile.kind(name)
        try file.write(Signal.sweep(frameCount: frames), to: folder.file(name))
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
    }

    @Test("starting reports the rate, then the playback state, then the reason for waiting")
    func order() {
        let player = player()
        let notes = notes
        let tokens = [
            player.observe(\.rate) { player, _ in notes.update { $0.append("rate \(player.rate)") } },
            player.observe(\.timeControlStatus) { player, _ in
                notes.update { $0.append("status \(player.timeControlStatus)") }
            },
            player.observe(\.reasonForWaitingToPlay, options: [.old]) { player, change in
                #expect(change.oldValue == .some(nil))
                notes.update { $0.append(player.reasonForWaitingToPlay?.rawValue ?? "-") }
            },
        ]
        player.play()
        #expect(
            notes.value == [
                "rate 1.0", "status waitingToPlayAtSpecifiedRate", "AVPlayerWaitingWithNoItemToPlayReason",
            ])
        for token in tokens { token.invalidate() }
        player.pause()
        #expect(
            player.rate == 0 && player.timeControlStatus == .paused && player.reasonForWaitingToPlay == nil)
    }

    @Test(
        "rates that cannot be played are clamped",
        arguments: [(-1, 0), (.nan, 0), (100, 32), (2, 2)] as [(Float, Float)])
    func rates(asked: Float, played: Float) {
        let player = player()
        player.rate = asked
        #expect(player.rate == played)
    }

    @Test("defaults match Apple's")
    func defaults() throws {
        let (player, item) = (player(), try item())
        #expect(player.actionAtItemEnd == .pause && queuePlayer().actionAtItemEnd == .advance)
        #expect(player.automaticallyWaitsToMinimizeStalling && player.defaultRate == 1 && player.volume == 1)
        #expect(player.currentTime() == .zero && player.currentItem == nil && player.status == .unknown)
        #expect(item.status == .unknown && item.duration == .indefinite && item.isPlaybackBufferEmpty)
        #expect(!item.isPlaybackLikelyToKeepUp && !item.isPlaybackBufferFull && item.loadedTimeRanges.isEmpty)
        #expect(!item.forwardPlaybackEndTime.isValid && item.accessLog() == nil && item.errorLog() == nil)
    }

    @Test("a file is ready when its length is known, and is loaded completely")
    func file() async throws {
        let (player, item) = (player(), try item())
        player.replaceCurrentItem(with: item)
        try await ready(item)
        #expect(item.duration == CMTime(value: 44_100, timescale: 44_100))
        #expect(player.currentItem === item && item.tracks.count == 1)
        #expect(item.seekableTimeRanges.first?.timeRangeValue.duration.seconds == 1)
        let timebase = try #require(item.timebase)
        let jumps = Recorder<[Double]>([])
        let token = NotificationCenter.default.addObserver(
            forName: CMTimebase.timeJumped, object: timebase, queue: nil
        ) { _ in jumps.update { $0.append(CMTimebaseGetTime(timebase).seconds) } }
        #expect(await player.seek(to: CMTime(value: 1, timescale: 2)))
        #expect(player.currentTime().seconds == 0.5 && item.currentTime().seconds == 0.5)
        // Another thread may be telling an older change just then, and tells this one after it.
        _ = try await jumps.wait(for: "the jump of the item's clock") { $0.last == 0.5 ? true : nil }
        NotificationCenter.default.removeObserver(token)
    }

    @Test("an item without audio fails with the cause, and a queue skips it")
    func failure() async throws {
        let player = queuePlayer()
        let bad = AVPlayerItem(url: URL(fileURLWithPath: try folder.write([1, 2, 3], to: "bad.wav")))
        let good = try item()
        player.insert(bad, after: nil)
        player.insert(good, after: nil)
        try await ready(bad)
        #expect(bad.status == .failed && (bad.error as? AVError)?.code == .fileFormatNotRecognized)
        try await ready(good)
        #expect(player.currentItem === good && player.items().count == 1)
    }

    @Test("a queue plays in order and refuses an item of another player")
    func queue() throws {
        let player = queuePlayer()
        let (a, b, c) = (try item(), try item(), try item())
        player.insert(a, after: nil)
        player.insert(b, after: nil)
        player.insert(c, after: a)
        #expect(player.items() == [a, c, b] && player.currentItem === a)
        #expect(!player.canInsert(a, after: nil) && !queuePlayer().canInsert(b, after: nil))
        player.advanceToNextItem()
        #expect(player.items() == [c, b])
        player.replaceCurrentItem(with: a)
        #expect(player.items() == [a, b] && player.canInsert(c, after: b))
        player.removeAllItems()
        #expect(player.items().isEmpty && player.currentItem == nil)
    }

    @Test("an item lives as long as its player holds it")
    func lifetime() throws {
        let player = queuePlayer()
        weak var gone: AVPlayerItem?
        do {
            let item = try item()
            gone = item
            player.insert(item, after: nil)
        }
        #expect(player.currentItem != nil && player.currentItem === gone)
        player.removeAllItems()
        player.core.settle()
        #expect(gone == nil)
    }

    @Test("a seek before playback sets where the item starts")
    func place() async throws {
        let item = try item()
        #expect(await item.seek(to: CMTime(value: 1, timescale: 4)))
        #expect(item.currentTime().seconds == 0.25)
        let player = player()
        player.replaceCurrentItem(with: item)
        try await ready(item)
        player.core.settle()
        #expect(player.currentTime().seconds == 0.25)
    }

    @Test("a looper keeps copies in the queue, counts loops, and ends")
    func looper() throws {
        let player = queuePlayer()
        let looper = AVPlayerLooper(player: player, templateItem: try item())
        #expect(player.items().count == 3 && looper.loopingPlayerItems == player.items())
        let first = player.currentItem
        player.advanceToNextItem()
        #expect(player.items().count == 3 && looper.loopCount == 1 && player.currentItem !== first)
        looper.disableLooping()
        #expect(player.items().count == 1 && looper.status == .cancelled)
    }

    @Test("a looper of an unplayable item fails, and inserts no more copies")
    func brokenLooper() async throws {
        let player = queuePlayer()
        let bad = AVPlayerItem(url: URL(fileURLWithPath: try folder.write([1, 2, 3], to: "bad.wav")))
        let looper = AVPlayerLooper(player: player, templateItem: bad)
        let failed = Recorder(false)
        let token = looper.observe(\.status, options: [.initial]) { looper, _ in
            failed.update { $0 = looper.status == .failed }
        }
        _ = try await failed.wait(for: "the looper") { $0 ? true : nil }
        token.invalidate()
        #expect((looper.error as? AVError)?.code == .fileFormatNotRecognized && looper.loopCount == 0)
        player.core.settle()
        #expect(player.items().count <= 1)
    }

    @Test("items that only the queue retains still post their end")
    func endOfHeldItems() async throws {
        let player = queuePlayer()
        let count = Recorder(0)
        let token = NotificationCenter.default.addObserver(
            forName: .AVPlayerItemDidPlayToEndTime, object: nil, queue: nil
        ) { note in
            if (note.object as? AVPlayerItem)?.preferredPeakBitRate == 4711 { count.update { $0 += 1 } }
        }
        for name in ["a.wav", "a.flac"] {
            let item = try item(name, frames: 4410)
            item.preferredPeakBitRate = 4711
            player.insert(item, after: nil)
        }
        player.play()
        _ = try await count.wait(for: "both ends") { $0 == 2 ? true : nil }
        NotificationCenter.default.removeObserver(token)
    }

    @Test("a copied item keeps its settings and belongs to no player")
    func copies() throws {
        let (player, item) = (player(), try item())
        item.forwardPlaybackEndTime = CMTime(value: 1, timescale: 2)
        item.preferredForwardBufferDuration = 7
        item.audioTimePitchAlgorithm = .varispeed
        player.replaceCurrentItem(with: item)
        let copy = try #require(item.copy() as? AVPlayerItem)
        #expect(copy.forwardPlaybackEndTime == item.forwardPlaybackEndTime)
        #expect(copy.preferredForwardBufferDuration == 7 && copy.audioTimePitchAlgorithm == .varispeed)
        #expect(queuePlayer().canInsert(copy, after: nil))
    }

    @Test("an item's track is the asset's; the asset is not opened again")
    func track() async throws {
        let (player, item) = (player(), try item())
        player.replaceCurrentItem(with: item)
        try await ready(item)
        let track = try #require(item.tracks.first)
        #expect(item.tracks.first === track && track.isEnabled && track.currentVideoFrameRate == 0)
        #expect(track.assetTrack?.mediaType == .audio)
        let asset = await item.asset
        guard case .loaded(let duration) = asset.status(of: .duration) else {
            return #expect(Bool(false), "the length is not known")
        }
        #expect(duration == CMTime(value: 44_100, timescale: 44_100))
        track.isEnabled = false
        #expect(!track.isEnabled)
    }
}
