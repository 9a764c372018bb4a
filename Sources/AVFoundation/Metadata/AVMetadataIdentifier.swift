/// The name of a piece of metadata, its key space included: `space/key`.
public struct AVMetadataIdentifier: RawRepresentable, Hashable, Sendable {
    /// Key space and key: `id3/TIT2`.
    public let rawValue: String

    /// The identifier of a text, with a constant here or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The identifier of a text, with a constant here or not.
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }
}

// The common key space.

extension AVMetadataIdentifier {
    /// The title.
    public static let commonIdentifierTitle = AVMetadataIdentifier("common/title")
    /// Who made it: the composer of music.
    public static let commonIdentifierCreator = AVMetadataIdentifier("common/creator")
    /// What it is about.
    public static let commonIdentifierSubject = AVMetadataIdentifier("common/subject")
    /// What it is, in words.
    public static let commonIdentifierDescription = AVMetadataIdentifier("common/description")
    /// Who publishes it.
    public static let commonIdentifierPublisher = AVMetadataIdentifier("common/publisher")
    /// Who else had a part in it.
    public static let commonIdentifierContributor = AVMetadataIdentifier("common/contributor")
    /// When it was made.
    public static let commonIdentifierCreationDate = AVMetadataIdentifier("common/creationDate")
    /// When it was last changed.
    public static let commonIdentifierLastModifiedDate = AVMetadataIdentifier("common/lastModifiedDate")
    /// The kind of work: the genre of music.
    public static let commonIdentifierType = AVMetadataIdentifier("common/type")
    /// The format.
    public static let commonIdentifierFormat = AVMetadataIdentifier("common/format")
    /// What it was made from.
    public static let commonIdentifierSource = AVMetadataIdentifier("common/source")
    /// The language.
    public static let commonIdentifierLanguage = AVMetadataIdentifier("common/language")
    /// What belongs to it.
    public static let commonIdentifierRelation = AVMetadataIdentifier("common/relation")
    /// Where it was made.
    public static let commonIdentifierLocation = AVMetadataIdentifier("common/location")
    /// Who has which rights.
    public static let commonIdentifierCopyrights = AVMetadataIdentifier("common/copyrights")
    /// The album.
    public static let commonIdentifierAlbumName = AVMetadataIdentifier("common/albumName")
    /// Who wrote it.
    public static let commonIdentifierAuthor = AVMetadataIdentifier("common/author")
    /// Who performs it.
    public static let commonIdentifierArtist = AVMetadataIdentifier("common/artist")
    /// A picture.
    public static let commonIdentifierArtwork = AVMetadataIdentifier("common/artwork")
    /// Who made the device it was made with.
    public static let commonIdentifierMake = AVMetadataIdentifier("common/make")
    /// The device it was made with.
    public static let commonIdentifierModel = AVMetadataIdentifier("common/model")
    /// The program it was made with.
    public static let commonIdentifierSoftware = AVMetadataIdentifier("common/software")
    /// A number or name that nothing else has.
    public static let commonIdentifierAssetIdentifier = AVMetadataIdentifier("common/identifier")
}

// Of MPEG-4 files as iTunes writes them.

