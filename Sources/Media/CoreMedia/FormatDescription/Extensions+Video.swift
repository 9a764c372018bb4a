import Foundation

extension CMFormatDescription.Extensions.Key {
    /// The atoms of the sample description by name, such as `avcC` (a dictionary of data, or of arrays of
    /// data).
    public static let sampleDescriptionExtensionAtoms = Self(
        rawValue: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)
    /// The sample description as the file has it (data).
    public static let verbatimSampleDescription = Self(
        rawValue: kCMFormatDescriptionExtension_VerbatimSampleDescription)
    /// The sample entry of an ISO file as the file has it (data).
    public static let verbatimISOSampleEntry = Self(
        rawValue: kCMFormatDescriptionExtension_VerbatimISOSampleEntry)
    /// The name of the format (a string).
    public static let formatName = Self(rawValue: kCMFormatDescriptionExtension_FormatName)
    /// The bits of a pixel: 24 without alpha, 32 with alpha, or the number that the file states (a number).
    public static let depth = Self(rawValue: kCMFormatDescriptionExtension_Depth)
    /// The bits of a component (a number).
    public static let bitsPerComponent = Self(rawValue: kCMFormatDescriptionExtension_BitsPerComponent)
    /// The distance from one row of a buffer to the next, in bytes (a number).
    public static let bytesPerRow = Self(rawValue: kCMFormatDescriptionExtension_BytesPerRow)
    /// The version of the sample description (a number).
    public static let version = Self(rawValue: kCMFormatDescriptionExtension_Version)
    /// The revision of the sample description (a number).
    public static let revisionLevel = Self(rawValue: kCMFormatDescriptionExtension_RevisionLevel)
    /// The maker of the encoder (a string of four characters).
    public static let vendor = Self(rawValue: kCMFormatDescriptionExtension_Vendor)
    /// The spatial quality, 0…1024 (a number).
    public static let spatialQuality = Self(rawValue: kCMFormatDescriptionExtension_SpatialQuality)
    /// The temporal quality, 0…1024 (a number).
    public static let temporalQuality = Self(rawValue: kCMFormatDescriptionExtension_TemporalQuality)
    /// Whether 8-bit numbers use 0…255 rather than 16…235 (a Boolean).
    public static let fullRangeVideo = Self(rawValue: kCMFormatDescriptionExtension_FullRangeVideo)
    /// Whether the pictures have an alpha channel (a Boolean).
    public static let containsAlphaChannel = Self(
        rawValue: kCMFormatDescriptionExtension_ContainsAlphaChannel)
    /// The meaning of alpha (a string).
    public static let alphaChannelMode = Self(rawValue: kCMFormatDescriptionExtension_AlphaChannelMode)
    /// The part of the picture that is free of artefacts at its edges (a dictionary).
    public static let cleanAperture = Self(rawValue: kCMFormatDescriptionExtension_CleanAperture)
    /// The shape of a pixel (a dictionary).
    public static let pixelAspectRatio = Self(rawValue: kCMFormatDescriptionExtension_PixelAspectRatio)
    /// The number of fields in a picture, 1 or 2 (a number).
    public static let fieldCount = Self(rawValue: kCMFormatDescriptionExtension_FieldCount)
    /// The order of the fields (a string).
    public static let fieldDetail = Self(rawValue: kCMFormatDescriptionExtension_FieldDetail)
    /// The colours of the primaries and of white (a string).
    public static let colorPrimaries = Self(rawValue: kCMFormatDescriptionExtension_ColorPrimaries)
    /// The function between numbers and light (a string).
    public static let transferFunction = Self(rawValue: kCMFormatDescriptionExtension_TransferFunction)
    /// The matrix between Y'CbCr and RGB (a string).
    public static let yCbCrMatrix = Self(rawValue: kCMFormatDescriptionExtension_YCbCrMatrix)
    /// The exponent of a power transfer function (a number).
    public static let gammaLevel = Self(rawValue: kCMFormatDescriptionExtension_GammaLevel)
    /// An ICC profile (data).
    public static let iccProfile = Self(rawValue: kCMFormatDescriptionExtension_ICCProfile)
    /// The place of the chroma samples, in the upper field or the whole picture (a string).
    public static let chromaLocationTopField = Self(
        rawValue: kCMFormatDescriptionExtension_ChromaLocationTopField)
    /// The place of the chroma samples in the lower field (a string).
    public static let chromaLocationBottomField = Self(
        rawValue: kCMFormatDescriptionExtension_ChromaLocationBottomField)
    /// The colours and the light of the display on which the video was mastered (data, 24 bytes).
    public static let masteringDisplayColorVolume = Self(
        rawValue: kCMFormatDescriptionExtension_MasteringDisplayColorVolume)
    /// The light of the brightest pixel and the brightest frame (data, 4 bytes).
    public static let contentLightLevelInfo = Self(
        rawValue: kCMFormatDescriptionExtension_ContentLightLevelInfo)
    /// The light of the place in which the video is to be seen (data, 8 bytes).
    public static let ambientViewingEnvironment = Self(
        rawValue: kCMFormatDescriptionExtension_AmbientViewingEnvironment)
}

