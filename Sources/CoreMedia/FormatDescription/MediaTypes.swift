/// What a track is for, as four characters.
public typealias CMMediaType = FourCharCode

/// Sound.
public let kCMMediaType_Audio = CMMediaType(fourCharacters: "soun")
/// Pictures.
public let kCMMediaType_Video = CMMediaType(fourCharacters: "vide")
/// Text.
public let kCMMediaType_Text = CMMediaType(fourCharacters: "text")
/// Metadata.
public let kCMMediaType_Metadata = CMMediaType(fourCharacters: "meta")
/// Several kinds in one.
public let kCMMediaType_Muxed = CMMediaType(fourCharacters: "muxx")

/// Which encoding pictures have.
public typealias CMVideoCodecType = FourCharCode

/// H.264.
public let kCMVideoCodecType_H264 = CMVideoCodecType(fourCharacters: "avc1")
/// HEVC.
public let kCMVideoCodecType_HEVC = CMVideoCodecType(fourCharacters: "hvc1")

/// The size of a picture in pixels.
public struct CMVideoDimensions: Hashable, Sendable, BitwiseCopyable {
    /// Pixels in a row.
    public var width: Int32
    /// Rows.
    public var height: Int32

    /// No picture.
    public init() { self.init(width: 0, height: 0) }

    /// A picture of this size.
    public init(width: Int32, height: Int32) {
        self.width = width
        self.height = height
    }
}

extension CMFormatDescription {
    /// What the data is: sound, pictures, text.
    public struct MediaType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The four-character code.
        public var rawValue: CMMediaType

        /// The type of a four-character code, with a name here or not.
        public init(rawValue: CMMediaType) { self.rawValue = rawValue }

        /// Sound.
        public static let audio = MediaType(rawValue: kCMMediaType_Audio)
        /// Pictures.
        public static let video = MediaType(rawValue: kCMMediaType_Video)
        /// Text.
        public static let text = MediaType(rawValue: kCMMediaType_Text)
        /// Metadata.
        public static let metadata = MediaType(rawValue: kCMMediaType_Metadata)
        /// Several kinds in one.
        public static let muxed = MediaType(rawValue: kCMMediaType_Muxed)

        /// The four characters.
        public var description: String { rawValue.characters }
    }

    /// How the data is encoded.
    public struct MediaSubType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The four-character code.
        public var rawValue: FourCharCode

        /// The subtype of a four-character code, with a name here or not.
        public init(rawValue: FourCharCode) { self.rawValue = rawValue }

        /// Uncompressed audio.
        public static let linearPCM = MediaSubType(rawValue: kAudioFormatLinearPCM)
        /// AAC, low complexity.
        public static let mpeg4AAC = MediaSubType(rawValue: kAudioFormatMPEG4AAC)
        /// High-efficiency AAC.
        public static let mpeg4AAC_HE = MediaSubType(rawValue: kAudioFormatMPEG4AAC_HE)
        /// High-efficiency AAC, second version.
        public static let mpeg4AAC_HE_V2 = MediaSubType(rawValue: kAudioFormatMPEG4AAC_HE_V2)
        /// AAC, low delay.
        public static let mpeg4AAC_LD = MediaSubType(rawValue: kAudioFormatMPEG4AAC_LD)
        /// AAC, enhanced low delay.
        public static let mpeg4AAC_ELD = MediaSubType(rawValue: kAudioFormatMPEG4AAC_ELD)
        /// Apple Lossless.
        public static let appleLossless = MediaSubType(rawValue: kAudioFormatAppleLossless)
        /// MPEG audio, layer 1.
        public static let mpegLayer1 = MediaSubType(rawValue: kAudioFormatMPEGLayer1)
        /// MPEG audio, layer 2.
        public static let mpegLayer2 = MediaSubType(rawValue: kAudioFormatMPEGLayer2)
        /// MPEG audio, layer 3.
        public static let mpegLayer3 = MediaSubType(rawValue: kAudioFormatMPEGLayer3)
        /// FLAC.
        public static let flac = MediaSubType(rawValue: kAudioFormatFLAC)
        /// Opus.
        public static let opus = MediaSubType(rawValue: kAudioFormatOpus)
        /// AC-3.
        public static let ac3 = MediaSubType(rawValue: kAudioFormatAC3)
        /// Enhanced AC-3.
        public static let enhancedAC3 = MediaSubType(rawValue: kAudioFormatEnhancedAC3)
        /// H.264.
        public static let h264 = MediaSubType(rawValue: kCMVideoCodecType_H264)
        /// HEVC.
        public static let hevc = MediaSubType(rawValue: kCMVideoCodecType_HEVC)

        /// The four characters.
        public var description: String { rawValue.characters }
    }
}

extension FourCharCode {
    /// The code as text in quotes, with a dot for what cannot be printed.
    var characters: String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
        let text = bytes.map { (0x20...0x7E).contains($0) ? Character(UnicodeScalar($0)) : "." }
        return "'" + String(text) + "'"
    }
}
