/// A window's pixels at one moment.
public struct WindowSnapshot: Hashable, Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// Rows of blue, green, red and an unused byte, without padding.
    public let pixels: [UInt8]

    /// Returns the color of one pixel; black outside the window.
    public func color(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return (0, 0, 0) }
        let start = (y * width + x) * 4
        return (pixels[start + 2], pixels[start + 1], pixels[start])
    }
}
