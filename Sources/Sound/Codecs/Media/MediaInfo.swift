import TuttiMediaTime

/// The contents of a file or address.
package struct MediaInfo: Hashable, Sendable {
    /// The path or address passed to ``MediaReader``.
    package let path: String
    /// The container's short name, e.g. `mp3`, `flac`, `mov`.
    package let container: String
    /// The parameters of the audio stream being read.
    package let stream: AudioStreamParameters
    /// The number of audible frames, at the stream's rate; `nil` for a live stream, an estimate if the file
    /// declares no length.
    package let frameCount: Int64?
    /// Whether ``frameCount`` is the container's own count, neither estimated nor rounded. The count of an
    /// MP3 behind an address may include the padding, so it is not exact.
    package let isFrameCountExact: Bool
    /// Whether ``frameCount`` is a guess from the bit rate of the first packets; the sound may be far longer
    /// or shorter.
    package let isFrameCountGuessed: Bool
    /// The container's time of frame 0, in frames at the stream's rate. Pictures of the file are shown at their
    /// container's time less this one.
    package let zeroTime: Int64
    /// Whether the file has pictures and no sound, and silence of the pictures' length is read in its place.
    package let isSilent: Bool
    /// The frame at which the pictures end, as their stream declares it; `nil` without pictures, or if it is unknown.
    package let pictureEnd: Int64?
    /// The frame at which the whole of an MP4 or QuickTime file ends, see ``presentedEnd(of:)``; `nil` for others.
    let movieEnd: Int64?
    /// Inaudible frames at the start; `nil` if the file does not declare them.
    package let encoderDelay: Int?
    /// Inaudible frames at the end; `nil` if the file does not declare them.
    package let encoderPadding: Int?
    /// The common tags of the track.
    package let tags: MediaTags
    /// The loudness of the track and its album, as tags tell it.
    package let loudness: LoudnessTags
    /// All text metadata of the file, then that of the stream.
    package let metadata: [MediaTag]
    /// The embedded picture, or one from the file's folder: `cover`, `folder`, `front`, `album` or
    /// `albumart`.
    package private(set) var artwork: Artwork?
    /// All streams in file order, except attached pictures.
    package let streams: [MediaStream]
    /// The ``MediaStream/index`` of the stream being read.
    package let streamIndex: Int
    /// Bits per second of the stream, or of the whole file if the stream's rate is unknown; 0 if neither is
    /// known.
    package let bitRate: Int64
    /// Whether ``MediaReader/seek(toFrame:)`` can seek backwards.
    package let isSeekable: Bool
    /// Whether the stream is endless and discards data that is not read in time: radio, or a live playlist.
    package let isLive: Bool
    /// Named sections of the sound, ordered by start.
    package let chapters: [MediaChapter]

    /// The stream's codec.
    package var codec: AudioCodec { stream.codec }
    /// The stream's AAC profile; `nil` for other codecs.
    package var aacProfile: AACProfile? { stream.aacProfile }
    /// The rate of the decoded sound.
    package var sampleRate: SampleRate { stream.sampleRate }
    /// The number of channels.
    package var channelCount: Int { stream.channelCount }
    /// Bits per sample of the source; `nil` for lossy codecs.
    package var bitDepth: Int? { stream.bitDepth }
    /// The codec's set-up bytes.
    package var cookie: [UInt8] { stream.cookie }
    /// A copy without the picture, which may be large.
    package var withoutArtwork: MediaInfo {
        var info = self
        info.artwork = nil
        return info
    }

    /// The number of frames until sound and pictures have ended; `nil` for a live stream. Pictures that are longer by less than
    /// a tenth of a second, as in most films, do not count.
    package var wholeFrameCount: Int64? {
        frameCount.map { count in
            let end = pictureEnd ?? 0
            return end >= count + Int64(sampleRate.hertz) / 10 ? end : count
        }
    }

    /// The audible length; `nil` for a live stream.
    package var duration: Duration? { frameCount.map(stream.sampleRate.duration(of:)) }
}

/// The common tags of a track, as written in its file.
package struct MediaTags: Hashable, Sendable {
    /// The track's title.
    package var title: String?
    /// The track's artist.
    package var artist: String?
    /// The album's title.
    package var album: String?
    /// The album's artist.
    package var albumArtist: String?
    /// The genre.
    package var genre: String?
    /// The composer.
    package var composer: String?
    /// The track number on its disc.
    package var track: Int?
    /// The disc number.
    package var disc: Int?
    /// The year of the recording or release.
    package var year: Int?

    /// Creates empty tags.
    package init() {}

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
        let date = text("date").flatMap(Self.leadingNumber) ?? text("year").flatMap(Self.leadingNumber)
        year = date.map { Self.year(of: $0) }
    }

    /// Returns the year of a date without hyphens, such as 19990501; other numbers are years already.
    private static func year(of number: Int) -> Int {
        (10_000_101...99_991_231).contains(number) ? number / 10_000 : number
    }

    /// Parses the leading number: 3 of "3/12", 1999 of "1999-05-01".
    private static func leadingNumber(_ text: String) -> Int? {
        Int(text.drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber })
    }
}

/// A picture that belongs to an audio file.
package struct Artwork: Hashable, Sendable {
    /// The most bytes of a picture; larger pictures are ignored.
    package static let byteLimit = 8 * 1024 * 1024

    /// The encoded picture.
    package let bytes: [UInt8]
    /// `image/jpeg` or `image/png`.
    package let mimeType: String
}
