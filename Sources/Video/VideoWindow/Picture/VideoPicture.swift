/// A picture in memory, ready to be shown.
///
/// The picture borrows its pixels: ``owner`` keeps them in place and unchanged.
public struct VideoPicture: @unchecked Sendable {
    // Safe to share: the planes' memory is only read, and the owner, which is only held, keeps it unchanged.

    /// An arrangement of the pixels; all have 8 bits per component.
    public enum Layout: Hashable, Sendable {
        /// Planes of luma, Cb and Cr; chroma has half the width and height, rounded up.
        case planar420
        /// A plane of luma and a plane of alternating Cb and Cr (NV12); chroma as above.
        case biplanar420
        /// One plane of blue, green, red and an ignored byte.
        case bgra

        var planeCount: Int {
            switch self {
            case .planar420: 3
            case .biplanar420: 2
            case .bgra: 1
            }
        }

        /// The bytes of a row of one plane.
        func rowByteCount(ofPlane plane: Int, width: Int) -> Int {
            switch self {
            case .bgra: width * 4
            case _ where plane == 0: width
            case .planar420: (width + 1) / 2
            case .biplanar420: (width + 1) / 2 * 2
            }
        }
    }

    /// The coefficients between R'G'B' and Y'CbCr.
    public enum Matrix: Hashable, Sendable {
        /// ITU-R BT.601, standard definition.
        case bt601
        /// ITU-R BT.709, high definition.
        case bt709
        /// ITU-R BT.2020 with non-constant luminance.
        case bt2020
    }

    /// Rows of bytes in memory.
    public struct Plane: @unchecked Sendable {
        // Safe to share: the memory is only read.

        /// The first byte of the top row.
        public let base: UnsafeRawPointer
        /// The distance in bytes from one row to the row below it.
        public let bytesPerRow: Int

        /// Creates a plane.
        public init(base: UnsafeRawPointer, bytesPerRow: Int) {
            (self.base, self.bytesPerRow) = (base, bytesPerRow)
        }
    }

    /// The largest width and height in pixels; the limit of common graphics hardware.
    public static let sizeLimit = 16_384

    /// The arrangement of the pixels in the planes.
    public let layout: Layout
    /// The stored width in pixels, before the crop and the rotation.
    public let width: Int
    /// The stored height in pixels.
    public let height: Int
    /// The planes in the order that the layout names.
    public let planes: [Plane]
    /// The coefficients of luma and chroma. Ignored for ``Layout/bgra``.
    public let matrix: Matrix
    /// Whether luma uses 0 ... 255 instead of 16 ... 235. Ignored for ``Layout/bgra``.
    public let isFullRange: Bool
    /// The width of a stored pixel divided by its height.
    public let pixelAspect: PixelAspect
    /// The visible part of the stored pixels.
    public let crop: PixelRect
    /// The rotation and reflection after which the picture is upright.
    public let orientation: PictureOrientation
    /// The object that keeps the planes' memory in place and unchanged.
    public let owner: AnyObject & Sendable

    /// Creates a picture from planes that `owner` keeps.
    ///
    /// Returns `nil` if the size is not in 1 ... ``sizeLimit``, if planes are missing, or if a plane's rows are
    /// shorter than the width demands.
    ///
    /// - Parameters:
    ///   - planes: The planes, as many as the layout has, each with all its rows.
    ///   - crop: The visible part, clipped to the stored size; `nil` or an empty intersection for all of it.
    public init?(
        layout: Layout, width: Int, height: Int, planes: [Plane], matrix: Matrix = .bt709,
        isFullRange: Bool = false, pixelAspect: PixelAspect = .square, crop: PixelRect? = nil,
        orientation: PictureOrientation = .up, owner: AnyObject & Sendable
    ) {
        let sizes = 1...Self.sizeLimit
        guard sizes.contains(width), sizes.contains(height), planes.count == layout.planeCount else {
            return nil
        }
        for (index, plane) in planes.enumerated() {
            let needed = layout.rowByteCount(ofPlane: index, width: width)
            guard (needed...Int(Int32.max)).contains(plane.bytesPerRow) else { return nil }
        }
        let all = PixelRect(x: 0, y: 0, width: width, height: height)
        (self.layout, self.width, self.height, self.planes) = (layout, width, height, planes)
        (self.matrix, self.isFullRange) = (matrix, isFullRange)
        (self.pixelAspect, self.orientation, self.owner) = (pixelAspect, orientation, owner)
        self.crop = crop.flatMap { $0.intersection(all) } ?? all
    }
}
