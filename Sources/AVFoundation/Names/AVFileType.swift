/// A file format, by its uniform type identifier.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public init(_ rawValue: String) { self.init(rawValue: rawValue) }

    /// QuickTime movie; `.mov`.
    public static let mov = AVFileType("com.apple.quicktime-movie")
    /// MPEG-4; `.mp4`.
    public static let mp4 = AVFileType("public.mpeg-4")
    /// MPEG-4 video as iTunes has it; `.m4v`.
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
