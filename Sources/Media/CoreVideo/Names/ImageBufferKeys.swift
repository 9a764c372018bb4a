import Foundation

// Keys of attachments to an image buffer, with the type of the value in parentheses, and their values.

// MARK: Shape

/// The part of the picture that is free of artefacts at its edges (a dictionary).
public var kCVImageBufferCleanApertureKey: CFString { Keys.cleanAperture.string }
/// The width of the clean aperture in pixels (a number).
public var kCVImageBufferCleanApertureWidthKey: CFString { Keys.width.string }
/// The height of the clean aperture in pixels (a number).
public var kCVImageBufferCleanApertureHeightKey: CFString { Keys.height.string }
/// The distance of the clean aperture's centre from that of the picture, to the right, in pixels (a number).
public var kCVImageBufferCleanApertureHorizontalOffsetKey: CFString { Keys.horizontalOffset.string }
/// The distance of the clean aperture's centre from that of the picture, downwards, in pixels (a number).
public var kCVImageBufferCleanApertureVerticalOffsetKey: CFString { Keys.verticalOffset.string }
/// The width which the clean aperture has on a display of square pixels, by its key, and the height (a
/// dictionary).
public var kCVImageBufferDisplayDimensionsKey: CFString { Keys.displayDimensions.string }
/// The width on a display of square pixels (a number).
public var kCVImageBufferDisplayWidthKey: CFString { Keys.width.string }
/// The height on a display of square pixels (a number).
public var kCVImageBufferDisplayHeightKey: CFString { Keys.height.string }
/// The shape of a pixel (a dictionary; square if missing).
public var kCVImageBufferPixelAspectRatioKey: CFString { Keys.pixelAspectRatio.string }
/// The width of a pixel, in any unit (a number).
public var kCVImageBufferPixelAspectRatioHorizontalSpacingKey: CFString { Keys.horizontalSpacing.string }
/// The height of a pixel, in the same unit (a number).
public var kCVImageBufferPixelAspectRatioVerticalSpacingKey: CFString { Keys.verticalSpacing.string }
/// The position in which the picture must be shown to be upright: an EXIF orientation 1…8 (a number; 1 if
/// missing).
///
/// A name of Tutti, not of Apple. The pixels are as the camera stored them; 6 means that the picture must be
/// turned by 90° clockwise, 3 by 180°, 8 by 270°; 2, 4, 5 and 7 are mirrored.
public var kTuttiImageBufferOrientationKey: CFString { Keys.orientation.string }

// MARK: Fields

/// The number of fields in the picture: 1 if progressive, 2 if interlaced (a number).
public var kCVImageBufferFieldCountKey: CFString { Keys.fieldCount.string }
/// The order of the fields (one of the following strings).
public var kCVImageBufferFieldDetailKey: CFString { Keys.fieldDetail.string }
/// The upper field is earlier, and the fields are stored one after the other.
public var kCVImageBufferFieldDetailTemporalTopFirst: CFString { Keys.temporalTopFirst.string }
/// The lower field is earlier, and the fields are stored one after the other.
public var kCVImageBufferFieldDetailTemporalBottomFirst: CFString { Keys.temporalBottomFirst.string }
/// The fields are stored line by line in turn, and the first line is earlier.
public var kCVImageBufferFieldDetailSpatialFirstLineEarly: CFString { Keys.spatialFirstLineEarly.string }
/// The fields are stored line by line in turn, and the first line is later.
public var kCVImageBufferFieldDetailSpatialFirstLineLate: CFString { Keys.spatialFirstLineLate.string }

// MARK: Chroma and alpha

/// The place of the chroma samples, in the upper field or the whole picture (one of the strings below).
public var kCVImageBufferChromaLocationTopFieldKey: CFString { Keys.chromaTop.string }
/// The place of the chroma samples in the lower field (one of the strings below).
public var kCVImageBufferChromaLocationBottomFieldKey: CFString { Keys.chromaBottom.string }
/// Chroma is between two rows, on the left column.
public var kCVImageBufferChromaLocation_Left: CFString { Keys.left.string }
/// Chroma is between two rows and two columns.
public var kCVImageBufferChromaLocation_Center: CFString { Keys.center.string }
/// Chroma is on the upper row and the left column.
public var kCVImageBufferChromaLocation_TopLeft: CFString { Keys.topLeft.string }
/// Chroma is on the upper row, between two columns.
public var kCVImageBufferChromaLocation_Top: CFString { Keys.top.string }
/// Chroma is on the lower row and the left column.
public var kCVImageBufferChromaLocation_BottomLeft: CFString { Keys.bottomLeft.string }
/// Chroma is on the lower row, between two columns.
public var kCVImageBufferChromaLocation_Bottom: CFString { Keys.bottom.string }
/// Chroma is placed as in DV: Cb and Cr on alternate rows.
public var kCVImageBufferChromaLocation_DV420: CFString { Keys.dv420.string }
/// Whether alpha is 1 everywhere and may be ignored (a Boolean).
public var kCVImageBufferAlphaChannelIsOpaque: CFString { Keys.alphaIsOpaque.string }
/// The meaning of alpha (one of the two strings below).
public var kCVImageBufferAlphaChannelModeKey: CFString { Keys.alphaMode.string }
/// The colours are not multiplied by alpha.
public var kCVImageBufferAlphaChannelMode_StraightAlpha: CFString { Keys.straightAlpha.string }
/// The colours are multiplied by alpha.
public var kCVImageBufferAlphaChannelMode_PremultipliedAlpha: CFString { Keys.premultipliedAlpha.string }

/// String objects with stable addresses, because C callers keep pointers to the keys.
private enum Keys {
    static let cleanAperture = ConstantString("CVCleanAperture")
    static let width = ConstantString("Width")
    static let height = ConstantString("Height")
    static let horizontalOffset = ConstantString("HorizontalOffset")
    static let verticalOffset = ConstantString("VerticalOffset")
    static let displayDimensions = ConstantString("CVDisplayDimensions")
    static let pixelAspectRatio = ConstantString("CVPixelAspectRatio")
    static let horizontalSpacing = ConstantString("HorizontalSpacing")
    static let verticalSpacing = ConstantString("VerticalSpacing")
    static let orientation = ConstantString("TuttiOrientation")
    static let fieldCount = ConstantString("CVFieldCount")
    static let fieldDetail = ConstantString("CVFieldDetail")
    static let temporalTopFirst = ConstantString("TemporalTopFirst")
    static let temporalBottomFirst = ConstantString("TemporalBottomFirst")
    static let spatialFirstLineEarly = ConstantString("SpatialFirstLineEarly")
    static let spatialFirstLineLate = ConstantString("SpatialFirstLineLate")
    static let chromaTop = ConstantString("CVImageBufferChromaLocationTopField")
    static let chromaBottom = ConstantString("CVImageBufferChromaLocationBottomField")
    static let left = ConstantString("Left")
    static let center = ConstantString("Center")
    static let topLeft = ConstantString("TopLeft")
    static let top = ConstantString("Top")
    static let bottomLeft = ConstantString("BottomLeft")
    static let bottom = ConstantString("Bottom")
    static let dv420 = ConstantString("DV 4:2:0")
    static let alphaIsOpaque = ConstantString("AlphaChannelIsOpaque")
    static let alphaMode = ConstantString("AlphaChannelMode")
    static let straightAlpha = ConstantString("StraightAlpha")
    static let premultipliedAlpha = ConstantString("PremultipliedAlpha")
}
