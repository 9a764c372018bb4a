import Testing
import TuttiGraphics

@Suite("CGImage")
struct CGImageTests {
    /// Makes an image of 4×3 pixels with four bytes each, of which the first is the pixel's number.
    static func image(
        width: Int = 4, height: Int = 3, bitsPerComponent: Int = 8, bitsPerPixel: Int = 32,
        bytesPerRow: Int = 20,
        byteCount: Int = 56, bitmapInfo: UInt32 = CGImageAlphaInfo.premultipliedFirst.rawValue | 0x2000,
        decode: UnsafePointer<CGFloat>? = nil
    ) -> CGImage? {
        var bytes = [UInt8](repeating: 0xFF, count: byteCount)
        for pixel in 0..<12 where pixel / 4 * 20 + pixel % 4 * 4 < byteCount {
            bytes[pixel / 4 * 20 + pixel % 4 * 4] = UInt8(pixel)
        }
        guard let provider = CGDataProvider(data: NSData(data: Data(bytes))) else { return nil }
        return CGImage(
            width: width, height: height, bitsPerComponent: bitsPerComponent, bitsPerPixel: bitsPerPixel,
            bytesPerRow: bytesPerRow, space: CGColorSpaceCreateDeviceRGB(),
            bitmapInfo: CGBitmapInfo(rawValue: bitmapInfo), provider: provider, decode: decode,
            shouldInterpolate: true, intent: .perceptual)
    }

    @Test("an image keeps what it was made of")
    func keeps() throws {
        let image = try #require(Self.image())
        #expect(image.width == 4 && image.height == 3 && image.bytesPerRow == 20)
        #expect(image.bitsPerComponent == 8 && image.bitsPerPixel == 32)
        #expect(image.alphaInfo == .premultipliedFirst && image.byteOrderInfo == .order32Little)
        #expect(image.bitmapInfo.contains(.byteOrder32Little) && image.renderingIntent == .perceptual)
        #expect(image.colorSpace == CGColorSpaceCreateDeviceRGB() && image.shouldInterpolate)
        let data = try #require(image.dataProvider?.data)
        #expect(data.length == 56 && (data as Data)[24] == 5)
        #expect(image != Self.image() && Set([image, image]).count == 1)
    }

    @Test("numbers that contradict each other give no image")
    func contradictions() {
        #expect(Self.image(byteCount: 55) == nil)
        #expect(Self.image(bytesPerRow: 15) == nil && Self.image(bytesPerRow: -20) == nil)
        #expect(Self.image(width: 0) == nil && Self.image(height: -1) == nil)
        #expect(Self.image(width: .max) == nil && Self.image(height: .max) == nil)
        #expect(Self.image(bytesPerRow: .max) == nil)
        #expect(Self.image(bitsPerPixel: 24) == nil && Self.image(bitsPerPixel: 33) == nil)
        #expect(Self.image(bitsPerComponent: 0) == nil && Self.image(bitsPerComponent: 33) == nil)
        #expect(Self.image(bitsPerPixel: -8) == nil && Self.image(bitmapInfo: 0x5000) == nil)
        let map: [CGFloat] = [1, 0]
        #expect(Self.image(decode: map) == nil)
    }

    @Test("alpha and its place count as a component")
    func components() {
        #expect(Self.image(bitsPerPixel: 24, bytesPerRow: 12, bitmapInfo: 0) != nil)
        #expect(Self.image(bitsPerPixel: 24, bytesPerRow: 12, bitmapInfo: 5) == nil)
        #expect(Self.image(bitsPerPixel: 8, bytesPerRow: 4, bitmapInfo: 7)?.alphaInfo == .alphaOnly)
    }

    @Test("a part shares the pixels and begins with its own first pixel")
    func cropping() throws {
        let image = try #require(Self.image())
        let part = try #require(image.cropping(to: CGRect(x: 1, y: 1, width: 2, height: 2)))
        #expect(part.width == 2 && part.height == 2 && part.bytesPerRow == 20)
        let bytes = try #require(part.dataProvider?.data) as Data
        #expect(bytes.count == 28 && bytes[bytes.startIndex] == 5 && bytes[bytes.startIndex + 24] == 10)
        let corner = try #require(part.cropping(to: CGRect(x: 1, y: 1, width: 9, height: 9)))
        let last = try #require(corner.dataProvider?.data) as Data
        #expect(corner.width == 1 && corner.height == 1 && last.count == 4 && last.first == 10)
    }

    @Test("a rectangle with fractions grows to whole pixels inside the image")
    func fractions() throws {
        let image = try #require(Self.image())
        let part = try #require(image.cropping(to: CGRect(x: 0.5, y: -3, width: 1, height: 4.1)))
        #expect(part.width == 2 && part.height == 2)
        #expect(image.cropping(to: .infinite)?.width == 4)
        let huge = CGRect(x: -1e300, y: -1e300, width: 2e300, height: 2e300)
        #expect(image.cropping(to: huge).map { $0.height <= 3 } ?? true)
    }

    @Test(
        "a rectangle without a pixel of the image gives no image",
        arguments: [
            CGRect.null, .zero, CGRect(x: 4, y: 0, width: 2, height: 2),
            CGRect(x: 0, y: -2, width: 4, height: 2), CGRect(x: CGFloat.nan, y: 0, width: 1, height: 1),
        ])
    func emptyParts(rect: CGRect) throws {
        #expect(try #require(Self.image()).cropping(to: rect) == nil)
    }

    @Test("a provider keeps the bytes that the object had")
    func provider() throws {
        let mutable = NSMutableData(data: Data([1, 2, 3]))
        let provider = try #require(CGDataProvider(data: mutable))
        mutable.append(Data([4]))
        #expect(provider.data == NSData(data: Data([1, 2, 3])))
    }

    @Test("colour spaces have a name, a kind and a number of components")
    func colorSpaces() throws {
        let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
        #expect(space.name == CGColorSpace.sRGB && space.numberOfComponents == 3 && space.model == .rgb)
        #expect(CGColorSpace(name: CGColorSpace.itur_709) != space)
        #expect(CGColorSpace(name: "kCGColorSpaceSRGB" as NSString) == space)
        #expect(CGColorSpace(name: "nonsense" as NSString) == nil)
        let gray = CGColorSpaceCreateDeviceGray()
        #expect(gray.name == nil && gray.numberOfComponents == 1 && gray.model == .monochrome)
        #expect(Set([gray, CGColorSpaceCreateDeviceGray(), CGColorSpaceCreateDeviceRGB()]).count == 2)
        let names = [
            CGColorSpace.linearSRGB, CGColorSpace.displayP3, CGColorSpace.itur_2020,
            CGColorSpace.itur_2100_PQ,
            CGColorSpace.itur_2100_HLG, CGColorSpace.genericGrayGamma2_2,
        ]
        #expect(names.allSatisfy { CGColorSpace(name: $0)?.name == $0 })
    }
}
