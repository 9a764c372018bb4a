// Encodings of pictures, as four-character codes.

/// H.263.
public let kCMVideoCodecType_H263 = CMVideoCodecType(fourCharacters: "h263")
/// HEVC with an alpha channel.
public let kCMVideoCodecType_HEVCWithAlpha = CMVideoCodecType(fourCharacters: "muxa")
/// HEVC with Dolby Vision.
public let kCMVideoCodecType_DolbyVisionHEVC = CMVideoCodecType(fourCharacters: "dvh1")
/// MPEG-4, part 2.
public let kCMVideoCodecType_MPEG4Video = CMVideoCodecType(fourCharacters: "mp4v")
/// MPEG-2.
public let kCMVideoCodecType_MPEG2Video = CMVideoCodecType(fourCharacters: "mp2v")
/// MPEG-1.
public let kCMVideoCodecType_MPEG1Video = CMVideoCodecType(fourCharacters: "mp1v")
/// VP9.
public let kCMVideoCodecType_VP9 = CMVideoCodecType(fourCharacters: "vp09")
/// AV1.
public let kCMVideoCodecType_AV1 = CMVideoCodecType(fourCharacters: "av01")
/// JPEG.
public let kCMVideoCodecType_JPEG = CMVideoCodecType(fourCharacters: "jpeg")
/// JPEG in frames of two fields, format A.
public let kCMVideoCodecType_JPEG_OpenDML = CMVideoCodecType(fourCharacters: "dmb1")
/// Sorenson Video 3.
public let kCMVideoCodecType_SorensonVideo3 = CMVideoCodecType(fourCharacters: "SVQ3")
/// DV for 525 lines.
public let kCMVideoCodecType_DVCNTSC = CMVideoCodecType(fourCharacters: "dvc ")
/// DV for 625 lines.
public let kCMVideoCodecType_DVCPAL = CMVideoCodecType(fourCharacters: "dvcp")
/// Apple Animation.
public let kCMVideoCodecType_Animation = CMVideoCodecType(fourCharacters: "rle ")
/// Apple ProRes 4444 XQ.
public let kCMVideoCodecType_AppleProRes4444XQ = CMVideoCodecType(fourCharacters: "ap4x")
/// Apple ProRes 4444.
public let kCMVideoCodecType_AppleProRes4444 = CMVideoCodecType(fourCharacters: "ap4h")
/// Apple ProRes 422 HQ.
public let kCMVideoCodecType_AppleProRes422HQ = CMVideoCodecType(fourCharacters: "apch")
/// Apple ProRes 422.
public let kCMVideoCodecType_AppleProRes422 = CMVideoCodecType(fourCharacters: "apcn")
/// Apple ProRes 422 LT.
public let kCMVideoCodecType_AppleProRes422LT = CMVideoCodecType(fourCharacters: "apcs")
/// Apple ProRes 422 Proxy.
public let kCMVideoCodecType_AppleProRes422Proxy = CMVideoCodecType(fourCharacters: "apco")
/// Apple ProRes RAW.
public let kCMVideoCodecType_AppleProResRAW = CMVideoCodecType(fourCharacters: "aprn")
/// Apple ProRes RAW HQ.
public let kCMVideoCodecType_AppleProResRAWHQ = CMVideoCodecType(fourCharacters: "aprh")

extension CMFormatDescription.MediaSubType {
    /// H.263.
    public static let h263 = Self(rawValue: kCMVideoCodecType_H263)
    /// HEVC with an alpha channel.
    public static let hevcWithAlpha = Self(rawValue: kCMVideoCodecType_HEVCWithAlpha)
    /// HEVC with Dolby Vision.
    public static let dolbyVisionHEVC = Self(rawValue: kCMVideoCodecType_DolbyVisionHEVC)
    /// MPEG-4, part 2.
    public static let mpeg4Video = Self(rawValue: kCMVideoCodecType_MPEG4Video)
    /// MPEG-2.
    public static let mpeg2Video = Self(rawValue: kCMVideoCodecType_MPEG2Video)
    /// MPEG-1.
    public static let mpeg1Video = Self(rawValue: kCMVideoCodecType_MPEG1Video)
    /// VP9.
    public static let vp9 = Self(rawValue: kCMVideoCodecType_VP9)
    /// AV1.
    public static let av1 = Self(rawValue: kCMVideoCodecType_AV1)
    /// JPEG.
    public static let jpeg = Self(rawValue: kCMVideoCodecType_JPEG)
    /// JPEG in frames of two fields, format A.
    public static let jpeg_OpenDML = Self(rawValue: kCMVideoCodecType_JPEG_OpenDML)
    /// Sorenson Video 3.
    public static let sorensonVideo3 = Self(rawValue: kCMVideoCodecType_SorensonVideo3)
    /// DV for 525 lines.
    public static let dvcNTSC = Self(rawValue: kCMVideoCodecType_DVCNTSC)
    /// DV for 625 lines.
    public static let dvcPAL = Self(rawValue: kCMVideoCodecType_DVCPAL)
    /// Apple Animation.
    public static let animation = Self(rawValue: kCMVideoCodecType_Animation)
    /// Apple ProRes 4444 XQ.
    public static let proRes4444XQ = Self(rawValue: kCMVideoCodecType_AppleProRes4444XQ)
    /// Apple ProRes 4444.
    public static let proRes4444 = Self(rawValue: kCMVideoCodecType_AppleProRes4444)
    /// Apple ProRes 422 HQ.
    public static let proRes422HQ = Self(rawValue: kCMVideoCodecType_AppleProRes422HQ)
    /// Apple ProRes 422.
    public static let proRes422 = Self(rawValue: kCMVideoCodecType_AppleProRes422)
    /// Apple ProRes 422 LT.
    public static let proRes422LT = Self(rawValue: kCMVideoCodecType_AppleProRes422LT)
    /// Apple ProRes 422 Proxy.
    public static let proRes422Proxy = Self(rawValue: kCMVideoCodecType_AppleProRes422Proxy)
    /// Apple ProRes RAW.
    public static let proResRAW = Self(rawValue: kCMVideoCodecType_AppleProResRAW)
    /// Apple ProRes RAW HQ.
    public static let proResRAWHQ = Self(rawValue: kCMVideoCodecType_AppleProResRAWHQ)
}
