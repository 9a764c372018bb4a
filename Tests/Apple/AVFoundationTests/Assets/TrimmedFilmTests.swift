import Foundation
import Testing
import TuttiTestMedia

@testable import AVFoundation

@Suite("Films that edit lists trim")
struct TrimmedFilmTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// A film of 60 pictures, 25 a second, of which a part is presented.
    private func film(sound: Bool, from start: Int, to end: Int) throws -> AVURLAsset {
        var film = FilmFile.h264(isOpen: false)
        if sound { film.soundCodec = "aac" }
        let path = folder.file("a.mp4")
        try film.write(to: path)
        try FilmFile.trim(path, from: start, to: end)
        return AVURLAsset(url: URL(fileURLWithPath: path))
    }

    private static func time(_ pictures: Double) -> CMTime {
        CMTime(seconds: pictures / 25, preferredTimescale: 90_000)
    }

    private func isHidden(_ buffer: CMSampleBuffer) -> Bool {
        let sample = CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: false)?.firstObject
        let flag = (sample as? NSDictionary)?.object(forKey: kCMSampleAttachmentKey_DoNotDisplay)
        return (flag as? NSNumber)?.boolValue ?? false
    }

    /// Whether there is sound; the part in milliseconds; its pictures.
    static let parts: [(sound: Bool, start: Int, end: Int, pictures: Range<Int>)] = [
        (false, 800, 1600, 20..<40), (true, 800, 1600, 20..<40), (false, 0, 1600, 0..<40),
        (true, 0, 1600, 0..<40),
    ]

    @Test(
        "the asset and its track of pictures are as long as the part",
        .enabled(if: FilmFile.tellsTrimmedEnd, "FFmpeg does not tell the end"), arguments: parts)
    func length(sound: Bool, start: Int, end: Int, pictures: Range<Int>) async throws {
        let asset = try film(sound: sound, from: start, to: end)
        let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
        #expect(try await asset.load(.duration) == Self.time(Double(pictures.count)))
        let range = try await track.load(.timeRange)
        #expect(range == CMTimeRange(start: .zero, end: Self.time(Double(pictures.count))))
    }

    @Test(
        "a reader delivers the pictures of the part alone",
        .enabled(if: FilmFile.tellsTrimmedEnd, "FFmpeg does not tell the end"), arguments: parts)
    func reading(sound: Bool, start: Int, end: Int, pictures: Range<Int>) async throws {
        let asset = try film(sound: sound, from: start, to: end)
        let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
        let format = NSNumber(value: kCVPixelFormatType_32BGRA)
        let decoded = try SampleReading(
            asset, track, settings: [kCVPixelBufferPixelFormatTypeKey as String: format]
        ).buffers()
        #expect(try decoded.map { try #require($0.imageBuffer).number } == pictures.map { $0 })
        #expect(decoded.first?.presentationTimeStamp == .zero)
        let stored = try SampleReading(asset, track).buffers()
        #expect(stored.filter { !isHidden($0) }.count == pictures.count)
    }

    @Test(
        "images are those of the part, also with tolerance",
        .enabled(if: FilmFile.tellsTrimmedEnd, "FFmpeg does not tell the end"), arguments: [false, true])
    func images(sound: Bool) async throws {
        let loose = AVAssetImageGenerator(asset: try film(sound: sound, from: 800, to: 1600))
        let exact = AVAssetImageGenerator(asset: loose.asset)
        (exact.requestedTimeToleranceBefore, exact.requestedTimeToleranceAfter) = (.zero, .zero)
        // Key pictures are every twelve.
        for (index, found) in [(0, 20), (2, 20), (5, 24), (19, 36)] {
            let (image, time) = try await loose.image(at: Self.time(Double(index)))
            #expect(image.number == found)
            #expect(time == Self.time(Double(found - 20)))
        }
        for index in [0, 7, 19] {
            let (image, time) = try await exact.image(at: Self.time(Double(index)))
            #expect(image.number == index + 20)
            #expect(time == Self.time(Double(index)))
        }
        // The film's own length is a time that programs ask for.
        #expect(try await exact.image(at: Self.time(20)).image.number == 39)
    }
}
