import CoreMedia
import Foundation
import TuttiCodecs

extension CGImage {
    /// Returns the image as a PNG file, without alpha; blocks while the image is encoded.
    ///
    /// A name of Tutti, not of Apple.
    ///
    /// - Throws: ``AVError/encodeFailed`` for an image that has not eight bits of red, green and blue or of grey, or is
    ///   larger than pictures of a film may be.
    public func tuttiPNG() throws -> Data {
        guard let places = colorOffsets, let data = dataProvider?.data else {
            throw AVError(.encodeFailed, reason: "only images with eight bits a component can be written")
        }
        let step = bitsPerPixel / 8
        let rows = (0..<height).map { y in
            [UInt8](unsafeUninitializedCapacity: 3 * width) { bytes, count in
                let row = data.bytes + y * bytesPerRow
                for x in 0..<width {
                    for component in 0..<3 {
                        bytes[3 * x + component] = row.load(
                            fromByteOffset: x * step + places[component], as: UInt8.self)
                    }
                }
                count = 3 * width
            }
        }
        do {
            return Data(try PNGPicture.encode(width: width, height: height, rows: rows))
        } catch {
            throw AVError(.encodeFailed, reason: "\(error)")
        }
    }

    /// The places of red, green and blue in a pixel, in bytes; `nil` for other kinds of pixels.
    private var colorOffsets: [Int]? {
        guard bitsPerComponent == 8, !bitmapInfo.contains(.floatComponents), alphaInfo != .alphaOnly else {
            return nil
        }
        if colorSpace?.numberOfComponents == 1 {
            return alphaInfo == .none && bitsPerPixel == 8 ? [0, 0, 0] : nil
        }
        guard colorSpace?.numberOfComponents == 3 else { return nil }
        let isAlphaFirst = [.first, .premultipliedFirst, .noneSkipFirst].contains(alphaInfo)
        let places = isAlphaFirst ? [1, 2, 3] : [0, 1, 2]
        switch (byteOrderInfo, bitsPerPixel) {
        case (.orderDefault, 24) where alphaInfo == .none, (.orderDefault, 32), (.order32Big, 32):
            return places
        case (.order32Little, 32): return places.map { 3 - $0 }
        default: return nil
        }
    }
}
