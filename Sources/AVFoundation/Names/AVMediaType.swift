/// What kind of media a track has.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public init(_ rawValue: String) { self.init(rawValue: rawValue) }

    /// Sound.
    public static let audio = AVMediaType("soun")
    /// Pictures that move.
    public static let video = AVMediaType("vide")
    /// Text.
    public static let text = AVMediaType("text")
    /// Closed captions.
    public static let closedCaption = AVMediaType("clcp")
    /// Subtitles.
    public static let subtitle = AVMediaType("sbtl")
    /// Time codes.
    public static let timecode = AVMediaType("tmcd")
    /// Metadata that goes along with time.
    public static let metadata = AVMediaType("meta")
    /// Sound and pictures in one.
    public static let muxed = AVMediaType("muxx")
    /// Depth maps.
    public static let depthData = AVMediaType("dpth")
    /// What can be felt.
    public static let haptic = AVMediaType("hapt")
}

/// Sound.
@available(*, deprecated, renamed: "AVMediaType.audio")
public let AVMediaTypeAudio = AVMediaType.audio
/// Pictures that move.
@available(*, deprecated, renamed: "AVMediaType.video")
public let AVMediaTypeVideo = AVMediaType.video
/// Text.
@available(*, deprecated, renamed: "AVMediaType.text")
public let AVMediaTypeText = AVMediaType.text
/// Closed captions.
@available(*, deprecated, renamed: "AVMediaType.closedCaption")
public let AVMediaTypeClosedCaption = AVMediaType.closedCaption
/// Subtitles.
@available(*, deprecated, renamed: "AVMediaType.subtitle")
public let AVMediaTypeSubtitle = AVMediaType.subtitle
/// Time codes.
@available(*, deprecated, renamed: "AVMediaType.timecode")
public let AVMediaTypeTimecode = AVMediaType.timecode
/// Metadata that goes along with time.
@available(*, deprecated, renamed: "AVMediaType.metadata")
public let AVMediaTypeMetadata = AVMediaType.metadata
/// Sound and pictures in one.
@available(*, deprecated, renamed: "AVMediaType.muxed")
public let AVMediaTypeMuxed = AVMediaType.muxed