extension CMFormatDescription.Extensions.Value {
    /// Returns a string as a value.
    public static func string(_ value: CFString) -> Self { Self(rawValue: value) }

    /// Returns a string as a value.
    public static func string(_ value: some StringProtocol) -> Self {
        string(NSString(string: String(value)))
    }

    /// Returns a whole number as a value, which must fit 64 bits.
    public static func number(_ value: some BinaryInteger) -> Self {
        Self(rawValue: NSNumber(value: Int64(clamping: value)))
    }

    /// Returns a number as a value.
    public static func number(_ value: some BinaryFloatingPoint) -> Self {
        Self(rawValue: NSNumber(value: Double(value)))
    }

    /// Returns a truth value as a value.
    package static func boolean(_ value: Bool) -> Self { Self(rawValue: NSNumber(value: value)) }

    /// Returns the value for the pixel aspect ratio: the width and the height of a pixel in any unit.
    public static func pixelAspectRatio(horizontalSpacing: some Numeric, verticalSpacing: some Numeric)
        -> Self
    {
        Self(
            rawValue: [
                kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: horizontalSpacing,
                kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: verticalSpacing,
            ] as NSDictionary)
    }

    /// Returns the value for the clean aperture, in pixels. The offsets are those of the centre.
    ///
    /// The third label is spelled as on Apple's platforms.
    public static func cleanAperture(
        width: some Numeric, height: some Numeric, horizontalOffet: some Numeric, verticalOffset: some Numeric
    ) -> Self {
        Self(
            rawValue: [
                kCMFormatDescriptionKey_CleanApertureWidth: width,
                kCMFormatDescriptionKey_CleanApertureHeight: height,
                kCMFormatDescriptionKey_CleanApertureHorizontalOffset: horizontalOffet,
                kCMFormatDescriptionKey_CleanApertureVerticalOffset: verticalOffset,
            ] as NSDictionary)
    }

    /// Returns the value for the clean aperture, in fractions of pixels. The offsets are those of the centre.
    ///
    /// The third label is spelled as on Apple's platforms. A denominator must not be zero.
    public static func cleanAperture(
        width: (numerator: Int, denominator: Int), height: (numerator: Int, denominator: Int),
        horizontalOffet: (numerator: Int, denominator: Int),
        verticalOffset: (numerator: Int, denominator: Int)
    ) -> Self {
        let entries = [
            (
                kCMFormatDescriptionKey_CleanApertureWidth,
                kCMFormatDescriptionKey_CleanApertureWidthRational, width
            ),
            (
                kCMFormatDescriptionKey_CleanApertureHeight,
                kCMFormatDescriptionKey_CleanApertureHeightRational, height
            ),
            (
                kCMFormatDescriptionKey_CleanApertureHorizontalOffset,
                kCMFormatDescriptionKey_CleanApertureHorizontalOffsetRational, horizontalOffet
            ),
            (
                kCMFormatDescriptionKey_CleanApertureVerticalOffset,
                kCMFormatDescriptionKey_CleanApertureVerticalOffsetRational, verticalOffset
            ),
        ]
        let aperture = NSMutableDictionary()
        for (decimal, rational, value) in entries {
            aperture[decimal] = NSNumber(value: Double(value.numerator) / Double(value.denominator))
            aperture[rational] = [value.numerator, value.denominator] as NSArray
        }
        return Self(rawValue: aperture)
    }

    /// The object, as a dictionary holds it.
    public var propertyListRepresentation: CFPropertyList { rawValue }
}

extension CMFormatDescription.Extensions.Value: Hashable {
    /// Returns whether both values are equal objects.
    public static func == (left: Self, right: Self) -> Bool {
        left.rawValue === right.rawValue || (left.rawValue as? NSObject)?.isEqual(right.rawValue) ?? false
    }

    /// Hashes the object.
    public func hash(into hasher: inout Hasher) { hasher.combine((rawValue as? NSObject)?.hash) }
}

extension CMFormatDescription.Extensions: Equatable {
    /// Returns whether both have equal values under the same names.
    public static func == (left: Self, right: Self) -> Bool { left.base.isEqual(right.base) }

    /// The extension with this name, as an object.
    public subscript(key: CFString) -> CFPropertyList? {
        get { self[Key(rawValue: key)]?.rawValue }
        set { self[Key(rawValue: key)] = newValue.map { Value(rawValue: $0) } }
    }
}