extension AVMetadataIdentifier {
    /// The album.
    public static let iTunesMetadataAlbum = AVMetadataIdentifier("itsk/%A9alb")
    /// Who performs it.
    public static let iTunesMetadataArtist = AVMetadataIdentifier("itsk/%A9ART")
    /// Somebody's remark.
    public static let iTunesMetadataUserComment = AVMetadataIdentifier("itsk/%A9cmt")
    /// The picture of the cover.
    public static let iTunesMetadataCoverArt = AVMetadataIdentifier("itsk/covr")
    /// Who has which rights.
    public static let iTunesMetadataCopyright = AVMetadataIdentifier("itsk/cprt")
    /// When it came out.
    public static let iTunesMetadataReleaseDate = AVMetadataIdentifier("itsk/%A9day")
    /// Who encoded it.
    public static let iTunesMetadataEncodedBy = AVMetadataIdentifier("itsk/%A9enc")
    /// The genre as a number.
    public static let iTunesMetadataPredefinedGenre = AVMetadataIdentifier("itsk/gnre")
    /// The genre in words.
    public static let iTunesMetadataUserGenre = AVMetadataIdentifier("itsk/%A9gen")
    /// The title.
    public static let iTunesMetadataSongName = AVMetadataIdentifier("itsk/%A9nam")
    /// The second title.
    public static let iTunesMetadataTrackSubTitle = AVMetadataIdentifier("itsk/%A9st3")
    /// The program it was encoded with.
    public static let iTunesMetadataEncodingTool = AVMetadataIdentifier("itsk/%A9too")
    /// Who composed it.
    public static let iTunesMetadataComposer = AVMetadataIdentifier("itsk/%A9wrt")
    /// Whose album it is.
    public static let iTunesMetadataAlbumArtist = AVMetadataIdentifier("itsk/aART")
    /// Whether the album has many artists.
    public static let iTunesMetadataDiscCompilation = AVMetadataIdentifier("itsk/cpil")
    /// Which disc of how many.
    public static let iTunesMetadataDiscNumber = AVMetadataIdentifier("itsk/disk")
    /// Which track of how many.
    public static let iTunesMetadataTrackNumber = AVMetadataIdentifier("itsk/trkn")
    /// Whether children should hear it.
    public static let iTunesMetadataContentRating = AVMetadataIdentifier("itsk/rtng")
    /// The tempo.
    public static let iTunesMetadataBeatsPerMin = AVMetadataIdentifier("itsk/tmpo")
    /// The words of the song.
    public static let iTunesMetadataLyrics = AVMetadataIdentifier("itsk/%A9lyr")
    /// What it belongs to.
    public static let iTunesMetadataGrouping = AVMetadataIdentifier("itsk/%A9grp")
    /// What it is, in words.
    public static let iTunesMetadataDescription = AVMetadataIdentifier("itsk/desc")
    /// Who publishes it.
    public static let iTunesMetadataPublisher = AVMetadataIdentifier("itsk/%A9pub")
    /// Who plays in it.
    public static let iTunesMetadataPerformer = AVMetadataIdentifier("itsk/%A9prf")
    /// Who conducts.
    public static let iTunesMetadataConductor = AVMetadataIdentifier("itsk/%A9con")
    /// Who arranged it.
    public static let iTunesMetadataArranger = AVMetadataIdentifier("itsk/%A9arg")
    /// Who directed it.
    public static let iTunesMetadataDirector = AVMetadataIdentifier("itsk/%A9dir")
    /// Who produced it.
    public static let iTunesMetadataProducer = AVMetadataIdentifier("itsk/%A9prd")
    /// The label.
    public static let iTunesMetadataRecordCompany = AVMetadataIdentifier("itsk/%A9mak")
    /// Who recorded it.
    public static let iTunesMetadataSoundEngineer = AVMetadataIdentifier("itsk/%A9sne")
}

// Of ID3 tags.

