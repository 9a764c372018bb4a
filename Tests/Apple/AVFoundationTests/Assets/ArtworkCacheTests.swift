import Foundation
import Testing
import TuttiTestMedia
import TuttiTestSupport

@testable import AVFoundation
@testable import Playback

@Suite("Artwork cache of opened assets", .timeLimit(.minutes(10)))
struct ArtworkCacheTests {
    let folder: TestFolder
    static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]

    init() throws { folder = try TestFolder() }

    private func asset(_ name: String = "a.wav") throws -> AVURLAsset {
        try MediaFile.kind(name).write(Signal.sweep(frameCount: 44_100), to: folder.file(name))
        return AVURLAsset(url: URL(fileURLWithPath: folder.file(name)))
    }

    /// A player that has opened an item.
    private func opened(_ item: AVPlayerItem) async throws -> AVPlayer {
        let player = AVPlayer(queue: RenderQueue(route: SilentRoute()))
        let isReady = Recorder(false)
        let token = item.observe(\.status, options: [.initial]) { item, _ in
            if item.status != .unknown { isReady.update { $0 = true } }
        }
        player.replaceCurrentItem(with: item)
        _ = try await isReady.wait(for: "the item") { $0 ? true : nil }
        token.invalidate()
        return player
    }

    private func picture(of item: AVPlayerItem) -> [UInt8]? { item.core.state.facts?.info?.artwork?.bytes }

    @Test("artwork is read once, however many items an asset has")
    func once() async throws {
        _ = try folder.write(Self.jpeg, to: "cover.jpg")
        let asset = try asset()
        let first = AVPlayerItem(asset: asset)
        let copy = try #require(first.copy() as? AVPlayerItem)
        var players = [try await opened(first)]
        #expect(picture(of: first) == Self.jpeg)
        for item in [copy, AVPlayerItem(asset: asset)] {
            players.append(try await opened(item))
            #expect(picture(of: item) == nil && item.tracks.count == 1)
        }
        let shown = try await asset.load(.commonMetadata).first { $0.commonKey == .commonKeyArtwork }
        #expect(try await shown?.load(.dataValue) == Data(Self.jpeg))
        withExtendedLifetime(players) {}
    }

    @Test("the newest and the requested artwork stays cached; evicted artwork is read again")
    func bounded() async throws {
        _ = try folder.write(Self.jpeg, to: "cover.jpg")
        let pictures = ArtworkCache(byteLimit: 20_000)
        let assets = try ["a.wav", "a.flac", "aac.m4a"].map { try asset($0) }
        for asset in assets {
            #expect(asset.loading.provide(try asset.source.contents(interrupt: .init())))
            pictures.add(9000, of: asset)
        }
        #expect(assets.map { $0.loading.known != nil } == [false, true, true])
        _ = try await assets[1].load(.duration)
        for asset in assets { pictures.add(9000, of: asset) }
        #expect(assets.map { $0.loading.known != nil } == [false, true, false])
        #expect(try await assets[0].load(.duration).seconds == 1)
    }
}
