import CoreMedia

extension VideoPicture {
    /// Wraps a pixel buffer, with its colours, its pixels' shape, its clean aperture and its orientation.
    ///
    /// - Returns: `nil` for other formats than 4:2:0 of 8 bits in two or three planes, and BGRA.
    public init?(_ buffer: CVPixelBuffer) {
        let (layout, isFullRange): (Layout, Bool)
        switch CVPixelBufferGetPixelFormatType(buffer) {
        case kCVPixelFormatType_420YpCbCr8Planar: (layout, isFullRange) = (.planar420, false)
        case kCVPixelFormatType_420YpCbCr8PlanarFullRange: (layout, isFullRange) = (.planar420, true)
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: (layout, isFullRange) = (.biplanar420, false)
        case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: (layout, isFullRange) = (.biplanar420, true)
        case kCVPixelFormatType_32BGRA: (layout, isFullRange) = (.bgra, true)
        default: return nil
        }
        let lock = PixelBufferLock(buffer)
        let planes: [Plane] =
            layout == .bgra
            ? [CVPixelBufferGetBaseAddress(buffer)].compactMap(\.self).map {
                Plane(base: UnsafeRawPointer($0), bytesPerRow: CVPixelBufferGetBytesPerRow(buffer))
            }
            : (0..<CVPixelBufferGetPlaneCount(buffer)).compactMap { index in
                CVPixelBufferGetBaseAddressOfPlane(buffer, index).map {
                    Plane(
                        base: UnsafeRawPointer($0),
                        bytesPerRow: CVPixelBufferGetBytesPerRowOfPlane(buffer, index))
                }
            }
        let turn = CVBufferCopyAttachment(buffer, kTuttiImageBufferOrientationKey, nil) as? NSNumber
        self.init(
            layout: layout, width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer),
            planes: planes, matrix: Self.matrix(of: buffer), isFullRange: isFullRange,
            pixelAspect: Self.pixelAspect(of: buffer), crop: Self.crop(of: buffer),
            orientation: turn.flatMap { PictureOrientation(rawValue: $0.intValue) } ?? .up, owner: lock)
    }

    /// The matrix that is attached; else that of the size, as televisions do.
    private static func matrix(of buffer: CVPixelBuffer) -> Matrix {
        let value = CVBufferCopyAttachment(buffer, kCVImageBufferYCbCrMatrixKey, nil) as? NSString
        switch value {
        case kCVImageBufferYCbCrMatrix_ITU_R_601_4: return .bt601
        case kCVImageBufferYCbCrMatrix_ITU_R_709_2: return .bt709
        case kCVImageBufferYCbCrMatrix_ITU_R_2020: return .bt2020
        default: return CVPixelBufferGetHeight(buffer) <= 576 ? .bt601 : .bt709
        }
    }

    private static func pixelAspect(of buffer: CVPixelBuffer) -> PixelAspect {
        let value = CVBufferCopyAttachment(buffer, kCVImageBufferPixelAspectRatioKey, nil) as? NSDictionary
        func side(_ key: CFString) -> Int? { (value?[key] as? NSNumber)?.intValue }
        guard let across = side(kCVImageBufferPixelAspectRatioHorizontalSpacingKey),
            let down = side(kCVImageBufferPixelAspectRatioVerticalSpacingKey), across > 0, down > 0
        else { return .square }
        return PixelAspect(across, down)
    }

    private static func crop(of buffer: CVPixelBuffer) -> PixelRect? {
        guard CVBufferHasAttachment(buffer, kCVImageBufferCleanApertureKey) else { return nil }
        let clean = CVImageBufferGetCleanRect(buffer).integral
        return PixelRect(
            x: Int(clean.minX), y: Int(clean.minY), width: Int(clean.width), height: Int(clean.height))
    }
}

/// A buffer whose base address stays locked while the object lives.
private final class PixelBufferLock: Sendable {
    private let buffer: CVPixelBuffer

    init(_ buffer: CVPixelBuffer) {
        self.buffer = buffer
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
    }

    deinit { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
}