extension AVMetadataIdentifier {
    /// A picture.
    public static let id3MetadataAttachedPicture = AVMetadataIdentifier("id3/APIC")
    /// Somebody's remark.
    public static let id3MetadataComments = AVMetadataIdentifier("id3/COMM")
    /// The album.
    public static let id3MetadataAlbumTitle = AVMetadataIdentifier("id3/TALB")
    /// The tempo.
    public static let id3MetadataBeatsPerMinute = AVMetadataIdentifier("id3/TBPM")
    /// Who composed it.
    public static let id3MetadataComposer = AVMetadataIdentifier("id3/TCOM")
    /// The genre.
    public static let id3MetadataContentType = AVMetadataIdentifier("id3/TCON")
    /// Who has which rights.
    public static let id3MetadataCopyright = AVMetadataIdentifier("id3/TCOP")
    /// Day and month of the recording.
    public static let id3MetadataDate = AVMetadataIdentifier("id3/TDAT")
    /// When it was encoded.
    public static let id3MetadataEncodingTime = AVMetadataIdentifier("id3/TDEN")
    /// When it was recorded.
    public static let id3MetadataRecordingTime = AVMetadataIdentifier("id3/TDRC")
    /// When it came out.
    public static let id3MetadataReleaseTime = AVMetadataIdentifier("id3/TDRL")
    /// Who encoded it.
    public static let id3MetadataEncodedBy = AVMetadataIdentifier("id3/TENC")
    /// Who wrote the words.
    public static let id3MetadataLyricist = AVMetadataIdentifier("id3/TEXT")
    /// What it belongs to.
    public static let id3MetadataContentGroupDescription = AVMetadataIdentifier("id3/TIT1")
    /// The title.
    public static let id3MetadataTitleDescription = AVMetadataIdentifier("id3/TIT2")
    /// The second title.
    public static let id3MetadataSubTitle = AVMetadataIdentifier("id3/TIT3")
    /// The key.
    public static let id3MetadataInitialKey = AVMetadataIdentifier("id3/TKEY")
    /// The language.
    public static let id3MetadataLanguage = AVMetadataIdentifier("id3/TLAN")
    /// The length in milliseconds.
    public static let id3MetadataLength = AVMetadataIdentifier("id3/TLEN")
    /// What it was taken from.
    public static let id3MetadataMediaType = AVMetadataIdentifier("id3/TMED")
    /// The mood.
    public static let id3MetadataMood = AVMetadataIdentifier("id3/TMOO")
    /// The album it was first on.
    public static let id3MetadataOriginalAlbumTitle = AVMetadataIdentifier("id3/TOAL")
    /// Who performed it first.
    public static let id3MetadataOriginalArtist = AVMetadataIdentifier("id3/TOPE")
    /// Who performs it.
    public static let id3MetadataLeadPerformer = AVMetadataIdentifier("id3/TPE1")
    /// Whose album it is.
    public static let id3MetadataBand = AVMetadataIdentifier("id3/TPE2")
    /// Who conducts.
    public static let id3MetadataConductor = AVMetadataIdentifier("id3/TPE3")
    /// Who changed it.
    public static let id3MetadataModifiedBy = AVMetadataIdentifier("id3/TPE4")
    /// Which disc of how many.
    public static let id3MetadataPartOfASet = AVMetadataIdentifier("id3/TPOS")
    /// Who publishes it.
    public static let id3MetadataPublisher = AVMetadataIdentifier("id3/TPUB")
    /// Which track of how many.
    public static let id3MetadataTrackNumber = AVMetadataIdentifier("id3/TRCK")
    /// When it was recorded.
    public static let id3MetadataRecordingDates = AVMetadataIdentifier("id3/TRDA")
    /// The album, for sorting.
    public static let id3MetadataAlbumSortOrder = AVMetadataIdentifier("id3/TSOA")
    /// Who performs it, for sorting.
    public static let id3MetadataPerformerSortOrder = AVMetadataIdentifier("id3/TSOP")
    /// The title, for sorting.
    public static let id3MetadataTitleSortOrder = AVMetadataIdentifier("id3/TSOT")
    /// The recording's number (ISRC).
    public static let id3MetadataInternationalStandardRecordingCode = AVMetadataIdentifier("id3/TSRC")
    /// The program it was encoded with.
    public static let id3MetadataEncodedWith = AVMetadataIdentifier("id3/TSSE")
    /// A text with a name of its own.
    public static let id3MetadataUserText = AVMetadataIdentifier("id3/TXXX")
    /// The year of the recording.
    public static let id3MetadataYear = AVMetadataIdentifier("id3/TYER")
    /// The title that web radio plays.
    public static let icyMetadataStreamTitle = AVMetadataIdentifier("icy/StreamTitle")
    /// The words of the song.
    public static let id3MetadataUnsynchronizedLyric = AVMetadataIdentifier("id3/USLT")
    /// An address where it is sold.
    public static let id3MetadataCommercialInformation = AVMetadataIdentifier("id3/WCOM")
    /// An address about the file.
    public static let id3MetadataOfficialAudioFileWebpage = AVMetadataIdentifier("id3/WOAF")
    /// An address about the artist.
    public static let id3MetadataOfficialArtistWebpage = AVMetadataIdentifier("id3/WOAR")
    /// An address of the publisher.
    public static let id3MetadataOfficialPublisherWebpage = AVMetadataIdentifier("id3/WPUB")
    /// An address with a name of its own.
    public static let id3MetadataUserURL = AVMetadataIdentifier("id3/WXXX")
}
