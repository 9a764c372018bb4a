import AVFoundation
import Foundation
import Synchronization
import Testing
import TuttiTestMedia
import TuttiTestSupport

@Suite("Remote assets", .tags(.machine))
struct RemoteAssetTests {
    private static func bytes(_ name: String) throws -> [UInt8] {
        let folder = try TestFolder()
        try MediaFile.kind(name).write(Signal.sweep(frameCount: 100_000), to: folder.file(name))
        return try TestFolder.bytes(of: folder.file(name))
    }

    @Test("a remote asset opens and reads like a file", arguments: ["a.flac", "aac.m4a", "cbr.mp3"])
    func read(name: String) async throws {
        let server = try LoopbackServer(.gives(try Self.bytes(name)))
        let asset = AVURLAsset(
            url: try server.url(name),
            options: [
                AVURLAssetHTTPUserAgentKey: "Conformance/1",
                AVURLAssetPreferPreciseDurationAndTimingKey: name == "cbr.mp3",
            ])
        let (duration, tracks) = try await asset.load(.duration, .tracks)
        #expect(duration == CMTime(value: 100_000, timescale: 44_100))
        let heard = try SampleReading(asset, try #require(tracks.first)).heard()
        #expect(heard.buffer?.frameCount == 100_000)
        #expect(server.requests.value.allSatisfy { $0.contains("User-Agent: Conformance/1") })
    }

    @Test("a server's refusal is reported")
    func refused() async throws {
        let server = try LoopbackServer(.refuses)
        let asset = AVURLAsset(url: try server.url("song.mp3"))
        let error = await #expect(throws: AVError.self) { try await asset.load(.duration) }
        #expect(error?.code == .serverIncorrectlyConfigured)
    }

    @Test("an open that hangs can be cancelled")
    func hanging() async throws {
        // The server cancels the load itself, so that a busy machine cannot time out first.
        let opened = Mutex<(asset: AVURLAsset?, wasLoading: Bool)>((nil, false))
        let server = try LoopbackServer(.keepsSilent) {
            guard let asset = opened.withLock({ $0.asset }) else { return }
            if case .loading = asset.status(of: .duration) { opened.withLock { $0.wasLoading = true } }
            asset.cancelLoading()
        }
        let asset = AVURLAsset(url: try server.url("song.mp3"))
        opened.withLock { $0.asset = asset }
        let error = await #expect(throws: AVError.self) { try await asset.load(.duration) }
        #expect(error?.code == .operationCancelled)
        #expect(opened.withLock { $0.wasLoading })
        #expect(asset.statusOfValue(forKey: "duration", error: nil) == .cancelled)
    }
}
