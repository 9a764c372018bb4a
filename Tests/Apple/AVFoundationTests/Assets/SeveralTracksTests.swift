import AVFoundation
import Testing
import TuttiCodecs
import TuttiPCM
import TuttiTestMedia

@Suite("Files with several audio tracks")
struct SeveralTracksTests {
    private let folder: TestFolder
    private let asset: AVURLAsset

    init() throws {
        folder = try TestFolder()
        try MediaFile.kind("alac.m4a").write(Signal.sweep(frameCount: 60_000), to: folder.file("1.m4a"))
        try MediaFile.kind("alac.m4a").write(
            Signal.sweep(frameCount: 50_000, from: 300_000), to: folder.file("2.m4a"))
        try JoinedFile.write(
            [(folder.file("1.m4a"), "eng"), (folder.file("2.m4a"), "deu")], to: folder.file("both.m4a"))
        asset = AVURLAsset(url: URL(fileURLWithPath: folder.file("both.m4a")))
    }

    @Test("each track reports its number, language and length")
    func values() async throws {
        let tracks = try await asset.loadTracks(withMediaType: .audio)
        #expect(tracks.map(\.trackID) == [1, 2])
        var languages: [String?] = []
        var tags: [String?] = []
        var lengths: [Int64] = []
        for track in tracks {
            let (language, tag, range) = try await track.load(.languageCode, .extendedLanguageTag, .timeRange)
            languages.append(language)
            tags.append(tag)
            lengths.append(range.duration.convertScale(44_100, method: .default).value)
        }
        #expect(languages == ["eng", "deu"])
        #expect(tags == ["en", "de"])
        #expect(lengths == [60_000, 50_000])
        #expect(try await asset.load(.duration) == CMTime(value: 60_000, timescale: 44_100))
        #expect(try await asset.loadTrack(withTrackID: 2) === tracks.last)
    }

    @Test("each track is read separately, stored and decoded", arguments: [false, true])
    func reading(isDecoded: Bool) async throws {
        let settings: [String: Any] = [AVFormatIDKey: kAudioFormatLinearPCM]
        for (track, name) in zip(try await asset.load(.tracks), ["1.m4a", "2.m4a"]) {
            let heard = try SampleReading(asset, track, settings: isDecoded ? settings : nil).heard()
            #expect(heard.buffer == (try DecodedRun(path: folder.file(name)).buffer), "\(name)")
        }
    }

    @Test("each track has its own priming and padding")
    func trims() async throws {
        for (index, count) in [70_001, 50_000].enumerated() {
            try MediaFile.kind("aac.m4a").write(
                Signal.sweep(frameCount: count, from: index * 100_000), to: folder.file("aac\(index).m4a"))
        }
        try JoinedFile.write(
            [(folder.file("aac0.m4a"), "eng"), (folder.file("aac1.m4a"), "deu")], to: folder.file("aac.m4a"))
        let asset = AVURLAsset(url: URL(fileURLWithPath: folder.file("aac.m4a")))
        for (index, track) in try await asset.load(.tracks).enumerated() {
            let heard = try SampleReading(asset, track).heard()
            #expect(heard.start == .zero)
            // A file with several tracks stores its lengths in milliseconds.
            let sound = try #require(heard.buffer)
            #expect(abs(sound.frameCount - [70_001, 50_000][index]) <= 45)
            let whole = try DecodedRun(path: folder.file("aac\(index).m4a")).buffer
            let common = 0..<min(sound.frameCount, whole.frameCount)
            #expect(sound[common] == whole[common], "\(index)")
        }
    }
}
