/// A characteristic of a track's content.
public struct AVMediaCharacteristic: RawRepresentable, Hashable, Sendable {
    /// The identifier of the characteristic.
    public let rawValue: String

    /// Creates the characteristic of this identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates the characteristic of this identifier.
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }

    /// Visual content.
    public static let visual = AVMediaCharacteristic("AVMediaCharacteristicVisual")
    /// Audible content.
    public static let audible = AVMediaCharacteristic("AVMediaCharacteristicAudible")
    /// Readable text.
    public static let legible = AVMediaCharacteristic("AVMediaCharacteristicLegible")
    /// Content made of frames.
    public static let frameBased = AVMediaCharacteristic("AVMediaCharacteristicFrameBased")
    /// Pictures whose colours go beyond those of ITU-R BT.709.
    public static let usesWideGamutColorSpace = AVMediaCharacteristic(
        "AVMediaCharacteristicUsesWideGamutColorSpace")
    /// Pictures with a high dynamic range.
    public static let containsHDRVideo = AVMediaCharacteristic("AVMediaCharacteristicContainsHDRVideo")
    /// The main programme.
    public static let isMainProgramContent = AVMediaCharacteristic("public.main-program-content")
    /// Content beside the main programme, such as a commentary.
    public static let isAuxiliaryContent = AVMediaCharacteristic("public.auxiliary-content")
    /// An audio description of the pictures.
    public static let describesVideoForAccessibility = AVMediaCharacteristic(
        "public.accessibility.describes-video")
}
