import Foundation

// Keys of attachments that describe the colours of an image buffer, and their values.

// MARK: Matrix

/// The matrix between Y'CbCr and RGB (one of the following strings).
public var kCVImageBufferYCbCrMatrixKey: CFString { Colors.matrix.string }
/// The matrix of ITU-R BT.709.
public var kCVImageBufferYCbCrMatrix_ITU_R_709_2: CFString { Colors.itu709.string }
/// The matrix of ITU-R BT.601.
public var kCVImageBufferYCbCrMatrix_ITU_R_601_4: CFString { Colors.itu601.string }
/// The matrix of SMPTE 240M.
public var kCVImageBufferYCbCrMatrix_SMPTE_240M_1995: CFString { Colors.smpte240M.string }
/// The matrix of ITU-R BT.2020 with non-constant luminance.
public var kCVImageBufferYCbCrMatrix_ITU_R_2020: CFString { Colors.itu2020.string }

// MARK: Primaries

/// The colours of the primaries and of white (one of the following strings).
public var kCVImageBufferColorPrimariesKey: CFString { Colors.primaries.string }
/// The primaries of ITU-R BT.709.
public var kCVImageBufferColorPrimaries_ITU_R_709_2: CFString { Colors.itu709.string }
/// The primaries of EBU Tech. 3213, for 625 lines.
public var kCVImageBufferColorPrimaries_EBU_3213: CFString { Colors.ebu3213.string }
/// The primaries of SMPTE C, for 525 lines.
public var kCVImageBufferColorPrimaries_SMPTE_C: CFString { Colors.smpteC.string }
/// The primaries of P22 phosphors.
public var kCVImageBufferColorPrimaries_P22: CFString { Colors.p22.string }
/// The primaries of ITU-R BT.2020.
public var kCVImageBufferColorPrimaries_ITU_R_2020: CFString { Colors.itu2020.string }
/// The primaries of DCI-P3 with the white of cinemas.
public var kCVImageBufferColorPrimaries_DCI_P3: CFString { Colors.dciP3.string }
/// The primaries of DCI-P3 with the white D65.
public var kCVImageBufferColorPrimaries_P3_D65: CFString { Colors.p3D65.string }

// MARK: Transfer function

/// The function between numbers and light (one of the following strings).
public var kCVImageBufferTransferFunctionKey: CFString { Colors.transfer.string }
/// The transfer function of ITU-R BT.709.
public var kCVImageBufferTransferFunction_ITU_R_709_2: CFString { Colors.itu709.string }
/// The transfer function of SMPTE 240M.
public var kCVImageBufferTransferFunction_SMPTE_240M_1995: CFString { Colors.smpte240M.string }
/// A power whose exponent is in ``kCVImageBufferGammaLevelKey``.
public var kCVImageBufferTransferFunction_UseGamma: CFString { Colors.useGamma.string }
/// The transfer function of ITU-R BT.2020.
public var kCVImageBufferTransferFunction_ITU_R_2020: CFString { Colors.itu2020.string }
/// The transfer function of SMPTE ST 428-1.
public var kCVImageBufferTransferFunction_SMPTE_ST_428_1: CFString { Colors.smpte428.string }
/// The transfer function of sRGB.
public var kCVImageBufferTransferFunction_sRGB: CFString { Colors.sRGB.string }
/// The perceptual quantizer of SMPTE ST 2084, for high dynamic range.
public var kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ: CFString { Colors.pq.string }
/// The hybrid log-gamma of ITU-R BT.2100, for high dynamic range.
public var kCVImageBufferTransferFunction_ITU_R_2100_HLG: CFString { Colors.hlg.string }
/// Numbers proportional to light.
public var kCVImageBufferTransferFunction_Linear: CFString { Colors.linear.string }

// MARK: Other descriptions

/// The exponent of a power transfer function (a number).
public var kCVImageBufferGammaLevelKey: CFString { Colors.gammaLevel.string }
/// An ICC profile (data).
public var kCVImageBufferICCProfileKey: CFString { Colors.iccProfile.string }
/// The colour space (a `CGColorSpace`).
public var kCVImageBufferCGColorSpaceKey: CFString { Colors.colorSpace.string }
/// The colours and the light of the display on which the picture was mastered (data, 24 bytes).
public var kCVImageBufferMasteringDisplayColorVolumeKey: CFString { Colors.masteringDisplay.string }
/// The light of the brightest pixel and the brightest frame (data, 4 bytes).
public var kCVImageBufferContentLightLevelInfoKey: CFString { Colors.contentLightLevel.string }
/// The light of the place in which the picture is to be seen (data, 8 bytes).
public var kCVImageBufferAmbientViewingEnvironmentKey: CFString { Colors.ambientViewing.string }

/// String objects with stable addresses, because C callers keep pointers to the keys.
enum Colors {
    static let matrix = ConstantString("CVImageBufferYCbCrMatrix")
    static let primaries = ConstantString("CVImageBufferColorPrimaries")
    static let transfer = ConstantString("CVImageBufferTransferFunction")
    static let gammaLevel = ConstantString("CVImageBufferGammaLevel")
    static let iccProfile = ConstantString("CVImageBufferICCProfile")
    static let colorSpace = ConstantString("CGColorSpace")
    static let masteringDisplay = ConstantString("MasteringDisplayColorVolume")
    static let contentLightLevel = ConstantString("ContentLightLevelInfo")
    static let ambientViewing = ConstantString("AmbientViewingEnvironment")
    static let itu709 = ConstantString("ITU_R_709_2")
    static let itu601 = ConstantString("ITU_R_601_4")
    static let itu2020 = ConstantString("ITU_R_2020")
    static let smpte240M = ConstantString("SMPTE_240M_1995")
    static let ebu3213 = ConstantString("EBU_3213")
    static let smpteC = ConstantString("SMPTE_C")
    static let p22 = ConstantString("P22")
    static let dciP3 = ConstantString("DCI_P3")
    static let p3D65 = ConstantString("P3_D65")
    static let useGamma = ConstantString("UseGamma")
    static let smpte428 = ConstantString("SMPTE_ST_428_1")
    static let sRGB = ConstantString("IEC_sRGB")
    static let pq = ConstantString("SMPTE_ST_2084_PQ")
    static let hlg = ConstantString("ITU_R_2100_HLG")
    static let linear = ConstantString("Linear")
}
