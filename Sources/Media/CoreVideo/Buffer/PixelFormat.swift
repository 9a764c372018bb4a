/// The layout of a pixel format's planes.
struct PixelFormat: Hashable, Sendable {
    /// The samples of one plane.
    struct Plane: Hashable, Sendable {
        /// The bytes of one block of samples.
        let bytesPerBlock: Int
        /// The number of neighbouring samples in a block.
        var samplesPerBlock = 1
        /// The number of columns of the picture for each sample.
        var columns = 1
        /// The number of rows of the picture for each sample.
        var rows = 1

        /// Returns the size in samples for a picture of `width` by `height` pixels; a part of a sample counts
        /// as a whole one.
        func size(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
            (dividedUp(width, by: columns), dividedUp(height, by: rows))
        }

        /// Returns the bytes that a row of `width` samples needs.
        func bytesPerRow(_ width: Int) -> Int { dividedUp(width, by: samplesPerBlock) * bytesPerBlock }
    }

    let planes: [Plane]
    /// Whether the format has planes in Core Video's sense; a format without has one plane here.
    let isPlanar: Bool

    private init(_ bytesPerBlock: Int, samples: Int = 1) {
        planes = [Plane(bytesPerBlock: bytesPerBlock, samplesPerBlock: samples)]
        isPlanar = false
    }

    private init(planes: [Plane]) {
        self.planes = planes
        isPlanar = true
    }

    /// Creates a luma plane, and a plane of chroma pairs with one pair for `columns` by `rows` pixels.
    private init(biplanar bytes: Int, columns: Int, rows: Int) {
        self.init(planes: [
            Plane(bytesPerBlock: bytes), Plane(bytesPerBlock: bytes * 2, columns: columns, rows: rows),
        ])
    }

    /// Creates the layout of a format; `nil` if the format is not supported.
    init?(_ type: OSType) {
        guard let layout = Self.layouts[type] else { return nil }
        self = layout
    }

    private static let threePlanes = PixelFormat(planes: [
        Plane(bytesPerBlock: 1), Plane(bytesPerBlock: 1, columns: 2, rows: 2),
        Plane(bytesPerBlock: 1, columns: 2, rows: 2),
    ])
    private static let withAlphaPlane = PixelFormat(planes: [
        Plane(bytesPerBlock: 1), Plane(bytesPerBlock: 2, columns: 2, rows: 2), Plane(bytesPerBlock: 1),
    ])

    private static let layouts: [OSType: PixelFormat] = [
        kCVPixelFormatType_32ARGB: PixelFormat(4),
        kCVPixelFormatType_32BGRA: PixelFormat(4),
        kCVPixelFormatType_32ABGR: PixelFormat(4),
        kCVPixelFormatType_32RGBA: PixelFormat(4),
        kCVPixelFormatType_24RGB: PixelFormat(3),
        kCVPixelFormatType_24BGR: PixelFormat(3),
        kCVPixelFormatType_64ARGB: PixelFormat(8),
        kCVPixelFormatType_64RGBALE: PixelFormat(8),
        kCVPixelFormatType_64RGBAHalf: PixelFormat(8),
        kCVPixelFormatType_128RGBAFloat: PixelFormat(16),
        kCVPixelFormatType_OneComponent8: PixelFormat(1),
        kCVPixelFormatType_OneComponent16: PixelFormat(2),
        kCVPixelFormatType_OneComponent16Half: PixelFormat(2),
        kCVPixelFormatType_OneComponent32Float: PixelFormat(4),
        kCVPixelFormatType_TwoComponent8: PixelFormat(2),
        kCVPixelFormatType_422YpCbCr8: PixelFormat(4, samples: 2),
        kCVPixelFormatType_422YpCbCr8_yuvs: PixelFormat(4, samples: 2),
        kCVPixelFormatType_422YpCbCr8FullRange: PixelFormat(4, samples: 2),
        kCVPixelFormatType_420YpCbCr8Planar: threePlanes,
        kCVPixelFormatType_420YpCbCr8PlanarFullRange: threePlanes,
        kCVPixelFormatType_420YpCbCr8VideoRange_8A_TriPlanar: withAlphaPlane,
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: PixelFormat(biplanar: 1, columns: 2, rows: 2),
        kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: PixelFormat(biplanar: 1, columns: 2, rows: 2),
        kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange: PixelFormat(biplanar: 1, columns: 2, rows: 1),
        kCVPixelFormatType_422YpCbCr8BiPlanarFullRange: PixelFormat(biplanar: 1, columns: 2, rows: 1),
        kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange: PixelFormat(biplanar: 1, columns: 1, rows: 1),
        kCVPixelFormatType_444YpCbCr8BiPlanarFullRange: PixelFormat(biplanar: 1, columns: 1, rows: 1),
        kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: PixelFormat(biplanar: 2, columns: 2, rows: 2),
        kCVPixelFormatType_420YpCbCr10BiPlanarFullRange: PixelFormat(biplanar: 2, columns: 2, rows: 2),
        kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange: PixelFormat(biplanar: 2, columns: 2, rows: 1),
        kCVPixelFormatType_422YpCbCr10BiPlanarFullRange: PixelFormat(biplanar: 2, columns: 2, rows: 1),
        kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange: PixelFormat(biplanar: 2, columns: 1, rows: 1),
        kCVPixelFormatType_444YpCbCr10BiPlanarFullRange: PixelFormat(biplanar: 2, columns: 1, rows: 1),
    ]
}

/// Returns a quotient of positive numbers, rounded up.
func dividedUp(_ number: Int, by divisor: Int) -> Int { (number + divisor - 1) / divisor }
