/// Whose names the keys of metadata are.
public struct AVMetadataKeySpace: RawRepresentable, Hashable, Sendable {
    /// The short name: `org.id3`.
    public let rawValue: String

    /// The key space of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The key space of this name.
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }

    /// Names for what all formats have.
    public static let common = AVMetadataKeySpace("comn")
    /// Of MPEG-4 files as iTunes writes them.
    public static let iTunes = AVMetadataKeySpace("itsk")
    /// Of ID3 tags.
    public static let id3 = AVMetadataKeySpace("org.id3")
    /// Of QuickTime's user data.
    public static let quickTimeUserData = AVMetadataKeySpace("udta")
    /// Of the user data of files by ISO's standard.
    public static let isoUserData = AVMetadataKeySpace("uiso")
    /// Of QuickTime's metadata.
    public static let quickTimeMetadata = AVMetadataKeySpace("mdta")
    /// Of web radio.
    public static let icy = AVMetadataKeySpace("icy")
    /// Of the information that other sound files carry.
    public static let audioFile = AVMetadataKeySpace("caaf")

    /// Names of a program's own in MPEG-4 files.
    static let iTunesLong = AVMetadataKeySpace("itlk")
    /// Of Vorbis comments, in FLAC and Ogg files; Apple's platforms have no name for it.
    static let vorbisComment = AVMetadataKeySpace("vorb")
}

/// A format of metadata: what one key space or several have in a file.
public struct AVMetadataFormat: RawRepresentable, Hashable, Sendable {
    /// The identifier of the format.
    public let rawValue: String

    /// The format of this identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// QuickTime's user data.
    public static let quickTimeUserData = AVMetadataFormat(rawValue: "com.apple.quicktime.udta")
    /// User data of files by ISO's standard.
    public static let isoUserData = AVMetadataFormat(rawValue: "org.mp4ra")
    /// QuickTime's metadata.
    public static let quickTimeMetadata = AVMetadataFormat(rawValue: "com.apple.quicktime.mdta")
    /// MPEG-4 files as iTunes writes them.
    public static let iTunesMetadata = AVMetadataFormat(rawValue: "com.apple.itunes")
    /// ID3 tags.
    public static let id3Metadata = AVMetadataFormat(rawValue: "org.id3")
    /// No other.
    public static let unknown = AVMetadataFormat(rawValue: "unknown")

    /// Vorbis comments, in FLAC and Ogg files; Apple's platforms have no name for it.
    static let vorbisComment = AVMetadataFormat(rawValue: "org.xiph.vorbis-comment")
    /// The information that other sound files carry.
    static let audioFile = AVMetadataFormat(rawValue: "com.apple.coreaudio.info")
}

extension AVMetadataKeySpace {
    /// How identifiers begin.
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

    /// The format that has this key space; `nil` for the common one.
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
