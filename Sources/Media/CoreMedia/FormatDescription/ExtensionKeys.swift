import CoreVideo
import Foundation

// Keys of the extensions of a video format, with the type of the value in parentheses. Keys that image
// buffers have too are the same strings.

/// The atoms of the sample description by name, such as `avcC` (a dictionary of data, or of arrays of data).
public var kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms: CFString {
    Keys.sampleDescriptionExtensionAtoms.string
}
/// The sample description as the file has it (data).
public var kCMFormatDescriptionExtension_VerbatimSampleDescription: CFString {
    Keys.verbatimSampleDescription.string
}
/// The sample entry of an ISO file as the file has it (data).
public var kCMFormatDescriptionExtension_VerbatimISOSampleEntry: CFString {
    Keys.verbatimISOSampleEntry.string
}
/// The name of the format (a string).
public var kCMFormatDescriptionExtension_FormatName: CFString { Keys.formatName.string }
/// The bits of a pixel: 24 without alpha, 32 with alpha, or the number that the file states (a number).
public var kCMFormatDescriptionExtension_Depth: CFString { Keys.depth.string }
/// The bits of a component (a number).
public var kCMFormatDescriptionExtension_BitsPerComponent: CFString { Keys.bitsPerComponent.string }
/// The distance from one row of a buffer to the next, in bytes (a number).
public var kCMFormatDescriptionExtension_BytesPerRow: CFString { Keys.bytesPerRow.string }
/// The version of the sample description (a number).
public var kCMFormatDescriptionExtension_Version: CFString { Keys.version.string }
/// The revision of the sample description (a number).
public var kCMFormatDescriptionExtension_RevisionLevel: CFString { Keys.revisionLevel.string }
/// The maker of the encoder (a string of four characters).
public var kCMFormatDescriptionExtension_Vendor: CFString { Keys.vendor.string }
/// The spatial quality, 0…1024 (a number).
public var kCMFormatDescriptionExtension_SpatialQuality: CFString { Keys.spatialQuality.string }
/// The temporal quality, 0…1024 (a number).
public var kCMFormatDescriptionExtension_TemporalQuality: CFString { Keys.temporalQuality.string }
/// Whether 8-bit numbers use 0…255 rather than 16…235 (a Boolean).
public var kCMFormatDescriptionExtension_FullRangeVideo: CFString { Keys.fullRangeVideo.string }
/// Whether the pictures have an alpha channel (a Boolean).
public var kCMFormatDescriptionExtension_ContainsAlphaChannel: CFString { Keys.containsAlphaChannel.string }
/// The meaning of alpha (a string).
public var kCMFormatDescriptionExtension_AlphaChannelMode: CFString { kCVImageBufferAlphaChannelModeKey }
/// The part of the picture that is free of artefacts at its edges (a dictionary).
public var kCMFormatDescriptionExtension_CleanAperture: CFString { kCVImageBufferCleanApertureKey }
/// The shape of a pixel (a dictionary).
public var kCMFormatDescriptionExtension_PixelAspectRatio: CFString { kCVImageBufferPixelAspectRatioKey }
/// The number of fields in a picture, 1 or 2 (a number).
public var kCMFormatDescriptionExtension_FieldCount: CFString { kCVImageBufferFieldCountKey }
/// The order of the fields (a string).
public var kCMFormatDescriptionExtension_FieldDetail: CFString { kCVImageBufferFieldDetailKey }
/// The colours of the primaries and of white (a string).
public var kCMFormatDescriptionExtension_ColorPrimaries: CFString { kCVImageBufferColorPrimariesKey }
/// The function between numbers and light (a string).
public var kCMFormatDescriptionExtension_TransferFunction: CFString { kCVImageBufferTransferFunctionKey }
/// The matrix between Y'CbCr and RGB (a string).
public var kCMFormatDescriptionExtension_YCbCrMatrix: CFString { kCVImageBufferYCbCrMatrixKey }
/// The exponent of a power transfer function (a number).
public var kCMFormatDescriptionExtension_GammaLevel: CFString { kCVImageBufferGammaLevelKey }
/// An ICC profile (data).
public var kCMFormatDescriptionExtension_ICCProfile: CFString { kCVImageBufferICCProfileKey }
/// The place of the chroma samples, in the upper field or the whole picture (a string).
public var kCMFormatDescriptionExtension_ChromaLocationTopField: CFString {
    kCVImageBufferChromaLocationTopFieldKey
}
/// The place of the chroma samples in the lower field (a string).
public var kCMFormatDescriptionExtension_ChromaLocationBottomField: CFString {
    kCVImageBufferChromaLocationBottomFieldKey
}
/// The colours and the light of the display on which the video was mastered (data, 24 bytes).
public var kCMFormatDescriptionExtension_MasteringDisplayColorVolume: CFString {
    kCVImageBufferMasteringDisplayColorVolumeKey
}
/// The light of the brightest pixel and the brightest frame (data, 4 bytes).
public var kCMFormatDescriptionExtension_ContentLightLevelInfo: CFString {
    kCVImageBufferContentLightLevelInfoKey
}
/// The light of the place in which the video is to be seen (data, 8 bytes).
public var kCMFormatDescriptionExtension_AmbientViewingEnvironment: CFString {
    kCVImageBufferAmbientViewingEnvironmentKey
}

