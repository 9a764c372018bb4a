/// Drawn subtitles: pixels with transparency, and their place in a window of a certain size.
struct SubtitleImage: Sendable {
    let place: PixelRect
    /// The window for which the subtitles were drawn.
    let canvas: PixelSize
    /// Rows of blue, green, red and opacity without padding; color is not multiplied by opacity.
    let pixels: [UInt8]

    /// The place in a window of another size, until the subtitles are drawn for that size.
    func place(in window: PixelSize) -> PixelRect {
        guard window != canvas, canvas.width > 0, canvas.height > 0 else { return place }
        let x = place.x * window.width / canvas.width
        let y = place.y * window.height / canvas.height
        return PixelRect(
            x: x, y: y, width: max(1, place.width * window.width / canvas.width),
            height: max(1, place.height * window.height / canvas.height))
    }
}

/// A picture that is drawn in layers, each a color with a mask of opacities.
struct LayerBlender {
    private let place: PixelRect
    private let canvas: PixelSize
    /// Colors multiplied by opacity.
    private var pixels: [UInt8]

    /// - Parameter place: The part of `canvas` that can be drawn on; layers beyond it are clipped.
    init(place: PixelRect, canvas: PixelSize) {
        (self.place, self.canvas) = (place, canvas)
        pixels = [UInt8](repeating: 0, count: place.width * place.height * 4)
    }

    /// Draws a layer over the others.
    ///
    /// - Parameters:
    ///   - mask: Rows of opacities, the last one without padding.
    ///   - color: Red, green, blue and transparency from the highest to the lowest byte.
    mutating func draw(mask: UnsafePointer<UInt8>, stride: Int, at layer: PixelRect, color: UInt32) {
        guard let visible = layer.intersection(place) else { return }
        let opacity = 255 - (color & 0xFF)
        let (red, green, blue) = (color >> 24, color >> 16 & 0xFF, color >> 8 & 0xFF)
        pixels.withUnsafeMutableBufferPointer { pixels in
            for y in visible.y..<(visible.y + visible.height) {
                let source = mask + (y - layer.y) * stride + (visible.x - layer.x)
                let start = ((y - place.y) * place.width + visible.x - place.x) * 4
                for x in 0..<visible.width {
                    let cover = Self.share(UInt32(source[x]), opacity)
                    guard cover > 0 else { continue }
                    let pixel = start + x * 4
                    let rest = 255 - cover
                    func blend(_ offset: Int, _ value: UInt32) {
                        let old = Self.share(UInt32(pixels[pixel + offset]), rest)
                        pixels[pixel + offset] = UInt8(truncatingIfNeeded: Self.share(value, cover) + old)
                    }
                    blend(0, blue)
                    blend(1, green)
                    blend(2, red)
                    blend(3, 255)
                }
            }
        }
    }

    /// Returns the picture with colors divided by opacity.
    consuming func finish() -> SubtitleImage {
        pixels.withUnsafeMutableBufferPointer { pixels in
            for pixel in stride(from: 0, to: pixels.count, by: 4) {
                let opacity = UInt32(pixels[pixel + 3])
                guard opacity > 0, opacity < 255 else { continue }
                for offset in 0..<3 {
                    let value = (UInt32(pixels[pixel + offset]) * 255 + opacity / 2) / opacity
                    pixels[pixel + offset] = UInt8(min(255, value))
                }
            }
        }
        return SubtitleImage(place: place, canvas: canvas, pixels: pixels)
    }

    /// The product of two values of 0 ... 255 that stand for 0 ... 1, rounded.
    private static func share(_ a: UInt32, _ b: UInt32) -> UInt32 { (a * b + 127) / 255 }
}
