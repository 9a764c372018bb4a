/// A rotation and reflection of pixels in memory.
struct PixelTurn {
    private let orientation: PictureOrientation
    private let width: Int
    private let height: Int

    /// - Parameters:
    ///   - width: The stored width in pixels.
    ///   - height: The stored height.
    init(_ orientation: PictureOrientation, width: Int, height: Int) {
        (self.orientation, self.width, self.height) = (orientation, width, height)
    }

    /// Returns where a stored pixel is shown.
    func place(x: Int, y: Int) -> (x: Int, y: Int) {
        let x = orientation.isMirrored ? width - 1 - x : x
        return switch orientation.degrees {
        case 90: (height - 1 - y, x)
        case 180: (width - 1 - x, height - 1 - y)
        case 270: (y, width - 1 - x)
        default: (x, y)
        }
    }

    /// Copies stored pixels to their shown places.
    ///
    /// - Parameter bytesPerRow: The distance between rows, a multiple of 4; likewise `outputBytesPerRow`.
    func copy(
        from pixels: UnsafeRawPointer, bytesPerRow: Int, to output: UnsafeMutableRawPointer,
        outputBytesPerRow: Int
    ) {
        let source = pixels.assumingMemoryBound(to: UInt32.self)
        let target = output.assumingMemoryBound(to: UInt32.self)
        let (sourceRow, targetRow) = (bytesPerRow / 4, outputBytesPerRow / 4)
        let origin = place(x: 0, y: 0)
        let right = place(x: 1, y: 0)
        let step = (right.y - origin.y) * targetRow + right.x - origin.x
        // Blocks keep the rows of both sides in the cache.
        for block in stride(from: 0, to: height, by: Self.block) {
            for left in stride(from: 0, to: width, by: Self.block) {
                for y in block..<min(block + Self.block, height) {
                    let start = place(x: left, y: y)
                    var to = target + start.y * targetRow + start.x
                    let from = source + y * sourceRow
                    for x in left..<min(left + Self.block, width) {
                        to.pointee = from[x]
                        to += step
                    }
                }
            }
        }
    }

    private static let block = 32
}
