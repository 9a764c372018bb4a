import Foundation
import Playback
import Testing
import TuttiTestMedia

@testable import AVFoundation

// Everything that programs may override compiles here.

private final class MirroredAsset: AVURLAsset, @unchecked Sendable {
    override var url: URL { super.url.appendingPathComponent("mirror") }
}

private final class CountedReader: AVAssetReader, @unchecked Sendable {
    override var asset: AVAsset { super.asset }
}

private final class PlainOutput: AVAssetReaderTrackOutput, @unchecked Sendable {
    override var track: AVAssetTrack { super.track }
    override var outputSettings: [String: Any]? { super.outputSettings ?? [:] }
}

private final class QuietRoute: AVAudioSessionRouteDescription, @unchecked Sendable {
    override var inputs: [AVAudioSessionPortDescription] { [] }
    override var outputs: [AVAudioSessionPortDescription] { [] }
}

private final class RenamedFile: AVAudioFile, @unchecked Sendable {
    override var url: URL { URL(fileURLWithPath: "/renamed") }
}

private final class SmallBuffer: AVAudioPCMBuffer, @unchecked Sendable {
    override var frameCapacity: AVAudioFrameCount { min(super.frameCapacity, 4) }
}

private final class LoudItem: AVMetadataItem, @unchecked Sendable {
    override var key: (any NSCopying & NSObjectProtocol)? { "loud" as NSString }
    override var value: (any NSCopying & NSObjectProtocol)? { "LOUD" as NSString }
}

private final class NamedPlayer: AVPlayer, @unchecked Sendable {
    let name: String

    nonisolated init(name: String) {
        self.name = name
        super.init()
    }

    override var rate: Float {
        get { super.rate }
        set { super.rate = min(newValue, 1.5) }
    }

    override func seek(to time: CMTime) { super.seek(to: .zero) }
}

private final class Shelf: AVQueuePlayer, @unchecked Sendable {
    override init() { super.init() }

    override func items() -> [AVPlayerItem] { super.items().reversed() }
}

@Suite("Overridden members are the ones called")
struct OverridingTests {
    @Test("overrides of assets and readers are called")
    func assets() async throws {
        let folder = try TestFolder()
        try MediaFile.kind("a.wav").write(Signal.sweep(frameCount: 1000), to: folder.file("a.wav"))
        let asset: AVURLAsset = MirroredAsset(url: URL(fileURLWithPath: folder.file("a.wav")))
        #expect(asset.url.lastPathComponent == "mirror")
        let track = try #require(try await asset.load(.tracks).first)
        let output: AVAssetReaderTrackOutput = PlainOutput(track: track, outputSettings: nil)
        #expect(output.outputSettings?.isEmpty == true && output.track === track)
        let reader: AVAssetReader = try CountedReader(asset: asset)
        #expect(reader.asset === asset)
        let file: AVAudioFile = try RenamedFile(forReading: URL(fileURLWithPath: folder.file("a.wav")))
        #expect(file.url.path == "/renamed" && file.length == 1000)
    }

    @Test("overrides of players are called")
    func players() {
        let named = NamedPlayer(name: "kitchen")
        let player: AVPlayer = named
        player.rate = 2
        #expect(player.rate == 1.5 && named.name == "kitchen")
        let items = (0..<2).map { AVPlayerItem(url: URL(fileURLWithPath: "/none-\($0).wav")) }
        let shelf: AVQueuePlayer = Shelf()
        shelf.actionAtItemEnd = .none
        for item in items { shelf.insert(item, after: nil) }
        #expect(shelf.items() == items.reversed())
        player.pause()
    }

    @Test("overrides of routes, buffers and metadata are called")
    func values() throws {
        let option = RouteOption(id: "local", name: "Here", kind: .local, isSelected: true)
        let route: AVAudioSessionRouteDescription = QuietRoute([option])
        #expect(route.outputs.isEmpty && AVAudioSessionRouteDescription([option]).outputs.count == 1)
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        let buffer: AVAudioPCMBuffer? = SmallBuffer(pcmFormat: format, frameCapacity: 10)
        #expect(buffer?.frameCapacity == 4)
        let item: AVMetadataItem = LoudItem()
        #expect(item.value as? String == "LOUD" && item.key as? String == "loud")
    }
}
