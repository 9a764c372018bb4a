/// The kind of media in a track, as a four-character code.
public typealias CMMediaType = FourCharCode

/// Sound.
public let kCMMediaType_Audio = CMMediaType(fourCharacters: "soun")
/// Pictures.
public let kCMMediaType_Video = CMMediaType(fourCharacters: "vide")
/// Text.
public let kCMMediaType_Text = CMMediaType(fourCharacters: "text")
/// Metadata.
public let kCMMediaType_Metadata = CMMediaType(fourCharacters: "meta")
/// Several kinds of media in one track.
public let kCMMediaType_Muxed = CMMediaType(fourCharacters: "muxx")

/// The encoding of pictures, as a four-character code.
public typealias CMVideoCodecType = FourCharCode

/// H.264.
public let kCMVideoCodecType_H264 = CMVideoCodecType(fourCharacters: "avc1")
/// HEVC.
public let kCMVideoCodecType_HEVC = CMVideoCodecType(fourCharacters: "hvc1")

/// The size of a picture in pixels.
public struct CMVideoDimensions: Hashable, Sendable, BitwiseCopyable {
    /// The width in pixels.
    public var width: Int32
    /// The height in pixels.
    public var height: Int32

    /// Creates a size of zero.
    public init() { self.init(width: 0, height: 0) }

    /// Creates a size from width and height in pixels.
    public init(width: Int32, height: Int32) {
        self.width = width
        self.height = height
    }
}

extension CMFormatDescription {
    /// The kind of media: sound, pictures or text.
    public struct MediaType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The four-character code.
        public var rawValue: CMMediaType

        /// Creates the type with a four-character code, named here or not.
        public init(rawValue: CMMediaType) { self.rawValue = rawValue }

        /// Sound.
        public static let audio = MediaType(rawValue: kCMMediaType_Audio)
        /// Pictures.
        public static let video = MediaType(rawValue: kCMMediaType_Video)
        /// Text.
        public static let text = MediaType(rawValue: kCMMediaType_Text)
        /// Metadata.
        public static let metadata = MediaType(rawValue: kCMMediaType_Metadata)
        /// Several kinds of media in one track.
        public static let muxed = MediaType(rawValue: kCMMediaType_Muxed)

        /// The four characters in quotes.
        public var description: String { rawValue.characters }
    }

    /// The encoding of media data.
    public struct MediaSubType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The four-character code.
        public var rawValue: FourCharCode

        /// Creates the subtype with a four-character code, named here or not.
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

        /// The four characters in quotes.
        public var description: String { rawValue.characters }
    }
}

extension FourCharCode {
    /// The code as text in quotes, with a dot for each unprintable character.
    var characters: String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
        let text = bytes.map { (0x20...0x7E).contains($0) ? Character(UnicodeScalar($0)) : "." }
        return "'" + String(text) + "'"
    }
}
