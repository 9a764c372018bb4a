import CoreVideo
import Foundation

// Values of the extensions of a video format: the same strings as those of image buffers.

// MARK: Colour primaries

/// The primaries of ITU-R BT.709.
public var kCMFormatDescriptionColorPrimaries_ITU_R_709_2: CFString {
    kCVImageBufferColorPrimaries_ITU_R_709_2
}
/// The primaries of EBU Tech. 3213, for 625 lines.
public var kCMFormatDescriptionColorPrimaries_EBU_3213: CFString { kCVImageBufferColorPrimaries_EBU_3213 }
/// The primaries of SMPTE C, for 525 lines.
public var kCMFormatDescriptionColorPrimaries_SMPTE_C: CFString { kCVImageBufferColorPrimaries_SMPTE_C }
/// The primaries of P22 phosphors.
public var kCMFormatDescriptionColorPrimaries_P22: CFString { kCVImageBufferColorPrimaries_P22 }
/// The primaries of ITU-R BT.2020.
public var kCMFormatDescriptionColorPrimaries_ITU_R_2020: CFString { kCVImageBufferColorPrimaries_ITU_R_2020 }
/// The primaries of DCI-P3 with the white of cinemas.
public var kCMFormatDescriptionColorPrimaries_DCI_P3: CFString { kCVImageBufferColorPrimaries_DCI_P3 }
/// The primaries of DCI-P3 with the white D65.
public var kCMFormatDescriptionColorPrimaries_P3_D65: CFString { kCVImageBufferColorPrimaries_P3_D65 }

// MARK: Transfer functions

/// The transfer function of ITU-R BT.709.
public var kCMFormatDescriptionTransferFunction_ITU_R_709_2: CFString {
    kCVImageBufferTransferFunction_ITU_R_709_2
}
/// The transfer function of SMPTE 240M.
public var kCMFormatDescriptionTransferFunction_SMPTE_240M_1995: CFString {
    kCVImageBufferTransferFunction_SMPTE_240M_1995
}
/// A power whose exponent is in ``kCMFormatDescriptionExtension_GammaLevel``.
public var kCMFormatDescriptionTransferFunction_UseGamma: CFString { kCVImageBufferTransferFunction_UseGamma }
/// The transfer function of ITU-R BT.2020.
public var kCMFormatDescriptionTransferFunction_ITU_R_2020: CFString {
    kCVImageBufferTransferFunction_ITU_R_2020
}
/// The transfer function of SMPTE ST 428-1.
public var kCMFormatDescriptionTransferFunction_SMPTE_ST_428_1: CFString {
    kCVImageBufferTransferFunction_SMPTE_ST_428_1
}
/// The transfer function of sRGB.
public var kCMFormatDescriptionTransferFunction_sRGB: CFString { kCVImageBufferTransferFunction_sRGB }
/// The perceptual quantizer of SMPTE ST 2084, for high dynamic range.
public var kCMFormatDescriptionTransferFunction_SMPTE_ST_2084_PQ: CFString {
    kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ
}
/// The hybrid log-gamma of ITU-R BT.2100, for high dynamic range.
public var kCMFormatDescriptionTransferFunction_ITU_R_2100_HLG: CFString {
    kCVImageBufferTransferFunction_ITU_R_2100_HLG
}
/// Numbers proportional to light.
public var kCMFormatDescriptionTransferFunction_Linear: CFString { kCVImageBufferTransferFunction_Linear }

// MARK: Matrices

/// The matrix of ITU-R BT.709.
public var kCMFormatDescriptionYCbCrMatrix_ITU_R_709_2: CFString { kCVImageBufferYCbCrMatrix_ITU_R_709_2 }
/// The matrix of ITU-R BT.601.
public var kCMFormatDescriptionYCbCrMatrix_ITU_R_601_4: CFString { kCVImageBufferYCbCrMatrix_ITU_R_601_4 }
/// The matrix of SMPTE 240M.
public var kCMFormatDescriptionYCbCrMatrix_SMPTE_240M_1995: CFString {
    kCVImageBufferYCbCrMatrix_SMPTE_240M_1995
}
/// The matrix of ITU-R BT.2020 with non-constant luminance.
public var kCMFormatDescriptionYCbCrMatrix_ITU_R_2020: CFString { kCVImageBufferYCbCrMatrix_ITU_R_2020 }

// MARK: Field orders

/// The upper field is earlier, and the fields are stored one after the other.
public var kCMFormatDescriptionFieldDetail_TemporalTopFirst: CFString {
    kCVImageBufferFieldDetailTemporalTopFirst
}
/// The lower field is earlier, and the fields are stored one after the other.
public var kCMFormatDescriptionFieldDetail_TemporalBottomFirst: CFString {
    kCVImageBufferFieldDetailTemporalBottomFirst
}
/// The fields are stored line by line in turn, and the first line is earlier.
public var kCMFormatDescriptionFieldDetail_SpatialFirstLineEarly: CFString {
    kCVImageBufferFieldDetailSpatialFirstLineEarly
}
/// The fields are stored line by line in turn, and the first line is later.
public var kCMFormatDescriptionFieldDetail_SpatialFirstLineLate: CFString {
    kCVImageBufferFieldDetailSpatialFirstLineLate
}

// MARK: Places of chroma samples

/// Chroma is between two rows, on the left column.
public var kCMFormatDescriptionChromaLocation_Left: CFString { kCVImageBufferChromaLocation_Left }
/// Chroma is between two rows and two columns.
public var kCMFormatDescriptionChromaLocation_Center: CFString { kCVImageBufferChromaLocation_Center }
/// Chroma is on the upper row and the left column.
public var kCMFormatDescriptionChromaLocation_TopLeft: CFString { kCVImageBufferChromaLocation_TopLeft }
/// Chroma is on the upper row, between two columns.
public var kCMFormatDescriptionChromaLocation_Top: CFString { kCVImageBufferChromaLocation_Top }
/// Chroma is on the lower row and the left column.
public var kCMFormatDescriptionChromaLocation_BottomLeft: CFString { kCVImageBufferChromaLocation_BottomLeft }
/// Chroma is on the lower row, between two columns.
public var kCMFormatDescriptionChromaLocation_Bottom: CFString { kCVImageBufferChromaLocation_Bottom }
/// Chroma is placed as in DV: Cb and Cr on alternate rows.
public var kCMFormatDescriptionChromaLocation_DV420: CFString { kCVImageBufferChromaLocation_DV420 }

// MARK: Meanings of alpha

/// The colours are not multiplied by alpha.
public var kCMFormatDescriptionAlphaChannelMode_StraightAlpha: CFString {
    kCVImageBufferAlphaChannelMode_StraightAlpha
}
/// The colours are multiplied by alpha.
public var kCMFormatDescriptionAlphaChannelMode_PremultipliedAlpha: CFString {
    kCVImageBufferAlphaChannelMode_PremultipliedAlpha
}
