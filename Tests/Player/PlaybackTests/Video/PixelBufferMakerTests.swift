import CoreMedia
import Foundation
import Testing
import TuttiCodecs

@testable import Playback

@Suite("A program's own pixel buffers in formats for a screen")
struct PixelBufferMakerTests {
    private static let formats: [OSType] = [
        kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange,
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
        kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_422YpCbCr8BiPlanarFullRange,
        kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_444YpCbCr8BiPlanarFullRange,
        kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr10BiPlanarFullRange,
        kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_32BGRA,
        kCVPixelFormatType_32ARGB, kCVPixelFormatType_32RGBA, kCVPixelFormatType_32ABGR,
        kCVPixelFormatType_24RGB, kCVPixelFormatType_24BGR, kCVPixelFormatType_OneComponent8,
    ]

    private func buffer(_ format: OSType, width: Int = 64, height: Int = 32) throws -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        #expect(CVPixelBufferCreate(nil, width, height, format, nil, &buffer) == kCVReturnSuccess)
        return try #require(buffer)
    }

    /// Fills the left half with black and the right half with white.
    private func paint(_ buffer: CVPixelBuffer) throws {
        let layout = try #require(PictureLayout(pixelFormat: CVPixelBufferGetPixelFormatType(buffer)))
        let (black, white): (UInt8, UInt8) = layout.isFullRange ? (0, 255) : (16, 235)
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        for (index, plane) in buffer.planes.enumerated() {
            let count = plane.bytesPerRow
            for row in 0..<plane.height {
                for byte in 0..<count {
                    let isWhite = byte * 2 >= rowByteCount(buffer, plane: index)
                    var value = index > 0 ? 128 : isWhite ? white : black
                    switch layout {
                    case .tenBit420: if byte % 2 == 0 { value = 0 }
                    case .packed422: if byte % 2 == 0 { value = 128 }
                    case .packed422YFirst: if byte % 2 == 1 { value = 128 }
                    default: break
                    }
                    plane.address.storeBytes(of: value, toByteOffset: row * count + byte, as: UInt8.self)
                }
            }
        }
    }

    private func rowByteCount(_ buffer: CVPixelBuffer, plane: Int) -> Int {
        let width = CVPixelBufferGetWidth(buffer)
        switch CVPixelBufferGetPixelFormatType(buffer) {
        case kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ARGB, kCVPixelFormatType_32RGBA,
            kCVPixelFormatType_32ABGR:
            return width * 4
        case kCVPixelFormatType_24RGB, kCVPixelFormatType_24BGR: return width * 3
        case kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_422YpCbCr8_yuvs,
            kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr10BiPlanarFullRange:
            return width * 2
        default: return width
        }
    }

    @Test(
        "every format that pictures have comes as 4:2:0 of 8 bits or BGRA, with its picture",
        arguments: formats)
    func shown(format: OSType) throws {
        let own = try buffer(format)
        try paint(own)
        CVBufferSetAttachment(
            own, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_709_2, .shouldPropagate)
        let shown = try PixelBufferMaker.forScreen().make(forScreen: own)
        let layout = try #require(PictureLayout(pixelFormat: CVPixelBufferGetPixelFormatType(shown)))
        #expect(layout == layout.shown)
        #expect(CVBufferHasAttachment(shown, kCVImageBufferYCbCrMatrixKey))
        #expect(CVPixelBufferGetWidth(shown) == 64 && CVPixelBufferGetHeight(shown) == 32)
        if layout == PictureLayout(pixelFormat: format) { #expect(shown === own) }
        CVPixelBufferLockBaseAddress(shown, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(shown, .readOnly) }
        let plane = try #require(shown.planes.first)
        let step = layout == .bgra ? 4 : 1
        let (black, white) = layout.isFullRange ? (0, 255) : (16, 235)
        for (column, expected) in [(4, black), (28, black), (36, white), (60, white)] {
            let value = plane.address.load(
                fromByteOffset: 7 * plane.bytesPerRow + column * step, as: UInt8.self)
            #expect(abs(Int(value) - expected) <= 1, "column \(column)")
        }
    }

    @Test("an unknown format is refused in words")
    func unknown() throws {
        let own = try buffer(kCVPixelFormatType_OneComponent32Float, width: 32)
        let error = #expect(throws: PixelBufferMaker.MakingError.self) {
            try PixelBufferMaker.forScreen().make(forScreen: own)
        }
        #expect("\(try #require(error))".contains("32BGRA"))
    }
}
