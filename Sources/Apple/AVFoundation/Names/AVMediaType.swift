/// The kind of media in a track.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
    /// The four-character code.
    public let rawValue: String

    /// Creates the type of this four-character code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates the type of this four-character code.
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }

    /// Sound.
    public static let audio = AVMediaType("soun")
    /// Moving pictures.
    public static let video = AVMediaType("vide")
    /// Text.
    public static let text = AVMediaType("text")
    /// Closed captions.
    public static let closedCaption = AVMediaType("clcp")
    /// Subtitles.
    public static let subtitle = AVMediaType("sbtl")
    /// Time codes.
    public static let timecode = AVMediaType("tmcd")
    /// Timed metadata.
    public static let metadata = AVMediaType("meta")
    /// Sound and pictures in one stream.
    public static let muxed = AVMediaType("muxx")
    /// Depth maps.
    public static let depthData = AVMediaType("dpth")
    /// Haptic feedback.
    public static let haptic = AVMediaType("hapt")
}

/// Sound.
@available(*, deprecated, renamed: "AVMediaType.audio")
public let AVMediaTypeAudio = AVMediaType.audio
/// Moving pictures.
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
/// Timed metadata.
@available(*, deprecated, renamed: "AVMediaType.metadata")
public let AVMediaTypeMetadata = AVMediaType.metadata
/// Sound and pictures in one stream.
@available(*, deprecated, renamed: "AVMediaType.muxed")
public let AVMediaTypeMuxed = AVMediaType.muxed
