/// A namespace of metadata keys.
public struct AVMetadataKeySpace: RawRepresentable, Hashable, Sendable {
    /// The short name: `org.id3`.
    public let rawValue: String

    /// Creates the key space of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates the key space of this name.
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }

    /// Names for the properties that all formats share.
    public static let common = AVMetadataKeySpace("comn")
    /// Names in MPEG-4 files, as iTunes writes them.
    public static let iTunes = AVMetadataKeySpace("itsk")
    /// Names of ID3 frames.
    public static let id3 = AVMetadataKeySpace("org.id3")
    /// Names in QuickTime user data.
    public static let quickTimeUserData = AVMetadataKeySpace("udta")
    /// Names in the user data of ISO base media files.
    public static let isoUserData = AVMetadataKeySpace("uiso")
    /// Names in QuickTime metadata.
    public static let quickTimeMetadata = AVMetadataKeySpace("mdta")
    /// Names in ICY metadata of web radio.
    public static let icy = AVMetadataKeySpace("icy")
    /// Names in other sound files.
    public static let audioFile = AVMetadataKeySpace("caaf")

    /// Custom names of programs in MPEG-4 files.
    static let iTunesLong = AVMetadataKeySpace("itlk")
    /// Names in Vorbis comments of FLAC and Ogg files; Apple has no such key space.
    static let vorbisComment = AVMetadataKeySpace("vorb")
}

/// A metadata format of a file, with one or more key spaces.
public struct AVMetadataFormat: RawRepresentable, Hashable, Sendable {
    /// The identifier of the format.
    public let rawValue: String

    /// Creates the format of this identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// QuickTime user data.
    public static let quickTimeUserData = AVMetadataFormat(rawValue: "com.apple.quicktime.udta")
    /// User data of ISO base media files.
    public static let isoUserData = AVMetadataFormat(rawValue: "org.mp4ra")
    /// QuickTime metadata.
    public static let quickTimeMetadata = AVMetadataFormat(rawValue: "com.apple.quicktime.mdta")
    /// Metadata of MPEG-4 files, as iTunes writes them.
    public static let iTunesMetadata = AVMetadataFormat(rawValue: "com.apple.itunes")
    /// ID3 tags.
    public static let id3Metadata = AVMetadataFormat(rawValue: "org.id3")
    /// An unknown format.
    public static let unknown = AVMetadataFormat(rawValue: "unknown")

    /// Vorbis comments of FLAC and Ogg files; Apple has no such format.
    static let vorbisComment = AVMetadataFormat(rawValue: "org.xiph.vorbis-comment")
    /// Metadata of other sound files.
    static let audioFile = AVMetadataFormat(rawValue: "com.apple.coreaudio.info")
}

extension AVMetadataKeySpace {
    /// The part of an identifier before the slash.
    var identifierPrefix: String {
        switch self {
        case .common: "common"
        case .id3: "id3"
        default: rawValue
        }
    }

    init(identifierPrefix: String) {
        switch identifierPrefix {
        case "common": self = .common
        case "id3": self = .id3
        default: self.init(identifierPrefix)
        }
    }

    /// The format of this key space; `nil` for the common key space.
    var format: AVMetadataFormat? {
        switch self {
        case .common: nil
        case .iTunes, .iTunesLong: .iTunesMetadata
        case .id3: .id3Metadata
        case .quickTimeUserData: .quickTimeUserData
        case .isoUserData: .isoUserData
        case .quickTimeMetadata: .quickTimeMetadata
        case .vorbisComment: .vorbisComment
        case .audioFile: .audioFile
        default: .unknown
        }
    }
}
