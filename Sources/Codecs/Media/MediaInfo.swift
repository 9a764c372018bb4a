import MediaTime

/// What a file or address contains.
public struct MediaInfo: Hashable, Sendable {
    /// The path or address as it was given.
    public let path: String
    /// The container's short name, e.g. `mp3`, `flac`, `mov`.
    public let container: String
    public let stream: AudioStreamParameters
    /// Frames that are heard, at the stream's rate; `nil` for a live stream, an estimate where the file says nothing.
    public let frameCount: Int64?
    /// Whether ``frameCount`` is the container's own count of frames, and not an estimate or rounded. That of an
    /// MP3 behind an address may have the padding in it, so it is not.
    public let isFrameCountExact: Bool
    /// Whether ``frameCount`` is a guess from the bit rate of the first packets: the sound may be far longer, or shorter.
    public let isFrameCountGuessed: Bool
    /// Frames at the start that are decoded and not heard; `nil` when the file does not say.
    public let encoderDelay: Int?
    /// Frames at the end that are decoded and not heard; `nil` when the file does not say.
    public let encoderPadding: Int?
    public let tags: MediaTags
    /// Everything that the file says about itself in words, the file's first, then the stream's.
    public let metadata: [MediaTag]
    /// Of the file itself, or from its folder: `cover`, `folder`, `front`, `album` or `albumart`.
    public private(set) var artwork: Artwork?
    /// All streams in the order of the file; pictures that go with the sound are not among them.
    public let streams: [MediaStream]
    /// ``MediaStream/index`` of the one that is read.
    public let streamIndex: Int
    /// Bits per second of the stream, or of the whole file where the stream's are not known; else 0.
    public let bitRate: Int64
    /// Whether ``MediaReader/seek(toFrame:)`` can go back.
    public let isSeekable: Bool
    /// Whether it goes on for ever, and what is not read in time is gone: radio, or a playlist that moves on.
    public let isLive: Bool
    /// Named parts of the sound, in the order of their beginnings.
    public let chapters: [MediaChapter]

    public var codec: AudioCodec { stream.codec }
    public var aacProfile: AACProfile? { stream.aacProfile }
    public var sampleRate: SampleRate { stream.sampleRate }
    public var channelCount: Int { stream.channelCount }
    public var bitDepth: Int? { stream.bitDepth }
    public var cookie: [UInt8] { stream.cookie }
    /// The same without the picture, which may be large.
    public var withoutArtwork: MediaInfo {
        var info = self
        info.artwork = nil
        return info
    }

    public var duration: Duration? { frameCount.map(stream.sampleRate.duration(of:)) }
}

/// Words and numbers about a track, as its file has them.
public struct MediaTags: Hashable, Sendable {
    public var title: String?
    public var artist: String?
    public var album: String?
    public var albumArtist: String?
    public var genre: String?
    public var composer: String?
    public var track: Int?
    public var disc: Int?
    public var year: Int?

    public init() {}

    /// Longer texts are cut.
    static let textLimit = 4096

    /// - Parameter value: Looks a tag up by the library's name for it.
    init(value: (String) -> String?) {
        func text(_ key: String) -> String? {
            guard let found = value(key)?.prefix(Self.textLimit), !found.isEmpty else { return nil }
            return String(found)
        }
        title = text("title")
        artist = text("artist")
        album = text("album")
        albumArtist = text("album_artist")
        genre = text("genre")
        composer = text("composer")
        track = text("track").flatMap(Self.leadingNumber)
        disc = text("disc").flatMap(Self.leadingNumber)
        year = (text("date") ?? text("year")).flatMap(Self.leadingNumber)
    }

    /// 3 of "3/12", 1999 of "1999-05-01".
    private static func leadingNumber(_ text: String) -> Int? {
        Int(text.drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber })
    }
}

/// A picture that goes with a file of sound.
public struct Artwork: Hashable, Sendable {
    /// Larger pictures are left out.
    public static let byteLimit = 8 * 1024 * 1024

    public let bytes: [UInt8]
    /// `image/jpeg` or `image/png`.
    public let mimeType: String
}
