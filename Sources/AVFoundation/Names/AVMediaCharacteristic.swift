/// What a track offers its listener or viewer.
public struct AVMediaCharacteristic: RawRepresentable, Hashable, Sendable {
    /// The identifier.
    public let rawValue: String

    /// The characteristic of this identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The characteristic of this identifier.
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }

    /// Something to see.
    public static let visual = AVMediaCharacteristic("AVMediaCharacteristicVisual")
    /// Something to hear.
    public static let audible = AVMediaCharacteristic("AVMediaCharacteristicAudible")
    /// Something to read.
    public static let legible = AVMediaCharacteristic("AVMediaCharacteristicLegible")
    /// Made of single frames.
    public static let frameBased = AVMediaCharacteristic("AVMediaCharacteristicFrameBased")
    /// Part of the programme itself.
    public static let isMainProgramContent = AVMediaCharacteristic("public.main-program-content")
    /// Beside the programme, as a commentary is.
    public static let isAuxiliaryContent = AVMediaCharacteristic("public.auxiliary-content")
    /// Tells in words what is to be seen.
    public static let describesVideoForAccessibility = AVMediaCharacteristic(
        "public.accessibility.describes-video")
}
