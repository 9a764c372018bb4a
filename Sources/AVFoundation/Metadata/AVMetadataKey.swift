/// The name of a piece of metadata inside its key space.
public struct AVMetadataKey: RawRepresentable, Hashable, Sendable {
    /// The key as the key space writes it.
    public let rawValue: String

    /// The key of a text, with a constant here or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The key of a text, with a constant here or not.
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }
}

// The common key space.

extension AVMetadataKey {
    /// The title.
    public static let commonKeyTitle = AVMetadataKey("title")
    /// Who made it: the composer of music.
    public static let commonKeyCreator = AVMetadataKey("creator")
    /// What it is about.
    public static let commonKeySubject = AVMetadataKey("subject")
    /// What it is, in words.
    public static let commonKeyDescription = AVMetadataKey("description")
    /// Who publishes it.
    public static let commonKeyPublisher = AVMetadataKey("publisher")
    /// Who else had a part in it.
    public static let commonKeyContributor = AVMetadataKey("contributor")
    /// When it was made.
    public static let commonKeyCreationDate = AVMetadataKey("creationDate")
    /// When it was last changed.
    public static let commonKeyLastModifiedDate = AVMetadataKey("lastModifiedDate")
    /// The kind of work: the genre of music.
    public static let commonKeyType = AVMetadataKey("type")
    /// The format.
    public static let commonKeyFormat = AVMetadataKey("format")
    /// What it was made from.
    public static let commonKeySource = AVMetadataKey("source")
    /// The language.
    public static let commonKeyLanguage = AVMetadataKey("language")
    /// What belongs to it.
    public static let commonKeyRelation = AVMetadataKey("relation")
    /// Where it was made.
    public static let commonKeyLocation = AVMetadataKey("location")
    /// Who has which rights.
    public static let commonKeyCopyrights = AVMetadataKey("copyrights")
    /// The album.
    public static let commonKeyAlbumName = AVMetadataKey("albumName")
    /// Who wrote it.
    public static let commonKeyAuthor = AVMetadataKey("author")
    /// Who performs it.
    public static let commonKeyArtist = AVMetadataKey("artist")
    /// A picture.
    public static let commonKeyArtwork = AVMetadataKey("artwork")
    /// Who made the device it was made with.
    public static let commonKeyMake = AVMetadataKey("make")
    /// The device it was made with.
    public static let commonKeyModel = AVMetadataKey("model")
    /// The program it was made with.
    public static let commonKeySoftware = AVMetadataKey("software")
    /// A number or name that nothing else has.
    public static let commonKeyIdentifier = AVMetadataKey("identifier")
}

// Of MPEG-4 files as iTunes writes them.

extension AVMetadataKey {
    /// The album.
    public static let iTunesMetadataKeyAlbum = AVMetadataKey("©alb")
    /// Who performs it.
    public static let iTunesMetadataKeyArtist = AVMetadataKey("©ART")
    /// Somebody's remark.
    public static let iTunesMetadataKeyUserComment = AVMetadataKey("©cmt")
    /// The picture of the cover.
    public static let iTunesMetadataKeyCoverArt = AVMetadataKey("covr")
    /// Who has which rights.
    public static let iTunesMetadataKeyCopyright = AVMetadataKey("cprt")
    /// When it came out.
    public static let iTunesMetadataKeyReleaseDate = AVMetadataKey("©day")
    /// Who encoded it.
    public static let iTunesMetadataKeyEncodedBy = AVMetadataKey("©enc")
    /// The genre as a number.
    public static let iTunesMetadataKeyPredefinedGenre = AVMetadataKey("gnre")
    /// The genre in words.
    public static let iTunesMetadataKeyUserGenre = AVMetadataKey("©gen")
    /// The title.
    public static let iTunesMetadataKeySongName = AVMetadataKey("©nam")
    /// The second title.
    public static let iTunesMetadataKeyTrackSubTitle = AVMetadataKey("©st3")
    /// The program it was encoded with.
    public static let iTunesMetadataKeyEncodingTool = AVMetadataKey("©too")
    /// Who composed it.
    public static let iTunesMetadataKeyComposer = AVMetadataKey("©wrt")
    /// Whose album it is.
    public static let iTunesMetadataKeyAlbumArtist = AVMetadataKey("aART")
    /// Whether the album has many artists.
    public static let iTunesMetadataKeyDiscCompilation = AVMetadataKey("cpil")
    /// Which disc of how many.
    public static let iTunesMetadataKeyDiscNumber = AVMetadataKey("disk")
    /// Which track of how many.
    public static let iTunesMetadataKeyTrackNumber = AVMetadataKey("trkn")
    /// Whether children should hear it.
    public static let iTunesMetadataKeyContentRating = AVMetadataKey("rtng")
    /// The tempo.
    public static let iTunesMetadataKeyBeatsPerMin = AVMetadataKey("tmpo")
    /// The words of the song.
    public static let iTunesMetadataKeyLyrics = AVMetadataKey("©lyr")
    /// What it belongs to.
    public static let iTunesMetadataKeyGrouping = AVMetadataKey("©grp")
    /// What it is, in words.
    public static let iTunesMetadataKeyDescription = AVMetadataKey("desc")
    /// Who publishes it.
    public static let iTunesMetadataKeyPublisher = AVMetadataKey("©pub")
    /// Who plays in it.
    public static let iTunesMetadataKeyPerformer = AVMetadataKey("©prf")
    /// Who conducts.
    public static let iTunesMetadataKeyConductor = AVMetadataKey("©con")
    /// Who arranged it.
    public static let iTunesMetadataKeyArranger = AVMetadataKey("©arg")
    /// Who directed it.
    public static let iTunesMetadataKeyDirector = AVMetadataKey("©dir")
    /// Who produced it.
    public static let iTunesMetadataKeyProducer = AVMetadataKey("©prd")
    /// The label.
    public static let iTunesMetadataKeyRecordCompany = AVMetadataKey("©mak")
    /// Who recorded it.
    public static let iTunesMetadataKeySoundEngineer = AVMetadataKey("©sne")
}

