import CoreMedia
import Foundation
import TuttiCodecs

extension PictureLayout {
    /// The layout of a public pixel format; `nil` for formats that pictures are not converted to.
    package init?(pixelFormat: OSType) {
        switch pixelFormat {
        case kCVPixelFormatType_420YpCbCr8Planar: self = .planar420(isFullRange: false)
        case kCVPixelFormatType_420YpCbCr8PlanarFullRange: self = .planar420(isFullRange: true)
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: self = .biplanar420(isFullRange: false)
        case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: self = .biplanar420(isFullRange: true)
        case kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange: self = .biplanar422(isFullRange: false)
        case kCVPixelFormatType_422YpCbCr8BiPlanarFullRange: self = .biplanar422(isFullRange: true)
        case kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange: self = .biplanar444(isFullRange: false)
        case kCVPixelFormatType_444YpCbCr8BiPlanarFullRange: self = .biplanar444(isFullRange: true)
        case kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: self = .tenBit420(isFullRange: false)
        case kCVPixelFormatType_420YpCbCr10BiPlanarFullRange: self = .tenBit420(isFullRange: true)
        case kCVPixelFormatType_422YpCbCr8: self = .packed422
        case kCVPixelFormatType_422YpCbCr8_yuvs: self = .packed422YFirst
        case kCVPixelFormatType_32BGRA: self = .bgra
        case kCVPixelFormatType_32ARGB: self = .argb
        case kCVPixelFormatType_32RGBA: self = .rgba
        case kCVPixelFormatType_32ABGR: self = .abgr
        case kCVPixelFormatType_24RGB: self = .rgb24
        case kCVPixelFormatType_24BGR: self = .bgr24
        case kCVPixelFormatType_OneComponent8: self = .gray(isFullRange: true)
        default: return nil
        }
    }

    /// The public pixel format of the layout.
    package var pixelFormat: OSType {
        switch self {
        case .planar420(let isFull):
            isFull ? kCVPixelFormatType_420YpCbCr8PlanarFullRange : kCVPixelFormatType_420YpCbCr8Planar
        case .biplanar420(let isFull):
            isFull
                ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
                : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        case .biplanar422(let isFull):
            isFull
                ? kCVPixelFormatType_422YpCbCr8BiPlanarFullRange
                : kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange
        case .biplanar444(let isFull):
            isFull
                ? kCVPixelFormatType_444YpCbCr8BiPlanarFullRange
                : kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange
        case .tenBit420(let isFull):
            isFull
                ? kCVPixelFormatType_420YpCbCr10BiPlanarFullRange
                : kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        case .packed422: kCVPixelFormatType_422YpCbCr8
        case .packed422YFirst: kCVPixelFormatType_422YpCbCr8_yuvs
        case .bgra: kCVPixelFormatType_32BGRA
        case .argb: kCVPixelFormatType_32ARGB
        case .rgba: kCVPixelFormatType_32RGBA
        case .abgr: kCVPixelFormatType_32ABGR
        case .rgb24: kCVPixelFormatType_24RGB
        case .bgr24: kCVPixelFormatType_24BGR
        case .gray: kCVPixelFormatType_OneComponent8
        }
    }

    /// Whether the public pixel format has the same range; the public format of grey has the full range.
    package var hasPublicFormat: Bool { self != .gray(isFullRange: false) }
}

extension VideoColor.Matrix {
    /// The matrix that is attached to a buffer; else that of the size, as televisions do.
    static func attached(to buffer: CVPixelBuffer) -> VideoColor.Matrix {
        switch CVBufferCopyAttachment(buffer, kCVImageBufferYCbCrMatrixKey, nil) as? NSString {
        case kCVImageBufferYCbCrMatrix_ITU_R_601_4: .bt601
        case kCVImageBufferYCbCrMatrix_ITU_R_709_2: .bt709
        case kCVImageBufferYCbCrMatrix_ITU_R_2020: .bt2020
        default: .usual(height: CVPixelBufferGetHeight(buffer))
        }
    }
}

extension VideoColor {
    /// Attaches the colours to a buffer, as far as they are known.
    func attach(to buffer: CVPixelBuffer, isRGB: Bool) {
        func set(_ key: CFString, _ value: CFString?) {
            if let value { CVBufferSetAttachment(buffer, key, value, .shouldPropagate) }
        }
        if !isRGB {
            // The matrix by which ``PictureConverter`` converts red, green and blue.
            let usual = VideoColor.Matrix.usual(height: CVPixelBufferGetHeight(buffer))
            let value: CFString? =
                switch matrix == .rgb ? usual : matrix {
                case .bt601: kCVImageBufferYCbCrMatrix_ITU_R_601_4
                case .bt709: kCVImageBufferYCbCrMatrix_ITU_R_709_2
                case .bt2020: kCVImageBufferYCbCrMatrix_ITU_R_2020
                case .rgb: nil
                }
            set(kCVImageBufferYCbCrMatrixKey, value)
        }
        let first = CVColorPrimariesGetStringForIntegerCodePoint(Int32(clamping: primaries))
        set(kCVImageBufferColorPrimariesKey, first?.takeUnretainedValue())
        let second = CVTransferFunctionGetStringForIntegerCodePoint(Int32(clamping: transfer))
        set(kCVImageBufferTransferFunctionKey, second?.takeUnretainedValue())
    }
}
