import Foundation
import Playback
import Synchronization
import Testing
import TuttiMediaTime
import TuttiTestSupport

@testable import MediaPlayer

/// A surface that records its snapshots.
private final class Display: NowPlayingSurface {
    let shown = Recorder<[NowPlayingSnapshot]>([])

    func show(_ snapshot: NowPlayingSnapshot) { shown.update { $0.append(snapshot) } }
    func enable(_ commands: RemoteCommandSet) {}

    /// The snapshots after the initial one.
    func snapshots(_ count: Int) async throws -> [NowPlayingSnapshot] {
        try await shown.wait(for: "\(count) snapshots") { $0.count > count ? Array($0.dropFirst()) : nil }
    }
}

@Suite("Now playing", .timeLimit(.minutes(10)))
struct MPNowPlayingInfoCenterTests {
    let stage = CommandStage()
    private let display = Display()

    init() { stage.hub.attach(display) }

    static let picture =
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13])
        + Data("IHDR".utf8) + Data([0, 0, 3, 0, 0, 0, 4, 0, 8, 2, 0, 0, 0])

    private static func image() throws -> UIImage { try #require(UIImage(data: picture)) }

    @Test("an image without a picture is no artwork")
    func emptyImage() async throws {
        let artwork = MPMediaItemArtwork(boundsSize: UIImage().size) { _ in UIImage() }
        stage.info.nowPlayingInfo = [MPMediaItemPropertyTitle: "A", MPMediaItemPropertyArtwork: artwork]
        let snapshot = try #require(try await display.snapshots(1).last)
        #expect(snapshot.title == "A" && snapshot.artwork == nil)
        #expect(UIImage().size == .zero && UIImage().pngData() == nil && UIImage(named: "none") == nil)
    }

    @Test("MediaPlayer exports AVFoundation's names")
    func names() { #expect(AVPlayer.Status.unknown.rawValue == 0 && CMTime.zero.isNumeric) }

    @Test("every displayed key accepts any type of number")
    func keys() async throws {
        let url = try #require(URL(string: "file:///a.flac"))
        stage.info.nowPlayingInfo = [
            MPMediaItemPropertyTitle: "Title", MPMediaItemPropertyArtist: "Artist",
            MPMediaItemPropertyAlbumTitle: "Album", MPMediaItemPropertyAlbumArtist: "Album artist",
            MPMediaItemPropertyGenre: "Genre", MPMediaItemPropertyComposer: "Composer",
            MPMediaItemPropertyAlbumTrackNumber: 3, MPMediaItemPropertyAlbumTrackCount: UInt8(12),
            MPMediaItemPropertyDiscNumber: NSNumber(value: 1), MPMediaItemPropertyDiscCount: 2.0,
            MPMediaItemPropertyPlaybackDuration: NSNumber(value: 200.5),
            MPMediaItemPropertyPersistentID: MPMediaEntityPersistentID.max,
            MPNowPlayingInfoPropertyElapsedPlaybackTime: Float(10),
            MPNowPlayingInfoPropertyPlaybackRate: Float(2),
            MPNowPlayingInfoPropertyDefaultPlaybackRate: CGFloat(1.5),
            MPNowPlayingInfoPropertyPlaybackQueueIndex: 4, MPNowPlayingInfoPropertyPlaybackQueueCount: 9,
            MPNowPlayingInfoPropertyChapterNumber: 1, MPNowPlayingInfoPropertyChapterCount: 5,
            MPNowPlayingInfoPropertyIsLiveStream: false,
            MPNowPlayingInfoPropertyMediaType: MPNowPlayingInfoMediaType.audio.rawValue,
            MPNowPlayingInfoPropertyAssetURL: url,
            MPNowPlayingInfoPropertyExternalContentIdentifier: "content",
            MPNowPlayingInfoCollectionIdentifier: "list",
        ]
        let snapshot = try #require(try await display.snapshots(1).last)
        var expected = NowPlayingSnapshot(at: stage.clock.now)
        (expected.title, expected.artist, expected.album) = ("Title", "Artist", "Album")
        (expected.albumArtist, expected.genre, expected.composer) = ("Album artist", "Genre", "Composer")
        (expected.trackNumber, expected.trackCount, expected.discNumber, expected.discCount) = (3, 12, 1, 2)
        (expected.duration, expected.persistentID, expected.elapsed) = (200.5, .max, 10)
        (expected.rate, expected.defaultRate, expected.queueIndex, expected.queueCount) = (2, 1.5, 4, 9)
        (expected.chapterNumber, expected.chapterCount, expected.mediaKind) = (1, 5, .audio)
        (expected.assetURL, expected.contentIdentifier, expected.collectionIdentifier) = (
            url, "content", "list"
        )
        #expect(snapshot == expected)
    }

    @Test("invalid values are ignored")
    func nonsense() async throws {
        stage.info.nowPlayingInfo = [
            MPMediaItemPropertyTitle: 7, MPMediaItemPropertyArtist: "", MPMediaItemPropertyArtwork: "picture",
            MPMediaItemPropertyPlaybackDuration: -3.0, MPMediaItemPropertyAlbumTrackNumber: -1,
            MPMediaItemPropertyDiscNumber: Double.nan, MPMediaItemPropertyPersistentID: "id",
            MPNowPlayingInfoPropertyElapsedPlaybackTime: Double.infinity,
            MPNowPlayingInfoPropertyPlaybackRate: "fast", MPNowPlayingInfoPropertyPlaybackQueueCount: 1e300,
            MPNowPlayingInfoPropertyAssetURL: "not a URL", "own key": self,
        ]
        let snapshot = try #require(try await display.snapshots(1).last)
        #expect(snapshot == NowPlayingSnapshot(at: stage.clock.now))
    }

    @Test("the elapsed time advances from the moment it is set; the playback state stops and resumes it")
    func elapsed() async throws {
        let (info, clock) = (stage.info, stage.clock)
        info.nowPlayingInfo = [MPNowPlayingInfoPropertyElapsedPlaybackTime: 10.0]
        clock.advance(by: .seconds(5))
        info.playbackState = .paused
        clock.advance(by: .seconds(100))
        info.playbackState = .paused
        info.playbackState = .playing
        clock.advance(by: .seconds(2))
        let snapshots = try await display.snapshots(3)
        #expect(snapshots.map { $0.elapsed(at: clock.now) } == [117, 15, 17])
        #expect(snapshots.map(\.state) == [.unknown, .paused, .playing])
        // A new dictionary sets the elapsed time from now on.
        info.nowPlayingInfo = [MPNowPlayingInfoPropertyElapsedPlaybackTime: -5]
        clock.advance(by: .seconds(1))
        let last = try #require(try await display.snapshots(4).last)
        #expect(last.elapsed(at: clock.now) == 1 && last.state == .playing)
    }

    @Test("the info reads back at once, and nil clears it")
    func reading() async throws {
        let info = stage.info
        #expect(info.nowPlayingInfo == nil && info.playbackState == .unknown)
        info.nowPlayingInfo = [MPMediaItemPropertyTitle: "A"]
        #expect(info.nowPlayingInfo?[MPMediaItemPropertyTitle] as? String == "A")
        info.nowPlayingInfo?[MPMediaItemPropertyArtist] = "B"
        #expect(info.nowPlayingInfo?.count == 2)
        info.nowPlayingInfo = nil
        #expect(info.nowPlayingInfo == nil)
        let snapshots = try await display.snapshots(3)
        #expect(snapshots.map(\.isEmpty) == [false, false, true])
        #expect(stage.hub.snapshot.isEmpty)
    }

    @Test("artwork is requested once, no larger than displays, off the caller's thread")
    func artwork() async throws {
        let asked = Recorder<[CGSize]>([])
        let image = try Self.image()
        let artwork = MPMediaItemArtwork(boundsSize: CGSize(width: 3000, height: 1500)) { size in
            dispatchPrecondition(condition: .notOnQueue(.main))
            asked.update { $0.append(size) }
            return image
        }
        #expect(artwork.bounds == CGRect(x: 0, y: 0, width: 3000, height: 1500))
        stage.info.nowPlayingInfo = [MPMediaItemPropertyArtwork: artwork]
        stage.info.nowPlayingInfo?[MPMediaItemPropertyTitle] = "A"
        let snapshots = try await display.snapshots(2)
        #expect(snapshots.allSatisfy { $0.artwork == [UInt8](Self.picture) })
        #expect(asked.value == [CGSize(width: 600, height: 300)])
        stage.info.nowPlayingInfo = [
            MPMediaItemPropertyArtwork: MPMediaItemArtwork(boundsSize: .zero) { size in
                asked.update { $0.append(size) }
                return image
            }
        ]
        _ = try await display.snapshots(3)
        #expect(asked.value.last == CGSize(width: 600, height: 600))
        #expect(artwork.image(at: CGSize(width: 1, height: 1)) === image)
    }

    @Test("slow artwork blocks nobody, and only the last of many requests waits for it")
    func slowArtwork() async throws {
        let (gate, isAsked) = (DispatchSemaphore(value: 0), Recorder(false))
        let image = try Self.image()
        stage.info.nowPlayingInfo = [
            MPMediaItemPropertyArtwork: MPMediaItemArtwork(boundsSize: image.size) { _ in
                isAsked.update { $0 = true }
                gate.wait()
                return image
            }
        ]
        _ = try await isAsked.wait(for: "the picture") { $0 ? 1 : nil }
        for number in 0..<1000 { stage.info.nowPlayingInfo = [MPMediaItemPropertyTitle: "\(number)"] }
        gate.signal()
        let all = try await display.shown.wait(for: "the last") { $0.last?.title == "999" ? $0 : nil }
        #expect(all.count <= 2 + 32)
    }

    @Test("concurrent use is safe")
    func threads() async throws {
        let info = stage.info
        DispatchQueue.concurrentPerform(iterations: 64) { number in
            info.nowPlayingInfo = [MPMediaItemPropertyTitle: "\(number)"]
            info.playbackState = number.isMultiple(of: 2) ? .playing : .paused
            _ = info.nowPlayingInfo
        }
        info.nowPlayingInfo = [MPMediaItemPropertyTitle: "end"]
        let last = try await display.shown.wait(for: "the end") { $0.last?.title == "end" ? $0.last : nil }
        #expect(last.state == info.playbackState.state)
    }

    @Test("the enumerations have Apple's raw values")
    func raw() {
        #expect(MPNowPlayingPlaybackState.interrupted.rawValue == 4)
        #expect(MPNowPlayingInfoMediaType.video.rawValue == 2)
        #expect(MPRemoteCommandHandlerStatus.noActionableNowPlayingItem.rawValue == 110)
        #expect(MPRemoteCommandHandlerStatus(rawValue: 200) == .commandFailed)
        #expect(MPMediaItemPropertyTitle == "title" && MPMediaItemPropertyAlbumTitle == "albumTitle")
        #expect(MPMediaType.anyAudio.contains(.podcast) && !MPMediaType.anyAudio.contains(.movie))
    }
}
