import Foundation

extension CMFormatDescription.Extensions.Value {
    /// The colours of the primaries and of white.
    public struct ColorPrimaries: RawRepresentable, Hashable, Sendable {
        private let name: String

        /// Creates the value with this string, named here or not.
        public init(rawValue: CFString) { name = rawValue as String }

        /// The string.
        public var rawValue: CFString { name as NSString }

        /// The primaries of ITU-R BT.709.
        public static let itu_R_709_2 = Self(rawValue: kCMFormatDescriptionColorPrimaries_ITU_R_709_2)
        /// The primaries of EBU Tech. 3213, for 625 lines.
        public static let ebu_3213 = Self(rawValue: kCMFormatDescriptionColorPrimaries_EBU_3213)
        /// The primaries of SMPTE C, for 525 lines.
        public static let smpte_C = Self(rawValue: kCMFormatDescriptionColorPrimaries_SMPTE_C)
        /// The primaries of P22 phosphors.
        public static let p22 = Self(rawValue: kCMFormatDescriptionColorPrimaries_P22)
        /// The primaries of ITU-R BT.2020.
        public static let itu_R_2020 = Self(rawValue: kCMFormatDescriptionColorPrimaries_ITU_R_2020)
        /// The primaries of DCI-P3 with the white of cinemas.
        public static let dci_P3 = Self(rawValue: kCMFormatDescriptionColorPrimaries_DCI_P3)
        /// The primaries of DCI-P3 with the white D65.
        public static let p3_D65 = Self(rawValue: kCMFormatDescriptionColorPrimaries_P3_D65)
    }

    /// The function between numbers and light.
    public struct TransferFunction: RawRepresentable, Hashable, Sendable {
        private let name: String

        /// Creates the value with this string, named here or not.
        public init(rawValue: CFString) { name = rawValue as String }

        /// The string.
        public var rawValue: CFString { name as NSString }

        /// The transfer function of ITU-R BT.709.
        public static let itu_R_709_2 = Self(rawValue: kCMFormatDescriptionTransferFunction_ITU_R_709_2)
        /// The transfer function of SMPTE 240M.
        public static let smpte_240M_1995 = Self(
            rawValue: kCMFormatDescriptionTransferFunction_SMPTE_240M_1995)
        /// A power whose exponent is in ``CMFormatDescription/Extensions/Key/gammaLevel``.
        public static let useGamma = Self(rawValue: kCMFormatDescriptionTransferFunction_UseGamma)
        /// The transfer function of ITU-R BT.2020.
        public static let itu_R_2020 = Self(rawValue: kCMFormatDescriptionTransferFunction_ITU_R_2020)
        /// The transfer function of SMPTE ST 428-1.
        public static let smpte_ST_428_1 = Self(rawValue: kCMFormatDescriptionTransferFunction_SMPTE_ST_428_1)
        /// The transfer function of sRGB.
        public static let sRGB = Self(rawValue: kCMFormatDescriptionTransferFunction_sRGB)
        /// The perceptual quantizer of SMPTE ST 2084, for high dynamic range.
        public static let smpte_ST_2084_PQ = Self(
            rawValue: kCMFormatDescriptionTransferFunction_SMPTE_ST_2084_PQ)
        /// The hybrid log-gamma of ITU-R BT.2100, for high dynamic range.
        public static let itu_R_2100_HLG = Self(rawValue: kCMFormatDescriptionTransferFunction_ITU_R_2100_HLG)
        /// Numbers proportional to light.
        public static let linear = Self(rawValue: kCMFormatDescriptionTransferFunction_Linear)
    }

    /// The matrix between Y'CbCr and RGB.
    public struct YCbCrMatrix: RawRepresentable, Hashable, Sendable {
        private let name: String

        /// Creates the value with this string, named here or not.
        public init(rawValue: CFString) { name = rawValue as String }

        /// The string.
        public var rawValue: CFString { name as NSString }

        /// The matrix of ITU-R BT.709.
        public static let itu_R_709_2 = Self(rawValue: kCMFormatDescriptionYCbCrMatrix_ITU_R_709_2)
        /// The matrix of ITU-R BT.601.
        public static let itu_R_601_4 = Self(rawValue: kCMFormatDescriptionYCbCrMatrix_ITU_R_601_4)
        /// The matrix of SMPTE 240M.
        public static let smpte_240M_1995 = Self(rawValue: kCMFormatDescriptionYCbCrMatrix_SMPTE_240M_1995)
        /// The matrix of ITU-R BT.2020 with non-constant luminance.
        public static let itu_R_2020 = Self(rawValue: kCMFormatDescriptionYCbCrMatrix_ITU_R_2020)
    }

