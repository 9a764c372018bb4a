import CoreMedia
import Testing

@testable import VideoWindow

@Suite("Pictures from pixel buffers", .serialized)
struct PixelBufferTests {
    typealias Row = (
        name: String, format: OSType, layout: VideoPicture.Layout, isFullRange: Bool, planes: Int
    )

    static let formats: [Row] = [
        ("planar", kCVPixelFormatType_420YpCbCr8Planar, .planar420, false, 3),
        ("planar, full range", kCVPixelFormatType_420YpCbCr8PlanarFullRange, .planar420, true, 3),
        ("biplanar", kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, .biplanar420, false, 2),
        ("biplanar, full range", kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, .biplanar420, true, 2),
        ("pixels", kCVPixelFormatType_32BGRA, .bgra, true, 1),
    ]

    private func buffer(_ format: OSType, width: Int = 30, height: Int = 21) throws -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        #expect(CVPixelBufferCreate(nil, width, height, format, nil, &buffer) == kCVReturnSuccess)
        return try #require(buffer)
    }

    @Test("formats become layouts, with the buffer's planes", arguments: formats)
    func layouts(row: Row) throws {
        let buffer = try buffer(row.format)
        let picture = try #require(VideoPicture(buffer))
        #expect(picture.layout == row.layout)
        #expect(picture.isFullRange == row.isFullRange)
        #expect((picture.width, picture.height) == (30, 21))
        #expect(picture.planes.count == row.planes)
        if row.planes > 1 {
            for (index, plane) in picture.planes.enumerated() {
                #expect(plane.bytesPerRow == CVPixelBufferGetBytesPerRowOfPlane(buffer, index))
                #expect(plane.base == UnsafeRawPointer(CVPixelBufferGetBaseAddressOfPlane(buffer, index)))
            }
        } else {
            #expect(picture.planes[0].bytesPerRow == CVPixelBufferGetBytesPerRow(buffer))
        }
    }

    @Test("other formats are refused")
    func others() throws {
        #expect(VideoPicture(try buffer(kCVPixelFormatType_422YpCbCr8, width: 32)) == nil)
    }

    @Test("the attached matrix counts, else that of the height")
    func matrix() throws {
        let format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        let small = try buffer(format)
        #expect(VideoPicture(small)?.matrix == .bt601)
        #expect(VideoPicture(try buffer(format, height: 720))?.matrix == .bt709)
        let values: [(CFString, VideoPicture.Matrix)] = [
            (kCVImageBufferYCbCrMatrix_ITU_R_709_2, .bt709),
            (kCVImageBufferYCbCrMatrix_ITU_R_2020, .bt2020),
            (kCVImageBufferYCbCrMatrix_ITU_R_601_4, .bt601),
        ]
        for (value, matrix) in values {
            CVBufferSetAttachment(small, kCVImageBufferYCbCrMatrixKey, value, .shouldPropagate)
            #expect(VideoPicture(small)?.matrix == matrix)
        }
    }

    @Test("the shape comes from the attachments, and impossible values are ignored")
    func shape() throws {
        let buffer = try buffer(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        #expect(VideoPicture(buffer)?.pixelAspect == .square)
        #expect(VideoPicture(buffer)?.orientation == .up)
        #expect(VideoPicture(buffer)?.crop == PixelRect(x: 0, y: 0, width: 30, height: 21))
        func attach(_ key: CFString, _ value: CFTypeRef) {
            CVBufferSetAttachment(buffer, key, value, .shouldPropagate)
        }
        let aspect = [
            kCVImageBufferPixelAspectRatioHorizontalSpacingKey as String: 64,
            kCVImageBufferPixelAspectRatioVerticalSpacingKey as String: 45,
        ]
        attach(kCVImageBufferPixelAspectRatioKey, aspect as NSDictionary)
        let aperture = [
            kCVImageBufferCleanApertureWidthKey as String: 20,
            kCVImageBufferCleanApertureHeightKey as String: 11,
            kCVImageBufferCleanApertureHorizontalOffsetKey as String: 2,
            kCVImageBufferCleanApertureVerticalOffsetKey as String: -3,
        ]
        attach(kCVImageBufferCleanApertureKey, aperture as NSDictionary)
        attach(kTuttiImageBufferOrientationKey, NSNumber(value: 6))
        let picture = try #require(VideoPicture(buffer))
        #expect(picture.pixelAspect == PixelAspect(64, 45))
        #expect(picture.crop == PixelRect(x: 7, y: 2, width: 20, height: 11))
        #expect(picture.orientation == .right)
        attach(kTuttiImageBufferOrientationKey, NSNumber(value: 9))
        #expect(VideoPicture(buffer)?.orientation == .up)
    }

    @Test("the window shows a buffer's pixels")
    func shown() async throws {
        let buffer = try buffer(kCVPixelFormatType_32BGRA)
        CVPixelBufferLockBaseAddress(buffer, [])
        let base = try #require(CVPixelBufferGetBaseAddress(buffer))
        for y in 0..<21 {
            for x in 0..<30 {
                let start = y * CVPixelBufferGetBytesPerRow(buffer) + x * 4
                base.storeBytes(of: 0xFF20_40C0, toByteOffset: start, as: UInt32.self)
            }
        }
        CVPixelBufferUnlockBaseAddress(buffer, [])
        let window = try TestWindow.open()
        window.show(try #require(VideoPicture(buffer)), dueAt: 0)
        #expect(try await window.snapshot().isColor([0x20, 0x40, 0xC0], at: 160, 120))
    }
}
