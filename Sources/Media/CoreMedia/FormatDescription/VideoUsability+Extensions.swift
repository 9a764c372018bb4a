import CoreVideo

extension VideoUsability {
    /// The places of chroma samples by their number.
    private static var locations: [CFString] {
        [
            kCVImageBufferChromaLocation_Left, kCVImageBufferChromaLocation_Center,
            kCVImageBufferChromaLocation_TopLeft, kCVImageBufferChromaLocation_Top,
            kCVImageBufferChromaLocation_BottomLeft, kCVImageBufferChromaLocation_Bottom,
        ]
    }

    /// The extensions of a format description.
    var extensions: CMFormatDescription.Extensions {
        var extensions = CMFormatDescription.Extensions()
        if let pixelAspectRatio {
            extensions[.pixelAspectRatio] = .pixelAspectRatio(
                horizontalSpacing: pixelAspectRatio.horizontal, verticalSpacing: pixelAspectRatio.vertical)
        }
        if let isFullRange { extensions[.fullRangeVideo] = .boolean(isFullRange) }
        if let colors {
            extensions[.colorPrimaries] = .constant(
                CVColorPrimariesGetStringForIntegerCodePoint(colors.primaries))
            extensions[.transferFunction] = .constant(
                CVTransferFunctionGetStringForIntegerCodePoint(colors.transferFunction))
            extensions[.yCbCrMatrix] = .constant(CVYCbCrMatrixGetStringForIntegerCodePoint(colors.matrix))
        }
        if let chromaLocations {
            extensions[.chromaLocationTopField] = .string(Self.locations[chromaLocations.top])
            extensions[.chromaLocationBottomField] = .string(Self.locations[chromaLocations.bottom])
        }
        return extensions
    }
}

extension CMFormatDescription.Extensions.Value {
    /// Returns the value of a constant string; `nil` without one.
    fileprivate static func constant(_ string: Unmanaged<CFString>?) -> Self? {
        string.map { .string($0.takeUnretainedValue()) }
    }
}