    /// The order of the fields.
    public struct FieldDetail: RawRepresentable, Hashable, Sendable {
        private let name: String

        /// Creates the value with this string, named here or not.
        public init(rawValue: CFString) { name = rawValue as String }

        /// The string.
        public var rawValue: CFString { name as NSString }

        /// The upper field is earlier, and the fields are stored one after the other.
        public static let temporalTopFirst = Self(rawValue: kCMFormatDescriptionFieldDetail_TemporalTopFirst)
        /// The lower field is earlier, and the fields are stored one after the other.
        public static let temporalBottomFirst = Self(
            rawValue: kCMFormatDescriptionFieldDetail_TemporalBottomFirst)
        /// The fields are stored line by line in turn, and the first line is earlier.
        public static let spatialFirstLineEarly = Self(
            rawValue: kCMFormatDescriptionFieldDetail_SpatialFirstLineEarly)
        /// The fields are stored line by line in turn, and the first line is later.
        public static let spatialFirstLineLate = Self(
            rawValue: kCMFormatDescriptionFieldDetail_SpatialFirstLineLate)
    }

    /// The place of the chroma samples.
    public struct ChromaLocation: RawRepresentable, Hashable, Sendable {
        private let name: String

        /// Creates the value with this string, named here or not.
        public init(rawValue: CFString) { name = rawValue as String }

        /// The string.
        public var rawValue: CFString { name as NSString }

        /// Chroma is between two rows, on the left column.
        public static let left = Self(rawValue: kCMFormatDescriptionChromaLocation_Left)
        /// Chroma is between two rows and two columns.
        public static let center = Self(rawValue: kCMFormatDescriptionChromaLocation_Center)
        /// Chroma is on the upper row and the left column.
        public static let topLeft = Self(rawValue: kCMFormatDescriptionChromaLocation_TopLeft)
        /// Chroma is on the upper row, between two columns.
        public static let top = Self(rawValue: kCMFormatDescriptionChromaLocation_Top)
        /// Chroma is on the lower row and the left column.
        public static let bottomLeft = Self(rawValue: kCMFormatDescriptionChromaLocation_BottomLeft)
        /// Chroma is on the lower row, between two columns.
        public static let bottom = Self(rawValue: kCMFormatDescriptionChromaLocation_Bottom)
        /// Chroma is placed as in DV: Cb and Cr on alternate rows.
        public static let dv420 = Self(rawValue: kCMFormatDescriptionChromaLocation_DV420)
    }

    /// The meaning of alpha.
    public struct AlphaChannelMode: RawRepresentable, Hashable, Sendable {
        private let name: String

        /// Creates the value with this string, named here or not.
        public init(rawValue: CFString) { name = rawValue as String }

        /// The string.
        public var rawValue: CFString { name as NSString }

        /// The colours are not multiplied by alpha.
        public static let straightAlpha = Self(rawValue: kCMFormatDescriptionAlphaChannelMode_StraightAlpha)
        /// The colours are multiplied by alpha.
        public static let premultipliedAlpha = Self(
            rawValue: kCMFormatDescriptionAlphaChannelMode_PremultipliedAlpha)
    }

    /// Returns the value for the colours of the primaries and of white.
    public static func colorPrimaries(_ colorPrimaries: ColorPrimaries) -> Self {
        string(colorPrimaries.rawValue)
    }

    /// Returns the value for the function between numbers and light.
    public static func transferFunction(_ transferFunction: TransferFunction) -> Self {
        string(transferFunction.rawValue)
    }

    /// Returns the value for the matrix between Y'CbCr and RGB.
    public static func yCbCrMatrix(_ yCbCrMatrix: YCbCrMatrix) -> Self { string(yCbCrMatrix.rawValue) }

    /// Returns the value for the order of the fields.
    public static func fieldDetail(_ fieldDetail: FieldDetail) -> Self { string(fieldDetail.rawValue) }

    /// Returns the value for the place of the chroma samples.
    public static func chromaLocation(_ chromaLocation: ChromaLocation) -> Self {
        string(chromaLocation.rawValue)
    }

    /// Returns the value for the meaning of alpha.
    public static func alphaChannelMode(_ alphaChannelMode: AlphaChannelMode) -> Self {
        string(alphaChannelMode.rawValue)
    }
}
