import CoreMedia
import Foundation
import TuttiCodecs

/// A maker of images from decoded pictures. Not thread-safe.
final class ImageMaker {
    private let converter = PictureConverter()

    /// Rows of converted pictures begin at multiples of this number of bytes, as the converter's vector code expects.
    private static let alignment = 64

    /// Returns an image with eight bits of blue, green and red, scaled down to the largest size that is wanted.
    ///
    /// - Throws: ``AVError`` without memory, or ``CodecError`` if the picture cannot be converted.
    func image(
        of frame: VideoFrame, orientation: PictureOrientation, _ settings: ImageSettings
    ) throws -> CGImage {
        let orientation = settings.isUpright ? orientation : .upright
        let upright = ImageSize(
            width: frame.width, height: frame.height,
            aspect: settings.apertureMode == .encodedPixels ? 1 : frame.pixelAspect.ratio,
            swapsSides: orientation.swapsSides, limit: settings.maximumSize)
        let stored =
            orientation.swapsSides ? (upright.height, upright.width) : (upright.width, upright.height)
        var pixels = try PixelRows(width: stored.0, height: stored.1, alignment: Self.alignment)
        try converter.convert(
            frame, to: .bgra, width: pixels.width, height: pixels.height,
            into: [
                PicturePlane(
                    address: pixels.address, width: pixels.width, height: pixels.height,
                    bytesPerRow: pixels.bytesPerRow)
            ])
        if orientation != .upright { pixels = try pixels.turned(orientation, alignment: Self.alignment) }
        let image = CGImage(
            width: pixels.width, height: pixels.height, bitsPerComponent: 8, bitsPerPixel: 32,
            bytesPerRow: pixels.bytesPerRow, space: frame.color.space,
            bitmapInfo: CGBitmapInfo(alpha: .noneSkipFirst, byteOrder: .order32Little),
            provider: CGDataProvider(pixels.takeData()), decode: nil, shouldInterpolate: true,
            intent: .defaultIntent)
        guard let image else { throw AVError(.unknown, reason: "the image has an impossible size") }
        return image
    }
}

/// The size of an image.
struct ImageSize: Equatable {
    let width: Int
    let height: Int

    /// - Parameters:
    ///   - aspect: The width of a pixel divided by its height.
    ///   - swapsSides: Whether the image is turned by a quarter.
    ///   - limit: The largest size after the turn; sides that are not positive numbers do not limit.
    init(width: Int, height: Int, aspect: Double, swapsSides: Bool, limit: CGSize) {
        let shown = (Double(width) * aspect, Double(height))
        let (wide, high) = swapsSides ? (shown.1, shown.0) : shown
        var scale = 1.0
        if limit.width > 0 { scale = min(scale, limit.width / wide) }
        if limit.height > 0 { scale = min(scale, limit.height / high) }
        // Pixels that are far from square make pictures larger than the converter takes.
        let side = Double(VideoStreamParameters.sideLimit)
        scale = min(scale, side / wide, side / high)
        scale = min(scale, (Double(VideoStreamParameters.pixelLimit) / (wide * high)).squareRoot())
        self.width = max(1, Int((wide * scale).rounded(.toNearestOrEven)))
        self.height = max(1, Int((high * scale).rounded(.toNearestOrEven)))
        assert(self.width <= VideoStreamParameters.sideLimit)
    }
}

/// Rows of pixels of four bytes in memory. The owner takes the memory with ``takeData()``.
private struct PixelRows {
    let width: Int
    let height: Int
    let bytesPerRow: Int
    private let memory: PixelBytes

    var address: UnsafeMutableRawPointer { memory.address }

    init(width: Int, height: Int, alignment: Int) throws(AVError) {
        (self.width, self.height) = (width, height)
        bytesPerRow = (width * 4 + alignment - 1) / alignment * alignment
        guard let memory = PixelBytes(count: bytesPerRow * height, alignment: alignment) else {
            throw AVError(.outOfMemory)
        }
        self.memory = memory
    }

    /// The bytes, which share the memory.
    func takeData() -> Data {
        let memory = memory
        return Data(
            bytesNoCopy: memory.address, count: memory.count,
            deallocator: .custom { _, _ in withExtendedLifetime(memory) {} })
    }

    /// Returns the picture upright.
    func turned(_ orientation: PictureOrientation, alignment: Int) throws(AVError) -> PixelRows {
        let swaps = orientation.swapsSides
        let result = try PixelRows(
            width: swaps ? height : width, height: swaps ? width : height, alignment: alignment)
        let step = bytesPerRow / 4
        let (right, bottom) = (width - 1, (height - 1) * step)
        // The place of the upper left pixel, and the steps to the pixels right of it and below.
        let (first, across, down) =
            switch orientation {
            case .upright: (0, 1, step)
            case .upMirrored: (right, -1, step)
            case .down: (bottom + right, -1, -step)
            case .downMirrored: (bottom, 1, -step)
            case .leftMirrored: (0, step, 1)
            case .right: (bottom, -step, 1)
            case .rightMirrored: (bottom + right, -step, -1)
            case .left: (right, step, -1)
            }
        let source = address.assumingMemoryBound(to: UInt32.self)
        let target = result.address.assumingMemoryBound(to: UInt32.self)
        for y in 0..<result.height {
            var place = first + y * down
            let row = target + y * (result.bytesPerRow / 4)
            for x in 0..<result.width {
                row[x] = source[place]
                place += across
            }
        }
        return result
    }
}

/// Memory that frees itself.
private final class PixelBytes: @unchecked Sendable {
    // Safe to share: the address never changes, and only the maker of an image writes to it, before anybody else has it.
    let address: UnsafeMutableRawPointer
    let count: Int

    init?(count: Int, alignment: Int) {
        var memory: UnsafeMutableRawPointer?
        guard posix_memalign(&memory, alignment, count + alignment) == 0, let memory else { return nil }
        (address, self.count) = (memory, count)
    }

    deinit { free(address) }
}

extension VideoColor {
    /// The space that is closest to the colours of red, green and blue, which are not converted.
    fileprivate var space: CGColorSpace {
        let name =
            switch (primaries, transfer) {
            case (_, 16): CGColorSpace.itur_2100_PQ
            case (_, 18): CGColorSpace.itur_2100_HLG
            case (9, _): CGColorSpace.itur_2020
            case (12, _): CGColorSpace.displayP3
            default: CGColorSpace.sRGB
            }
        return CGColorSpace(name: name) ?? CGColorSpaceCreateDeviceRGB()
    }
}