// Keys of the clean aperture and of the pixel aspect ratio.

/// The width of the clean aperture in pixels (a number).
public var kCMFormatDescriptionKey_CleanApertureWidth: CFString { kCVImageBufferCleanApertureWidthKey }
/// The height of the clean aperture in pixels (a number).
public var kCMFormatDescriptionKey_CleanApertureHeight: CFString { kCVImageBufferCleanApertureHeightKey }
/// The distance of the clean aperture's centre from that of the picture, to the right, in pixels (a number).
public var kCMFormatDescriptionKey_CleanApertureHorizontalOffset: CFString {
    kCVImageBufferCleanApertureHorizontalOffsetKey
}
/// The distance of the clean aperture's centre from that of the picture, downwards, in pixels (a number).
public var kCMFormatDescriptionKey_CleanApertureVerticalOffset: CFString {
    kCVImageBufferCleanApertureVerticalOffsetKey
}
/// The width of the clean aperture as a fraction (an array of two numbers).
public var kCMFormatDescriptionKey_CleanApertureWidthRational: CFString { Keys.widthRational.string }
/// The height of the clean aperture as a fraction (an array of two numbers).
public var kCMFormatDescriptionKey_CleanApertureHeightRational: CFString { Keys.heightRational.string }
/// The horizontal offset of the clean aperture as a fraction (an array of two numbers).
public var kCMFormatDescriptionKey_CleanApertureHorizontalOffsetRational: CFString {
    Keys.horizontalOffsetRational.string
}
/// The vertical offset of the clean aperture as a fraction (an array of two numbers).
public var kCMFormatDescriptionKey_CleanApertureVerticalOffsetRational: CFString {
    Keys.verticalOffsetRational.string
}
/// The width of a pixel, in any unit (a number).
public var kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: CFString {
    kCVImageBufferPixelAspectRatioHorizontalSpacingKey
}
/// The height of a pixel, in the same unit (a number).
public var kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: CFString {
    kCVImageBufferPixelAspectRatioVerticalSpacingKey
}

/// String objects with stable addresses, because C callers keep pointers to the keys.
private enum Keys {
    static let sampleDescriptionExtensionAtoms = ConstantString("SampleDescriptionExtensionAtoms")
    static let verbatimSampleDescription = ConstantString("VerbatimSampleDescription")
    static let verbatimISOSampleEntry = ConstantString("VerbatimISOSampleEntry")
    static let formatName = ConstantString("FormatName")
    static let depth = ConstantString("Depth")
    static let bitsPerComponent = ConstantString("BitsPerComponent")
    static let bytesPerRow = ConstantString("CVBytesPerRow")
    static let version = ConstantString("Version")
    static let revisionLevel = ConstantString("RevisionLevel")
    static let vendor = ConstantString("Vendor")
    static let spatialQuality = ConstantString("SpatialQuality")
    static let temporalQuality = ConstantString("TemporalQuality")
    static let fullRangeVideo = ConstantString("FullRangeVideo")
    static let containsAlphaChannel = ConstantString("ContainsAlphaChannel")
    static let widthRational = ConstantString("WidthRational")
    static let heightRational = ConstantString("HeightRational")
    static let horizontalOffsetRational = ConstantString("HorizontalOffsetRational")
    static let verticalOffsetRational = ConstantString("VerticalOffsetRational")
}
