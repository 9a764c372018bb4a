/// A file format, by its uniform type identifier.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
    /// The uniform type identifier.
    public let rawValue: String

    /// Creates the type of this identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates the type of this identifier.
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }

    /// QuickTime movie; `.mov`.
    public static let mov = AVFileType("com.apple.quicktime-movie")
    /// MPEG-4; `.mp4`.
    public static let mp4 = AVFileType("public.mpeg-4")
    /// MPEG-4 video of iTunes; `.m4v`.
    public static let m4v = AVFileType("com.apple.m4v-video")
    /// MPEG-4 audio; `.m4a`.
    public static let m4a = AVFileType("com.apple.m4a-audio")
    /// 3GPP; `.3gp`.
    public static let mobile3GPP = AVFileType("public.3gpp")
    /// 3GPP2; `.3g2`.
    public static let mobile3GPP2 = AVFileType("public.3gpp2")
    /// Core Audio format; `.caf`.
    public static let caf = AVFileType("com.apple.coreaudio-format")
    /// WAVE; `.wav`.
    public static let wav = AVFileType("com.microsoft.waveform-audio")
    /// AIFF; `.aiff`.
    public static let aiff = AVFileType("public.aiff-audio")
    /// AIFF-C; `.aifc`.
    public static let aifc = AVFileType("public.aifc-audio")
    /// Adaptive multi-rate; `.amr`.
    public static let amr = AVFileType("org.3gpp.adaptive-multi-rate-audio")
    /// MPEG layer 3; `.mp3`.
    public static let mp3 = AVFileType("public.mp3")
    /// Sun audio; `.au`.
    public static let au = AVFileType("public.au-audio")
    /// AC-3; `.ac3`.
    public static let ac3 = AVFileType("public.ac3-audio")
    /// Enhanced AC-3; `.eac3`.
    public static let eac3 = AVFileType("public.enhanced-ac3-audio")
}

/// QuickTime movie; `.mov`.
@available(*, deprecated, renamed: "AVFileType.mov")
public let AVFileTypeQuickTimeMovie = AVFileType.mov
/// MPEG-4; `.mp4`.
@available(*, deprecated, renamed: "AVFileType.mp4")
public let AVFileTypeMPEG4 = AVFileType.mp4
/// MPEG-4 video of iTunes; `.m4v`.
@available(*, deprecated, renamed: "AVFileType.m4v")
public let AVFileTypeAppleM4V = AVFileType.m4v
/// MPEG-4 audio; `.m4a`.
@available(*, deprecated, renamed: "AVFileType.m4a")
public let AVFileTypeAppleM4A = AVFileType.m4a
/// 3GPP; `.3gp`.
@available(*, deprecated, renamed: "AVFileType.mobile3GPP")
public let AVFileType3GPP = AVFileType.mobile3GPP
/// 3GPP2; `.3g2`.
@available(*, deprecated, renamed: "AVFileType.mobile3GPP2")
public let AVFileType3GPP2 = AVFileType.mobile3GPP2
/// Core Audio format; `.caf`.
@available(*, deprecated, renamed: "AVFileType.caf")
public let AVFileTypeCoreAudioFormat = AVFileType.caf
/// WAVE; `.wav`.
@available(*, deprecated, renamed: "AVFileType.wav")
public let AVFileTypeWAVE = AVFileType.wav
/// AIFF; `.aiff`.
@available(*, deprecated, renamed: "AVFileType.aiff")
public let AVFileTypeAIFF = AVFileType.aiff
/// AIFF-C; `.aifc`.
@available(*, deprecated, renamed: "AVFileType.aifc")
public let AVFileTypeAIFC = AVFileType.aifc
/// Adaptive multi-rate; `.amr`.
@available(*, deprecated, renamed: "AVFileType.amr")
public let AVFileTypeAMR = AVFileType.amr
/// MPEG layer 3; `.mp3`.
@available(*, deprecated, renamed: "AVFileType.mp3")
public let AVFileTypeMPEGLayer3 = AVFileType.mp3
/// Sun audio; `.au`.
@available(*, deprecated, renamed: "AVFileType.au")
public let AVFileTypeSunAU = AVFileType.au
/// AC-3; `.ac3`.
@available(*, deprecated, renamed: "AVFileType.ac3")
public let AVFileTypeAC3 = AVFileType.ac3
/// Enhanced AC-3; `.eac3`.
@available(*, deprecated, renamed: "AVFileType.eac3")
public let AVFileTypeEnhancedAC3 = AVFileType.eac3
