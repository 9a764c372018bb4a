import AVFoundation
import Foundation
import Testing
import TuttiTestMedia

@Suite("Tracks of pictures")
struct FilmTracksTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func track(_ film: FilmFile, _ name: String = "a.mp4") async throws -> AVAssetTrack {
        try film.write(to: folder.file(name))
        return try await track(path: folder.file(name))
    }

    private func track(path: String) async throws -> AVAssetTrack {
        let asset = AVURLAsset(url: URL(fileURLWithPath: path))
        return try #require(try await asset.loadTracks(withMediaType: .video).first)
    }

    private static func short(_ change: (inout FilmFile) -> Void = { _ in }) -> FilmFile {
        var film = FilmFile.h264(isOpen: false)
        film.pictureCount = 10
        change(&film)
        return film
    }

    @Test("a track knows size, rate, order and format")
    func properties() async throws {
        let track = try await track(path: try FilmFile.path("open.mp4"))
        let (size, transform, rate) = try await track.load(
            .naturalSize, .preferredTransform, .nominalFrameRate)
        #expect(size == CGSize(width: 160, height: 96))
        #expect(transform == .identity)
        #expect(rate == 25)
        let (duration, isReordered, isPlayable) = try await track.load(
            .minFrameDuration, .requiresFrameReordering, .isPlayable)
        #expect(duration == CMTime(value: 1, timescale: 25))
        #expect(isReordered && isPlayable)
        #expect(try await track.load(.isDecodable))
        let formats = try await track.load(.formatDescriptions)
        #expect(formats.map(\.mediaSubType) == [.h264])
        #expect(track.hasMediaCharacteristic(.visual) && track.hasMediaCharacteristic(.frameBased))
        #expect(!track.hasMediaCharacteristic(.audible) && !track.hasMediaCharacteristic(.containsHDRVideo))
    }

    @Test(
        "pictures in the order of their times are not reordered",
        arguments: ["plain.avi", "vp9.webm", "mjpeg.mov"])
    func order(name: String) async throws {
        #expect(try await !track(path: try FilmFile.path(name)).load(.requiresFrameReordering))
    }

    @Test(
        "rates are exact fractions",
        arguments: [(24_000, 1001), (30_000, 1001), (60, 1), (15, 1)] as [(Int32, Int32)])
    func rates(numerator: Int32, denominator: Int32) async throws {
        let track = try await track(Self.short { $0.rate = (numerator, denominator) })
        let (rate, duration) = try await track.load(.nominalFrameRate, .minFrameDuration)
        #expect(abs(rate - Float(numerator) / Float(denominator)) < 0.001)
        #expect(duration == CMTime(value: Int64(denominator), timescale: numerator))
    }

    @Test("the natural size has square pixels, before the turn")
    func naturalSize() async throws {
        let track = try await track(
            Self.short {
                $0.aspect = (4, 3)
                $0.displayMatrix = FilmFile.rotation(0, 1, -1, 0)
            })
        let (size, transform) = try await track.load(.naturalSize, .preferredTransform)
        #expect(abs(size.width - 160.0 * 4 / 3) < 0.001 && size.height == 96)
        let shown = CGRect(origin: .zero, size: size).applying(transform)
        #expect(abs(shown.width - 96) < 0.001 && abs(shown.height - size.width) < 0.001)
        #expect(abs(shown.minX) < 0.001 && abs(shown.minY) < 0.001)
    }

    static let turns: [([Int32], CGAffineTransform)] = [
        (FilmFile.rotation(1, 0, 0, 1), .identity),
        (FilmFile.rotation(-1, 0, 0, 1), CGAffineTransform(-1, 0, 0, 1, 160, 0)),
        (FilmFile.rotation(-1, 0, 0, -1), CGAffineTransform(-1, 0, 0, -1, 160, 96)),
        (FilmFile.rotation(1, 0, 0, -1), CGAffineTransform(1, 0, 0, -1, 0, 96)),
        (FilmFile.rotation(0, 1, 1, 0), CGAffineTransform(0, 1, 1, 0, 0, 0)),
        (FilmFile.rotation(0, 1, -1, 0), CGAffineTransform(0, 1, -1, 0, 96, 0)),
        (FilmFile.rotation(0, -1, -1, 0), CGAffineTransform(0, -1, -1, 0, 96, 160)),
        (FilmFile.rotation(0, -1, 1, 0), CGAffineTransform(0, -1, 1, 0, 0, 160)),
    ]

    @Test("each of the eight turns puts the picture at the origin", arguments: turns.indices)
    func transforms(index: Int) async throws {
        let (matrix, expected) = Self.turns[index]
        let track = try await track(Self.short { $0.displayMatrix = matrix })
        let transform = try await track.load(.preferredTransform)
        #expect(transform == expected)
        let shown = CGRect(x: 0, y: 0, width: 160, height: 96).applying(transform)
        #expect(shown.origin == .zero)
    }

    @Test("the time range is that of the asset's time", arguments: FilmFile.kinds.map(\.name))
    func timeRange(name: String) async throws {
        let asset = AVURLAsset(url: URL(fileURLWithPath: try FilmFile.path(name)))
        let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
        let range = try await track.load(.timeRange)
        #expect(range.start >= .zero && range.start.seconds < 0.15)
        #expect(abs(range.duration.seconds - 2.4) < 0.16)
        let duration = try await asset.load(.duration)
        #expect(range.end.seconds <= duration.seconds + 0.15)
        #expect(try await track.load(.naturalTimeScale) >= 25)
    }

    @Test("a film without sound begins at zero", arguments: ["open.mp4", "hevc.ts", "mpeg2.ts", "mpeg1.mpg"])
    func silentStart(name: String) async throws {
        let track = try await track(path: try FilmFile.path(name))
        #expect(try await track.load(.timeRange).start == .zero)
    }

    @Test(
        "a high dynamic range is a characteristic",
        arguments: [(16, true), (18, true), (1, false)] as [(UInt32, Bool)])
    func dynamicRange(transfer: UInt32, isHigh: Bool) async throws {
        let track = try await track(
            Self.short {
                $0.color = FilmFile.Color(
                    matrix: isHigh ? 9 : 1, primaries: isHigh ? 9 : 1, transfer: transfer, isFullRange: false)
            })
        #expect(track.hasMediaCharacteristic(.containsHDRVideo) == isHigh)
        #expect(track.hasMediaCharacteristic(.usesWideGamutColorSpace) == isHigh)
        let format = try #require(try await track.load(.formatDescriptions).first)
        let matrix = format.extensions[.yCbCrMatrix]?.rawValue as? NSString
        #expect(
            matrix == (isHigh ? kCVImageBufferYCbCrMatrix_ITU_R_2020 : kCVImageBufferYCbCrMatrix_ITU_R_709_2))
    }

    @Test("tracks of sound have no size")
    func sound() async throws {
        let asset = AVURLAsset(url: URL(fileURLWithPath: try FilmFile.path("closed.mp4")))
        let track = try #require(try await asset.loadTracks(withMediaType: .audio).first)
        let (size, transform, rate) = try await track.load(
            .naturalSize, .preferredTransform, .nominalFrameRate)
        #expect(size == .zero && transform == .identity && rate == 0)
        let (duration, isReordered) = try await track.load(.minFrameDuration, .requiresFrameReordering)
        #expect(!duration.isValid && !isReordered)
    }

    static let types: [(String, Bool)] = [
        ("video/mp4; codecs=\"avc1.64001f, mp4a.40.2\"", true),
        ("video/mp4; codecs=\"hvc1.1.6.L93.B0\"", true),
        ("video/mp4; codecs=\"mp4v.20.9\"", true), ("video/mp4; codecs=\"xyz1\"", false),
        ("video/webm; codecs=\"vp9, opus\"", true), ("video/webm; codecs=\"avc1\"", false),
        ("video/x-matroska", true),
        ("video/mp2t", true), ("video/x-unknown", false),
    ]

    @Test("types of films are recognized", arguments: types)
    func playableTypes(name: String, isPlayable: Bool) {
        #expect(AVURLAsset.isPlayableExtendedMIMEType(name) == isPlayable)
    }
}
