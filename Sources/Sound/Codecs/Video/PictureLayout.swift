import CTuttiFFmpeg

/// A layout of a picture in memory that programs know.
package enum PictureLayout: Hashable, Sendable {
    /// 4:2:0, 8 bits, three planes: luma, blue and red difference.
    case planar420(isFullRange: Bool)
    /// 4:2:0, 8 bits, two planes: luma, and both differences in turn.
    case biplanar420(isFullRange: Bool)
    /// 4:2:2, 8 bits, two planes.
    case biplanar422(isFullRange: Bool)
    /// 4:4:4, 8 bits, two planes.
    case biplanar444(isFullRange: Bool)
    /// 4:2:0, 10 bits in the upper bits of 16, two planes.
    case tenBit420(isFullRange: Bool)
    /// 4:2:2, 8 bits, one plane: blue difference, luma, red difference, luma.
    case packed422
    /// 4:2:2, 8 bits, one plane: luma, blue difference, luma, red difference.
    case packed422YFirst
    /// Bytes blue, green, red, alpha.
    case bgra
    /// Bytes alpha, red, green, blue.
    case argb
    /// Bytes red, green, blue, alpha.
    case rgba
    /// Bytes alpha, blue, green, red.
    case abgr
    /// Bytes red, green, blue.
    case rgb24
    /// Bytes blue, green, red.
    case bgr24
    /// One byte of brightness.
    case gray(isFullRange: Bool)

    init?(_ format: AVPixelFormat, isFullRange: Bool) {
        switch format {
        case AV_PIX_FMT_YUV420P: self = .planar420(isFullRange: isFullRange)
        case AV_PIX_FMT_YUVJ420P: self = .planar420(isFullRange: true)
        case AV_PIX_FMT_NV12: self = .biplanar420(isFullRange: isFullRange)
        case AV_PIX_FMT_NV16: self = .biplanar422(isFullRange: isFullRange)
        case AV_PIX_FMT_NV24: self = .biplanar444(isFullRange: isFullRange)
        case AV_PIX_FMT_P010LE: self = .tenBit420(isFullRange: isFullRange)
        case AV_PIX_FMT_UYVY422: self = .packed422
        case AV_PIX_FMT_YUYV422: self = .packed422YFirst
        case AV_PIX_FMT_BGRA: self = .bgra
        case AV_PIX_FMT_ARGB: self = .argb
        case AV_PIX_FMT_RGBA: self = .rgba
        case AV_PIX_FMT_ABGR: self = .abgr
        case AV_PIX_FMT_RGB24: self = .rgb24
        case AV_PIX_FMT_BGR24: self = .bgr24
        case AV_PIX_FMT_GRAY8: self = .gray(isFullRange: isFullRange)
        default: return nil
        }
    }

    var format: AVPixelFormat {
        switch self {
        case .planar420: AV_PIX_FMT_YUV420P
        case .biplanar420: AV_PIX_FMT_NV12
        case .biplanar422: AV_PIX_FMT_NV16
        case .biplanar444: AV_PIX_FMT_NV24
        case .tenBit420: AV_PIX_FMT_P010LE
        case .packed422: AV_PIX_FMT_UYVY422
        case .packed422YFirst: AV_PIX_FMT_YUYV422
        case .bgra: AV_PIX_FMT_BGRA
        case .argb: AV_PIX_FMT_ARGB
        case .rgba: AV_PIX_FMT_RGBA
        case .abgr: AV_PIX_FMT_ABGR
        case .rgb24: AV_PIX_FMT_RGB24
        case .bgr24: AV_PIX_FMT_BGR24
        case .gray: AV_PIX_FMT_GRAY8
        }
    }

    /// Whether samples use all their values.
    package var isFullRange: Bool {
        switch self {
        case .planar420(let isFull), .biplanar420(let isFull), .biplanar422(let isFull),
            .biplanar444(let isFull), .tenBit420(let isFull), .gray(let isFull):
            isFull
        case .packed422, .packed422YFirst: false
        case .bgra, .argb, .rgba, .abgr, .rgb24, .bgr24: true
        }
    }

    /// The layout of the fewest steps from this one that screens know: itself, 4:2:0 of the same range, or red, green
    /// and blue.
    package var shown: PictureLayout {
        switch self {
        case .planar420, .biplanar420, .bgra: self
        default: isRGB ? .bgra : .planar420(isFullRange: isFullRange)
        }
    }

    /// Whether the samples are red, green and blue.
    package var isRGB: Bool {
        switch self {
        case .bgra, .argb, .rgba, .abgr, .rgb24, .bgr24: true
        default: false
        }
    }

    /// The sizes of the planes, in samples (pairs of them where two kinds are interleaved); odd sides round up.
    func planeSizes(width: Int, height: Int) -> [(width: Int, height: Int)] {
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        switch self {
        case .planar420: return [(width, height), (halfWidth, halfHeight), (halfWidth, halfHeight)]
        case .biplanar420, .tenBit420: return [(width, height), (halfWidth, halfHeight)]
        case .biplanar422: return [(width, height), (halfWidth, height)]
        case .biplanar444: return [(width, height), (width, height)]
        case .packed422, .packed422YFirst, .bgra, .argb, .rgba, .abgr, .rgb24, .bgr24, .gray:
            return [(width, height)]
        }
    }
}
