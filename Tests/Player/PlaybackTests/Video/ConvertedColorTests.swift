import CoreMedia
import Foundation
import Testing
import TuttiCodecs
import TuttiTestMedia

@testable import Playback

@Suite("The colours of converted pictures")
struct ConvertedColorTests {
    @Test(
        "a buffer of luma and differences from red, green and blue states its matrix", arguments: [576, 1080])
    func matrix(height: Int) throws {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        var film = FilmFile("png")
        (film.width, film.height, film.pixelFormat, film.pictureCount) = (32, height, "rgb24", 1)
        film.samples = [FilmFile.Samples(255, 0, 0)]
        try film.write(to: folder.file("a.mov"))
        let reader = try PictureReader(PictureFeed.Source(path: folder.file("a.mov"), engine: .shared))
        let picture = try #require(try reader.next())
        let buffer = try PixelBufferMaker(formats: [kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange]).make(
            picture.frame, orientation: .upright)
        #expect(CVBufferHasAttachment(buffer, kCVImageBufferYCbCrMatrixKey))
        let isHigh = height > 576
        #expect(VideoColor.Matrix.attached(to: buffer) == (isHigh ? .bt709 : .bt601))
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
        let luma = try #require(buffer.planes.first).address.load(as: UInt8.self)
        #expect(abs(Int(luma) - (isHigh ? 63 : 81)) <= 2)
        // Red, green and blue have no matrix.
        let plain = try PixelBufferMaker(formats: [kCVPixelFormatType_32BGRA]).make(
            picture.frame, orientation: .upright)
        #expect(!CVBufferHasAttachment(plain, kCVImageBufferYCbCrMatrixKey))
    }
}
