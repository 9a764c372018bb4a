import Testing

@testable import CoreVideo

@Suite("CVImageBuffer: size on a display")
struct CVImageBufferGeometryTests {
    /// Makes a picture of DV with 525 lines: 720×480 pixels that are taller than wide.
    static func dv() throws -> CVImageBuffer {
        let buffer = try Make.buffer(720, 480, kCVPixelFormatType_422YpCbCr8)
        set(
            buffer, kCVImageBufferCleanApertureKey,
            [
                kCVImageBufferCleanApertureWidthKey: 704, kCVImageBufferCleanApertureHeightKey: 480,
                kCVImageBufferCleanApertureHorizontalOffsetKey: 2,
                kCVImageBufferCleanApertureVerticalOffsetKey: 0,
            ])
        set(
            buffer, kCVImageBufferPixelAspectRatioKey,
            [
                kCVImageBufferPixelAspectRatioHorizontalSpacingKey: 10,
                kCVImageBufferPixelAspectRatioVerticalSpacingKey: 11,
            ])
        return buffer
    }

    static func set(_ buffer: CVBuffer, _ key: CFString, _ value: NSDictionary) {
        CVBufferSetAttachment(buffer, key, value, .shouldPropagate)
    }

    @Test("a picture without attachments is shown as it is stored")
    func plain() throws {
        let buffer = try Make.buffer(6, 4)
        #expect(CVImageBufferGetEncodedSize(buffer) == CGSize(width: 6, height: 4))
        #expect(CVImageBufferGetDisplaySize(buffer) == CGSize(width: 6, height: 4))
        #expect(CVImageBufferGetCleanRect(buffer) == CGRect(x: 0, y: 0, width: 6, height: 4))
        #expect(CVImageBufferIsFlipped(buffer))
    }

    @Test("the clean aperture and the shape of the pixels decide about the display size")
    func dvPicture() throws {
        let buffer = try Self.dv()
        #expect(CVImageBufferGetEncodedSize(buffer) == CGSize(width: 720, height: 480))
        #expect(CVImageBufferGetCleanRect(buffer) == CGRect(x: 10, y: 0, width: 704, height: 480))
        #expect(CVImageBufferGetDisplaySize(buffer) == CGSize(width: 640, height: 480))
        Self.set(
            buffer, kCVImageBufferDisplayDimensionsKey,
            [kCVImageBufferDisplayWidthKey: 654, kCVImageBufferDisplayHeightKey: 480])
        #expect(CVImageBufferGetDisplaySize(buffer) == CGSize(width: 654, height: 480))
    }

    @Test("shapes that make no sense have no effect", arguments: [0, -1, .nan, .infinity] as [Double])
    func nonsense(number: Double) throws {
        let buffer = try Make.buffer(6, 4)
        Self.set(
            buffer, kCVImageBufferCleanApertureKey,
            [kCVImageBufferCleanApertureWidthKey: number, kCVImageBufferCleanApertureHeightKey: 2])
        Self.set(
            buffer, kCVImageBufferPixelAspectRatioKey,
            [
                kCVImageBufferPixelAspectRatioHorizontalSpacingKey: 1,
                kCVImageBufferPixelAspectRatioVerticalSpacingKey: number,
            ])
        #expect(CVImageBufferGetDisplaySize(buffer) == CGSize(width: 6, height: 4))
        #expect(CVImageBufferGetCleanRect(buffer).size == CGSize(width: 6, height: 4))
    }

    @Test("a clean aperture beyond the picture is cut, and one outside is ignored")
    func outside() throws {
        let buffer = try Make.buffer(6, 4)
        func rect(_ width: Double, _ offset: Double) -> CGRect {
            Self.set(
                buffer, kCVImageBufferCleanApertureKey,
                [
                    kCVImageBufferCleanApertureWidthKey: width, kCVImageBufferCleanApertureHeightKey: 4,
                    kCVImageBufferCleanApertureHorizontalOffsetKey: offset,
                ])
            return CVImageBufferGetCleanRect(buffer)
        }
        #expect(rect(4, 2) == CGRect(x: 3, y: 0, width: 3, height: 4))
        #expect(rect(100, 0) == CGRect(x: 0, y: 0, width: 6, height: 4))
        #expect(rect(4, 100) == CGRect(x: 0, y: 0, width: 6, height: 4))
        #expect(rect(4, .infinity) == CGRect(x: 0, y: 0, width: 6, height: 4))
        CVBufferSetAttachment(buffer, kCVImageBufferCleanApertureKey, "text" as CFString, .shouldPropagate)
        #expect(CVImageBufferGetCleanRect(buffer) == CGRect(x: 0, y: 0, width: 6, height: 4))
    }

    @Test("the orientation is 1 unless a number from 1 to 8 is attached")
    func orientation() throws {
        let buffer = try Make.buffer(2, 2)
        #expect(buffer.orientation == 1)
        for (value, expected) in [(6, 6), (8, 8), (0, 1), (9, 1), (-3, 1)] {
            CVBufferSetAttachment(
                buffer, kTuttiImageBufferOrientationKey, NSNumber(value: value), .shouldPropagate)
            #expect(buffer.orientation == expected)
        }
        CVBufferSetAttachment(buffer, kTuttiImageBufferOrientationKey, "6" as CFString, .shouldPropagate)
        #expect(buffer.orientation == 1)
    }
}
