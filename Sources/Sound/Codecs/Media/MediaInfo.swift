import TuttiMediaTime

/// The contents of a file or address.
public struct MediaInfo: Hashable, Sendable {
    /// The path or address passed to ``MediaReader``.
    public let path: String
    /// The container's short name, e.g. `mp3`, `flac`, `mov`.
    public let container: String
    /// The parameters of the audio stream being read.
    public let stream: AudioStreamParameters
    /// The number of audible frames, at the stream's rate; `nil` for a live stream, an estimate if the file
    /// declares no length.
    public let frameCount: Int64?
    /// Whether ``frameCount`` is the container's own count, neither estimated nor rounded. The count of an
    /// MP3 behind an address may include the padding, so it is not exact.
    public let isFrameCountExact: Bool
    /// Whether ``frameCount`` is a guess from the bit rate of the first packets; the sound may be far longer
    /// or shorter.
    public let isFrameCountGuessed: Bool
    /// The container's time of frame 0, in frames at the stream's rate. Pictures of the file are shown at their
    /// container's time less this one.
    public let zeroTime: Int64
    /// Whether the file has pictures and no sound, and silence of the pictures' length is read in its place.
    public let isSilent: Bool
    /// The frame at which the pictures end, as their stream declares it; `nil` without pictures, or if it is unknown.
    public let pictureEnd: Int64?
    /// The frame at which the whole of an MP4 or QuickTime file ends, see ``presentedEnd(of:)``; `nil` for others.
    let movieEnd: Int64?
    /// Inaudible frames at the start; `nil` if the file does not declare them.
    public let encoderDelay: Int?
    /// Inaudible frames at the end; `nil` if the file does not declare them.
    public let encoderPadding: Int?
    /// The common tags of the track.
    public let tags: MediaTags
    /// The loudness of the track and its album, as tags tell it.
    public let loudness: LoudnessTags
    /// All text metadata of the file, then that of the stream.
    public let metadata: [MediaTag]
    /// The embedded picture, or one from the file's folder: `cover`, `folder`, `front`, `album` or
    /// `albumart`.
    public private(set) var artwork: Artwork?
    /// All streams in file order, except attached pictures.
    public let streams: [MediaStream]
    /// The ``MediaStream/index`` of the stream being read.
    public let streamIndex: Int
    /// Bits per second of the stream, or of the whole file if the stream's rate is unknown; 0 if neither is
    /// known.
    public let bitRate: Int64
    /// Whether ``MediaReader/seek(toFrame:)`` can seek backwards.
    public let isSeekable: Bool
    /// Whether the stream is endless and discards data that is not read in time: radio, or a live playlist.
    public let isLive: Bool
    /// Named sections of the sound, ordered by start.
    public let chapters: [MediaChapter]

    /// The stream's codec.
    public var codec: AudioCodec { stream.codec }
    /// The stream's AAC profile; `nil` for other codecs.
    public var aacProfile: AACProfile? { stream.aacProfile }
    /// The rate of the decoded sound.
    public var sampleRate: SampleRate { stream.sampleRate }
    /// The number of channels.
    public var channelCount: Int { stream.channelCount }
    /// Bits per sample of the source; `nil` for lossy codecs.
    public var bitDepth: Int? { stream.bitDepth }
    /// The codec's set-up bytes.
    public var cookie: [UInt8] { stream.cookie }
    /// A copy without the picture, which may be large.
    public var withoutArtwork: MediaInfo {
        var info = self
        info.artwork = nil
        return info
    }

    /// The number of frames until sound and pictures have ended; `nil` for a live stream. Pictures that are longer by less than
    /// a tenth of a second, as in most films, do not count.
    public var wholeFrameCount: Int64? {
        frameCount.map { count in
            let end = pictureEnd ?? 0
            return end >= count + Int64(sampleRate.hertz) / 10 ? end : count
        }
    }

    /// The audible length; `nil` for a live stream.
    public var duration: Duration? { frameCount.map(stream.sampleRate.duration(of:)) }
}

/// The common tags of a track, as written in its file.
public struct MediaTags: Hashable, Sendable {
    /// The track's title.
    public var title: String?
    /// The track's artist.
    public var artist: String?
    /// The album's title.
    public var album: String?
    /// The album's artist.
    public var albumArtist: String?
    /// The genre.
    public var genre: String?
    /// The composer.
    public var composer: String?
    /// The track number on its disc.
    public var track: Int?
    /// The disc number.
    public var disc: Int?
    /// The year of the recording or release.
    public var year: Int?

    /// Creates empty tags.
    public init() {}

    /// The most characters of a text; longer texts are cut.
    static let textLimit = 4096

    /// - Parameter value: Returns the text of a tag, given FFmpeg's name for it.
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

    /// Parses the leading number: 3 of "3/12", 1999 of "1999-05-01".
    private static func leadingNumber(_ text: String) -> Int? {
        Int(text.drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber })
    }
}

/// A picture that belongs to an audio file.
public struct Artwork: Hashable, Sendable {
    /// The most bytes of a picture; larger pictures are ignored.
    public static let byteLimit = 8 * 1024 * 1024

    /// The encoded picture.
    public let bytes: [UInt8]
    /// `image/jpeg` or `image/png`.
    public let mimeType: String
}
