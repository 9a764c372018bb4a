/// The places of all planes of a picture in one stretch of memory.
struct PixelLayout: Hashable, Sendable {
    /// The alignment of rows and planes in bytes: one cache line, and enough for any vector instruction.
    static let leastAlignment = 64
    /// The limit of the alignment in bytes that a caller may ask for.
    static let greatestAlignment = 65_536

    /// One plane, in bytes from the start of the memory.
    struct Plane: Hashable, Sendable {
        let offset: Int
        let width: Int
        let height: Int
        let bytesPerRow: Int
    }

    let type: OSType
    let width: Int
    let height: Int
    let planes: [Plane]
    let isPlanar: Bool
    let byteCount: Int
    /// The alignment of rows and planes in bytes.
    let alignment: Int

    /// Creates the layout of a picture.
    ///
    /// - Parameter alignment: The alignment of rows and planes in bytes; a power of two.
    /// - Throws: `kCVReturnInvalidPixelFormat`, or `kCVReturnInvalidSize` beyond the limits.
    init(_ type: OSType, width: Int, height: Int, alignment: Int = leastAlignment) throws(PixelBufferError) {
        let format = try PixelFormat(supported: type, width: width, height: height)
        let alignment = max(alignment, Self.leastAlignment)
        var planes: [Plane] = []
        var end = 0
        for plane in format.planes {
            let size = plane.size(width, height)
            let bytesPerRow = dividedUp(plane.bytesPerRow(size.width), by: alignment) * alignment
            planes.append(
                Plane(offset: end, width: size.width, height: size.height, bytesPerRow: bytesPerRow))
            end += bytesPerRow * size.height
        }
        guard end <= CVBuffer.byteLimit else { throw PixelBufferError(kCVReturnInvalidSize) }
        self.type = type
        self.width = width
        self.height = height
        self.planes = planes
        isPlanar = format.isPlanar
        byteCount = end
        self.alignment = alignment
    }
}

extension CVBuffer {
    /// The limit of the width and the height in pixels: more than twice the width of 8K video.
    package static let longestSide = 16_384
    /// The limit of a picture's bytes: 8K video with four components of 16 bits fits four times.
    package static let byteLimit = 1 << 30
}

extension PixelFormat {
    /// Creates the layout of a format for a size.
    ///
    /// - Throws: `kCVReturnInvalidPixelFormat`, or `kCVReturnInvalidSize` for a side outside 1…16,384.
    init(supported type: OSType, width: Int, height: Int) throws(PixelBufferError) {
        let sides = 1...CVBuffer.longestSide
        guard sides.contains(width), sides.contains(height) else {
            throw PixelBufferError(kCVReturnInvalidSize)
        }
        guard let format = PixelFormat(type) else { throw PixelBufferError(kCVReturnInvalidPixelFormat) }
        self = format
    }
}

/// The reason that a pixel buffer or a pool cannot be created, as a result code.
struct PixelBufferError: Error, Equatable {
    let code: CVReturn

    init(_ code: CVReturn) { self.code = code }
}

/// Runs `body` and returns its error's code; success if `body` does not throw.
func status(of body: () throws(PixelBufferError) -> Void) -> CVReturn {
    do throws(PixelBufferError) {
        try body()
        return kCVReturnSuccess
    } catch {
        return error.code
    }
}
