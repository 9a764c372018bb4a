import Foundation
import Synchronization
import Testing
import TuttiCodecs
import TuttiTestMedia

@testable import AVFoundation

/// Wraps the deprecated getters, without the compiler's warnings about them.
private protocol WaitingGetters {
    var duration: CMTime { get }
    var tracks: [AVAssetTrack] { get }
    var commonMetadata: [AVMetadataItem] { get }
    var isPlayable: Bool { get }
    func tracks(withMediaType: AVMediaType) -> [AVAssetTrack]
    func track(withTrackID: CMPersistentTrackID) -> AVAssetTrack?
}

extension AVAsset: WaitingGetters {}

@Suite("Assets")
struct AVAssetTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func url(_ name: String, frameCount: Int = 50_000) throws -> URL {
        var file = MediaFile.kind(name)
        file.tags = [("title", "Übung")]
        try file.write(Signal.sweep(frameCount: frameCount), to: folder.file(name))
        return URL(fileURLWithPath: folder.file(name))
    }

    @Test("AVAsset(url:) makes an AVURLAsset")
    func maker() throws {
        let url = try url("a.wav")
        let asset = AVAsset(url: url)
        #expect(type(of: asset) == AVURLAsset.self)
        #expect((asset as? AVURLAsset)?.url == url)
        #expect(asset.copy() as? AVAsset === asset)
        #expect(AVURLAsset(url: url).url == url)
    }

    @Test("values load singly and eight at a time", arguments: ["a.wav", "aac.m4a", "cbr.mp3", "a.flac"])
    func values(name: String) async throws {
        let asset = AVURLAsset(url: try url(name))
        #expect(try await asset.load(.duration) == CMTime(value: 50_000, timescale: 44_100))
        let (duration, tracks, metadata, isPlayable, isReadable, rate, volume, isProtected) =
            try await asset.load(
                .duration, .tracks, .commonMetadata, .isPlayable, .isReadable, .preferredRate,
                .preferredVolume, .hasProtectedContent)
        #expect(duration.seconds == 50_000.0 / 44_100)
        #expect(tracks.map(\.mediaType) == [.audio])
        let title = metadata.first { $0.identifier == .commonIdentifierTitle }
        #expect(title?.stringValue == "Übung")
        #expect(isPlayable && isReadable && !isProtected)
        #expect(rate == 1 && volume == 1)
    }

    @Test("tracks keep their identity between loads and know their asset")
    func tracks() async throws {
        let asset = AVURLAsset(url: try url("aac.m4a"))
        let first = try #require(try await asset.load(.tracks).first)
        #expect(try await asset.loadTracks(withMediaType: .audio).first === first)
        #expect(try await asset.loadTracks(withMediaType: .video).isEmpty)
        #expect(try await asset.loadTracks(withMediaCharacteristic: .audible).first === first)
        #expect(try await asset.loadTrack(withTrackID: first.trackID) === first)
        #expect(try await asset.loadTrack(withTrackID: 99) == nil)
        #expect(first.asset === asset)
        let handed: AVAssetTrack? = await withCheckedContinuation { continuation in
            asset.loadTracks(withMediaType: .audio) { tracks, error in
                continuation.resume(returning: error == nil ? tracks?.first : nil)
            }
        }
        #expect(handed === first)
    }

    @Test("a track reports its format, times and rate")
    func track() async throws {
        let asset = AVURLAsset(url: try url("aac.m4a"))
        let track = try #require(try await asset.load(.tracks).first)
        let (formats, range, scale, rate) = try await track.load(
            .formatDescriptions, .timeRange, .naturalTimeScale, .estimatedDataRate)
        #expect(formats.map(\.mediaSubType.rawValue) == [kAudioFormatMPEG4AAC])
        #expect(formats.first?.audioStreamBasicDescription?.mSampleRate == 44_100)
        #expect(formats.first?.magicCookie?.isEmpty == false)
        #expect(range == CMTimeRange(start: .zero, duration: CMTime(value: 50_000, timescale: 44_100)))
        #expect(scale == 44_100)
        #expect((10_000...400_000).contains(rate))
        let (isEnabled, language, segments) = try await track.load(.isEnabled, .languageCode, .segments)
        #expect(isEnabled)
        #expect(language == nil)
        #expect(segments.map(\.timeMapping.target) == [range])
        #expect(segments.first?.timeMapping.source.start == CMTime(value: 1024, timescale: 44_100))
    }

    // MARK: Errors

    static let bad: [(String, [UInt8]?, AVError.Code)] = [
        ("missing.m4a", nil, .contentIsUnavailable), ("empty.mp3", [], .fileFormatNotRecognized),
        ("letter.m4a", Array("This is a letter, not a song.\n".utf8), .fileFormatNotRecognized),
    ]

    @Test("an asset that cannot be opened fails for good and names the cause", arguments: bad)
    func failure(name: String, bytes: [UInt8]?, code: AVError.Code) async throws {
        if let bytes { _ = try folder.write(bytes, to: name) }
        let asset = AVURLAsset(url: URL(fileURLWithPath: folder.file(name)))
        guard case .notYetLoaded = asset.status(of: .duration) else {
            Issue.record("asked for too early")
            return
        }
        let error = await #expect(throws: AVError.self) { try await asset.load(.duration) }
        #expect(error?.code == code)
        #expect(error?.localizedDescription.contains(name) == true)
        // A file that appears later changes nothing.
        _ = try url("a.wav")
        try FileManager.default.moveItem(atPath: folder.file("a.wav"), toPath: folder.file("late-" + name))
        let again = await #expect(throws: AVError.self) { try await asset.load(.tracks) }
        #expect(again == error)
        guard case .failed(let object) = asset.status(of: .duration) else {
            Issue.record("no failure")
            return
        }
        #expect(object.domain == AVFoundationErrorDomain)
        #expect(object.code == code.rawValue)
        var old: NSError?
        #expect(asset.statusOfValue(forKey: "duration", error: &old) == .failed)
        #expect(old?.code == code.rawValue)
    }

    @Test("unsupported addresses are refused")
    func scheme() async throws {
        let asset = AVURLAsset(url: try #require(URL(string: "ftp://example.org/a.mp3")))
        let error = await #expect(throws: AVError.self) { try await asset.load(.duration) }
        #expect(error?.code == .contentIsUnavailable)
    }

    // MARK: The older calls

    @Test("synchronous getters block until the value is loaded")
    func getters() throws {
        let asset: any WaitingGetters = AVURLAsset(url: try url("a.flac"))
        #expect(asset.duration == CMTime(value: 50_000, timescale: 44_100))
        #expect(asset.tracks.count == 1)
        #expect(asset.tracks(withMediaType: .audio).count == 1)
        #expect(asset.track(withTrackID: 1) != nil)
        #expect(asset.isPlayable)
        #expect(asset.commonMetadata.first { $0.commonKey == .commonKeyTitle }?.stringValue == "Übung")
        let missing: any WaitingGetters = AVURLAsset(url: URL(fileURLWithPath: folder.file("none.wav")))
        #expect(missing.duration == .zero)
        #expect(missing.tracks.isEmpty)
        #expect(!missing.isPlayable)
    }

    @Test("values are found by key name")
    func keys() async throws {
        let asset = AVURLAsset(url: try url("a.flac"))
        #expect(asset.statusOfValue(forKey: "duration", error: nil) == .unknown)
        await asset.loadValuesAsynchronously(forKeys: ["duration", "tracks"])
        #expect(asset.statusOfValue(forKey: "duration", error: nil) == .loaded)
        #expect(asset.statusOfValue(forKey: "tracks", error: nil) == .loaded)
        guard case .loaded(let duration) = asset.status(of: .duration) else {
            Issue.record("not loaded")
            return
        }
        #expect(duration.value == 50_000)
    }

    // MARK: Length

    @Test("a length missing in the file is estimated, or measured on request")
    func precise() async throws {
        let url = try url("aac.aac", frameCount: 200_000)
        let rough = AVURLAsset(url: url)
        #expect(try await rough.load(.providesPreciseDurationAndTiming) == false)
        let exact = AVURLAsset(url: url, options: [AVURLAssetPreferPreciseDurationAndTimingKey: true])
        #expect(try await exact.load(.providesPreciseDurationAndTiming))
        let whole = try DecodedRun(path: folder.file("aac.aac")).buffer.frameCount
        #expect(try await exact.load(.duration) == CMTime(value: Int64(whole), timescale: 44_100))
    }

    static let types: [(String, Bool)] = [
        ("audio/mpeg", true), ("AUDIO/MP4", true), ("audio/mp4; codecs=\"mp4a.40.2\"", true),
        ("audio/mp4; codecs=\"mp4a.40.2, alac\"", true), ("audio/mp4; codecs=\"dts+\"", false),
        ("audio/mp4;codecs=mp4a.40.5;x=y", true), ("audio/flac", true), ("text/html", false), ("", false),
        ("audio/ogg; codecs=vorbis", true),
    ]

    @Test("playable types are recognized", arguments: types)
    func playable(name: String, isPlayable: Bool) {
        #expect(AVURLAsset.isPlayableExtendedMIMEType(name) == isPlayable)
    }

    @Test("the list of supported types is complete")
    func lists() {
        #expect(AVURLAsset.audiovisualTypes().contains(.m4a))
        #expect(AVURLAsset.audiovisualMIMETypes().contains("audio/mpeg"))
    }
}
