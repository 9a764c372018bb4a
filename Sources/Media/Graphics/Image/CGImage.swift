import Foundation

/// An immutable picture in memory: rows of pixels from top to bottom.
///
/// The first pixel is the upper left one. Any thread may use an image.
public final class CGImage: Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The number of bits of one component.
    public let bitsPerComponent: Int
    /// The number of bits of one pixel, a multiple of eight.
    public let bitsPerPixel: Int
    /// The distance from one row to the next, in bytes.
    public let bytesPerRow: Int
    /// The meaning of the colours.
    public let colorSpace: CGColorSpace?
    /// The layout of the components in a pixel.
    public let bitmapInfo: CGBitmapInfo
    /// Whether a larger picture is to be interpolated. Images keep the wish; nothing here applies it.
    public let shouldInterpolate: Bool
    /// The rule for colours that an output cannot show.
    public let renderingIntent: CGColorRenderingIntent

    private let provider: CGDataProvider

    /// Creates an image from pixels; `nil` if the numbers contradict each other or `provider` has too few
    /// bytes.
    ///
    /// The last row may end with its last pixel, without the rest of `bytesPerRow`.
    ///
    /// - Parameters:
    ///   - bitsPerComponent: 1 … 32.
    ///   - bitsPerPixel: A multiple of eight, at least the bits of all components.
    ///   - decode: Must be `nil`; other maps of the components are not supported.
    public init?(
        width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int,
        space: CGColorSpace, bitmapInfo: CGBitmapInfo, provider: CGDataProvider,
        decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool, intent: CGColorRenderingIntent
    ) {
        let components = bitmapInfo.alphaInfo.componentCount(colors: space.numberOfComponents)
        guard width > 0, height > 0, decode == nil, bitmapInfo.byteOrderInfo != nil,
            (1...32).contains(bitsPerComponent), bitsPerPixel % 8 == 0,
            bitsPerPixel >= bitsPerComponent * components,
            Self.byteCount(width, height, bitsPerPixel / 8, bytesPerRow).map({ $0 <= provider.bytes.count })
                ?? false
        else { return nil }
        self.width = width
        self.height = height
        self.bitsPerComponent = bitsPerComponent
        self.bitsPerPixel = bitsPerPixel
        self.bytesPerRow = bytesPerRow
        colorSpace = space
        self.bitmapInfo = bitmapInfo
        self.shouldInterpolate = shouldInterpolate
        renderingIntent = intent
        self.provider = provider
    }

    private init(part rect: (x: Int, y: Int, width: Int, height: Int), of whole: CGImage) {
        width = rect.width
        height = rect.height
        bitsPerComponent = whole.bitsPerComponent
        bitsPerPixel = whole.bitsPerPixel
        bytesPerRow = whole.bytesPerRow
        colorSpace = whole.colorSpace
        bitmapInfo = whole.bitmapInfo
        shouldInterpolate = whole.shouldInterpolate
        renderingIntent = whole.renderingIntent
        let bytes = whole.provider.bytes
        let bytesPerPixel = whole.bitsPerPixel / 8
        let start = bytes.startIndex + rect.y * whole.bytesPerRow + rect.x * bytesPerPixel
        let count = (rect.height - 1) * whole.bytesPerRow + rect.width * bytesPerPixel
        provider = CGDataProvider(bytes[start..<start + count])
    }

    /// Returns the bytes from the first pixel to the last; `nil` if a row has no room for its pixels or the
    /// number overflows.
    private static func byteCount(
        _ width: Int, _ height: Int, _ bytesPerPixel: Int, _ bytesPerRow: Int
    ) -> Int? {
        let (row, rowOverflow) = width.multipliedReportingOverflow(by: bytesPerPixel)
        let (rows, rowsOverflow) = bytesPerRow.multipliedReportingOverflow(by: height - 1)
        guard !rowOverflow, !rowsOverflow, bytesPerRow >= row else { return nil }
        let (count, overflow) = rows.addingReportingOverflow(row)
        return overflow ? nil : count
    }
}

extension CGImage {
    /// The bytes of the pixels, from the first pixel on.
    public var dataProvider: CGDataProvider? { provider }

    /// The place and the meaning of alpha in a pixel.
    public var alphaInfo: CGImageAlphaInfo { bitmapInfo.alphaInfo }

    /// The order of the bytes in a pixel.
    public var byteOrderInfo: CGImageByteOrderInfo { bitmapInfo.byteOrderInfo ?? .orderDefault }

    /// Returns a part of the image, which shares the pixels; `nil` if no pixel of the image is in `rect`.
    ///
    /// A rectangle with fractions grows to whole pixels; parts outside the image are left out.
    public func cropping(to rect: CGRect) -> CGImage? {
        // Foundation's own `intersection` traps for NaN.
        guard !rect.isEmpty, let columns = Self.pixels(from: rect.minX, to: rect.maxX, count: width),
            let rows = Self.pixels(from: rect.minY, to: rect.maxY, count: height)
        else { return nil }
        return CGImage(part: (columns.lowerBound, rows.lowerBound, columns.count, rows.count), of: self)
    }

    /// Returns the pixels between two positions, of `count` pixels; `nil` if there are none.
    private static func pixels(from start: CGFloat, to end: CGFloat, count: Int) -> Range<Int>? {
        guard start.isFinite, end.isFinite else { return nil }
        let first = min(max(0, start.rounded(.down)), CGFloat(count))
        let last = min(max(0, end.rounded(.up)), CGFloat(count))
        return first < last ? Int(first)..<Int(last) : nil
    }
}

extension CGImage: Hashable {
    /// Returns whether both are the same object.
    public static func == (left: CGImage, right: CGImage) -> Bool { left === right }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