// Of ID3 tags.

extension AVMetadataKey {
    /// A picture.
    public static let id3MetadataKeyAttachedPicture = AVMetadataKey("APIC")
    /// Somebody's remark.
    public static let id3MetadataKeyComments = AVMetadataKey("COMM")
    /// The album.
    public static let id3MetadataKeyAlbumTitle = AVMetadataKey("TALB")
    /// The tempo.
    public static let id3MetadataKeyBeatsPerMinute = AVMetadataKey("TBPM")
    /// Who composed it.
    public static let id3MetadataKeyComposer = AVMetadataKey("TCOM")
    /// The genre.
    public static let id3MetadataKeyContentType = AVMetadataKey("TCON")
    /// Who has which rights.
    public static let id3MetadataKeyCopyright = AVMetadataKey("TCOP")
    /// Day and month of the recording.
    public static let id3MetadataKeyDate = AVMetadataKey("TDAT")
    /// When it was encoded.
    public static let id3MetadataKeyEncodingTime = AVMetadataKey("TDEN")
    /// When it was recorded.
    public static let id3MetadataKeyRecordingTime = AVMetadataKey("TDRC")
    /// When it came out.
    public static let id3MetadataKeyReleaseTime = AVMetadataKey("TDRL")
    /// Who encoded it.
    public static let id3MetadataKeyEncodedBy = AVMetadataKey("TENC")
    /// Who wrote the words.
    public static let id3MetadataKeyLyricist = AVMetadataKey("TEXT")
    /// What it belongs to.
    public static let id3MetadataKeyContentGroupDescription = AVMetadataKey("TIT1")
    /// The title.
    public static let id3MetadataKeyTitleDescription = AVMetadataKey("TIT2")
    /// The second title.
    public static let id3MetadataKeySubTitle = AVMetadataKey("TIT3")
    /// The key.
    public static let id3MetadataKeyInitialKey = AVMetadataKey("TKEY")
    /// The language.
    public static let id3MetadataKeyLanguage = AVMetadataKey("TLAN")
    /// The length in milliseconds.
    public static let id3MetadataKeyLength = AVMetadataKey("TLEN")
    /// What it was taken from.
    public static let id3MetadataKeyMediaType = AVMetadataKey("TMED")
    /// The mood.
    public static let id3MetadataKeyMood = AVMetadataKey("TMOO")
    /// The album it was first on.
    public static let id3MetadataKeyOriginalAlbumTitle = AVMetadataKey("TOAL")
    /// Who performed it first.
    public static let id3MetadataKeyOriginalArtist = AVMetadataKey("TOPE")
    /// Who performs it.
    public static let id3MetadataKeyLeadPerformer = AVMetadataKey("TPE1")
    /// Whose album it is.
    public static let id3MetadataKeyBand = AVMetadataKey("TPE2")
    /// Who conducts.
    public static let id3MetadataKeyConductor = AVMetadataKey("TPE3")
    /// Who changed it.
    public static let id3MetadataKeyModifiedBy = AVMetadataKey("TPE4")
    /// Which disc of how many.
    public static let id3MetadataKeyPartOfASet = AVMetadataKey("TPOS")
    /// Who publishes it.
    public static let id3MetadataKeyPublisher = AVMetadataKey("TPUB")
    /// Which track of how many.
    public static let id3MetadataKeyTrackNumber = AVMetadataKey("TRCK")
    /// When it was recorded.
    public static let id3MetadataKeyRecordingDates = AVMetadataKey("TRDA")
    /// The album, for sorting.
    public static let id3MetadataKeyAlbumSortOrder = AVMetadataKey("TSOA")
    /// Who performs it, for sorting.
    public static let id3MetadataKeyPerformerSortOrder = AVMetadataKey("TSOP")
    /// The title, for sorting.
    public static let id3MetadataKeyTitleSortOrder = AVMetadataKey("TSOT")
    /// The recording's number (ISRC).
    public static let id3MetadataKeyInternationalStandardRecordingCode = AVMetadataKey("TSRC")
    /// The program it was encoded with.
    public static let id3MetadataKeyEncodedWith = AVMetadataKey("TSSE")
    /// A text with a name of its own.
    public static let id3MetadataKeyUserText = AVMetadataKey("TXXX")
    /// The year of the recording.
    public static let id3MetadataKeyYear = AVMetadataKey("TYER")
    /// The words of the song.
    public static let id3MetadataKeyUnsynchronizedLyric = AVMetadataKey("USLT")
    /// An address where it is sold.
    public static let id3MetadataKeyCommercialInformation = AVMetadataKey("WCOM")
    /// An address about the file.
    public static let id3MetadataKeyOfficialAudioFileWebpage = AVMetadataKey("WOAF")
    /// An address about the artist.
    public static let id3MetadataKeyOfficialArtistWebpage = AVMetadataKey("WOAR")
    /// An address of the publisher.
    public static let id3MetadataKeyOfficialPublisherWebpage = AVMetadataKey("WPUB")
    /// An address with a name of its own.
    public static let id3MetadataKeyUserURL = AVMetadataKey("WXXX")
}
