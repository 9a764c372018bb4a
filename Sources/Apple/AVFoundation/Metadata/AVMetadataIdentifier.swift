/// The full name of a piece of metadata, with its key space: `space/key`.
public struct AVMetadataIdentifier: RawRepresentable, Hashable, Sendable {
    /// Key space and key: `id3/TIT2`.
    public let rawValue: String

    /// Creates an identifier from text; the text need not have a constant.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates an identifier from text; the text need not have a constant.
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }
}

// The common key space.

extension AVMetadataIdentifier {
    /// The title.
    public static let commonIdentifierTitle = AVMetadataIdentifier("common/title")
    /// The creator; for music, the composer.
    public static let commonIdentifierCreator = AVMetadataIdentifier("common/creator")
    /// The subject.
    public static let commonIdentifierSubject = AVMetadataIdentifier("common/subject")
    /// The description.
    public static let commonIdentifierDescription = AVMetadataIdentifier("common/description")
    /// The publisher.
    public static let commonIdentifierPublisher = AVMetadataIdentifier("common/publisher")
    /// A contributor.
    public static let commonIdentifierContributor = AVMetadataIdentifier("common/contributor")
    /// The creation date.
    public static let commonIdentifierCreationDate = AVMetadataIdentifier("common/creationDate")
    /// The date of the last change.
    public static let commonIdentifierLastModifiedDate = AVMetadataIdentifier("common/lastModifiedDate")
    /// The type of work; for music, the genre.
    public static let commonIdentifierType = AVMetadataIdentifier("common/type")
    /// The format.
    public static let commonIdentifierFormat = AVMetadataIdentifier("common/format")
    /// The source of the work.
    public static let commonIdentifierSource = AVMetadataIdentifier("common/source")
    /// The language.
    public static let commonIdentifierLanguage = AVMetadataIdentifier("common/language")
    /// A related work.
    public static let commonIdentifierRelation = AVMetadataIdentifier("common/relation")
    /// The location of the recording.
    public static let commonIdentifierLocation = AVMetadataIdentifier("common/location")
    /// The copyright notice.
    public static let commonIdentifierCopyrights = AVMetadataIdentifier("common/copyrights")
    /// The album.
    public static let commonIdentifierAlbumName = AVMetadataIdentifier("common/albumName")
    /// The author.
    public static let commonIdentifierAuthor = AVMetadataIdentifier("common/author")
    /// The performer.
    public static let commonIdentifierArtist = AVMetadataIdentifier("common/artist")
    /// The artwork.
    public static let commonIdentifierArtwork = AVMetadataIdentifier("common/artwork")
    /// The maker of the recording device.
    public static let commonIdentifierMake = AVMetadataIdentifier("common/make")
    /// The model of the recording device.
    public static let commonIdentifierModel = AVMetadataIdentifier("common/model")
    /// The software that made the file.
    public static let commonIdentifierSoftware = AVMetadataIdentifier("common/software")
    /// A unique identifier.
    public static let commonIdentifierAssetIdentifier = AVMetadataIdentifier("common/identifier")
}

// MPEG-4 files, as iTunes writes them.

extension AVMetadataIdentifier {
    /// The album.
    public static let iTunesMetadataAlbum = AVMetadataIdentifier("itsk/%A9alb")
    /// The performer.
    public static let iTunesMetadataArtist = AVMetadataIdentifier("itsk/%A9ART")
    /// A comment.
    public static let iTunesMetadataUserComment = AVMetadataIdentifier("itsk/%A9cmt")
    /// The cover art.
    public static let iTunesMetadataCoverArt = AVMetadataIdentifier("itsk/covr")
    /// The copyright notice.
    public static let iTunesMetadataCopyright = AVMetadataIdentifier("itsk/cprt")
    /// The release date.
    public static let iTunesMetadataReleaseDate = AVMetadataIdentifier("itsk/%A9day")
    /// The person or organization that encoded the file.
    public static let iTunesMetadataEncodedBy = AVMetadataIdentifier("itsk/%A9enc")
    /// The genre, as a number.
    public static let iTunesMetadataPredefinedGenre = AVMetadataIdentifier("itsk/gnre")
    /// The genre, as text.
    public static let iTunesMetadataUserGenre = AVMetadataIdentifier("itsk/%A9gen")
    /// The title.
    public static let iTunesMetadataSongName = AVMetadataIdentifier("itsk/%A9nam")
    /// The subtitle.
    public static let iTunesMetadataTrackSubTitle = AVMetadataIdentifier("itsk/%A9st3")
    /// The encoder software.
    public static let iTunesMetadataEncodingTool = AVMetadataIdentifier("itsk/%A9too")
    /// The composer.
    public static let iTunesMetadataComposer = AVMetadataIdentifier("itsk/%A9wrt")
    /// The album artist.
    public static let iTunesMetadataAlbumArtist = AVMetadataIdentifier("itsk/aART")
    /// Whether the album is a compilation of several artists.
    public static let iTunesMetadataDiscCompilation = AVMetadataIdentifier("itsk/cpil")
    /// The disc number and the number of discs.
    public static let iTunesMetadataDiscNumber = AVMetadataIdentifier("itsk/disk")
    /// The track number and the number of tracks.
    public static let iTunesMetadataTrackNumber = AVMetadataIdentifier("itsk/trkn")
    /// The content advisory rating.
    public static let iTunesMetadataContentRating = AVMetadataIdentifier("itsk/rtng")
    /// The tempo in beats per minute.
    public static let iTunesMetadataBeatsPerMin = AVMetadataIdentifier("itsk/tmpo")
    /// The lyrics.
    public static let iTunesMetadataLyrics = AVMetadataIdentifier("itsk/%A9lyr")
    /// The group that the work belongs to.
    public static let iTunesMetadataGrouping = AVMetadataIdentifier("itsk/%A9grp")
    /// The description.
    public static let iTunesMetadataDescription = AVMetadataIdentifier("itsk/desc")
    /// The publisher.
    public static let iTunesMetadataPublisher = AVMetadataIdentifier("itsk/%A9pub")
    /// A performer.
    public static let iTunesMetadataPerformer = AVMetadataIdentifier("itsk/%A9prf")
    /// The conductor.
    public static let iTunesMetadataConductor = AVMetadataIdentifier("itsk/%A9con")
    /// The arranger.
    public static let iTunesMetadataArranger = AVMetadataIdentifier("itsk/%A9arg")
    /// The director.
    public static let iTunesMetadataDirector = AVMetadataIdentifier("itsk/%A9dir")
    /// The producer.
    public static let iTunesMetadataProducer = AVMetadataIdentifier("itsk/%A9prd")
    /// The record label.
    public static let iTunesMetadataRecordCompany = AVMetadataIdentifier("itsk/%A9mak")
    /// The sound engineer.
    public static let iTunesMetadataSoundEngineer = AVMetadataIdentifier("itsk/%A9sne")
}

// ID3 tags.

extension AVMetadataIdentifier {
    /// The artwork.
    public static let id3MetadataAttachedPicture = AVMetadataIdentifier("id3/APIC")
    /// A comment.
    public static let id3MetadataComments = AVMetadataIdentifier("id3/COMM")
    /// The album.
    public static let id3MetadataAlbumTitle = AVMetadataIdentifier("id3/TALB")
    /// The tempo in beats per minute.
    public static let id3MetadataBeatsPerMinute = AVMetadataIdentifier("id3/TBPM")
    /// The composer.
    public static let id3MetadataComposer = AVMetadataIdentifier("id3/TCOM")
    /// The genre.
    public static let id3MetadataContentType = AVMetadataIdentifier("id3/TCON")
    /// The copyright notice.
    public static let id3MetadataCopyright = AVMetadataIdentifier("id3/TCOP")
    /// The day and month of the recording.
    public static let id3MetadataDate = AVMetadataIdentifier("id3/TDAT")
    /// The encoding time.
    public static let id3MetadataEncodingTime = AVMetadataIdentifier("id3/TDEN")
    /// The recording time.
    public static let id3MetadataRecordingTime = AVMetadataIdentifier("id3/TDRC")
    /// The release date.
    public static let id3MetadataReleaseTime = AVMetadataIdentifier("id3/TDRL")
    /// The person or organization that encoded the file.
    public static let id3MetadataEncodedBy = AVMetadataIdentifier("id3/TENC")
    /// The lyricist.
    public static let id3MetadataLyricist = AVMetadataIdentifier("id3/TEXT")
    /// The group that the work belongs to.
    public static let id3MetadataContentGroupDescription = AVMetadataIdentifier("id3/TIT1")
    /// The title.
    public static let id3MetadataTitleDescription = AVMetadataIdentifier("id3/TIT2")
    /// The subtitle.
    public static let id3MetadataSubTitle = AVMetadataIdentifier("id3/TIT3")
    /// The musical key.
    public static let id3MetadataInitialKey = AVMetadataIdentifier("id3/TKEY")
    /// The language.
    public static let id3MetadataLanguage = AVMetadataIdentifier("id3/TLAN")
    /// The length in milliseconds.
    public static let id3MetadataLength = AVMetadataIdentifier("id3/TLEN")
    /// The original medium.
    public static let id3MetadataMediaType = AVMetadataIdentifier("id3/TMED")
    /// The mood.
    public static let id3MetadataMood = AVMetadataIdentifier("id3/TMOO")
    /// The original album.
    public static let id3MetadataOriginalAlbumTitle = AVMetadataIdentifier("id3/TOAL")
    /// The original performer.
    public static let id3MetadataOriginalArtist = AVMetadataIdentifier("id3/TOPE")
    /// The performer.
    public static let id3MetadataLeadPerformer = AVMetadataIdentifier("id3/TPE1")
    /// The band, also used as album artist.
    public static let id3MetadataBand = AVMetadataIdentifier("id3/TPE2")
    /// The conductor.
    public static let id3MetadataConductor = AVMetadataIdentifier("id3/TPE3")
    /// The remixer or modifier.
    public static let id3MetadataModifiedBy = AVMetadataIdentifier("id3/TPE4")
    /// The disc number and the number of discs.
    public static let id3MetadataPartOfASet = AVMetadataIdentifier("id3/TPOS")
    /// The publisher.
    public static let id3MetadataPublisher = AVMetadataIdentifier("id3/TPUB")
    /// The track number and the number of tracks.
    public static let id3MetadataTrackNumber = AVMetadataIdentifier("id3/TRCK")
    /// The recording dates.
    public static let id3MetadataRecordingDates = AVMetadataIdentifier("id3/TRDA")
    /// The album, in the form for sorting.
    public static let id3MetadataAlbumSortOrder = AVMetadataIdentifier("id3/TSOA")
    /// The performer, in the form for sorting.
    public static let id3MetadataPerformerSortOrder = AVMetadataIdentifier("id3/TSOP")
    /// The title, in the form for sorting.
    public static let id3MetadataTitleSortOrder = AVMetadataIdentifier("id3/TSOT")
    /// The ISRC of the recording.
    public static let id3MetadataInternationalStandardRecordingCode = AVMetadataIdentifier("id3/TSRC")
    /// The encoder software.
    public static let id3MetadataEncodedWith = AVMetadataIdentifier("id3/TSSE")
    /// A user-defined text with its own name.
    public static let id3MetadataUserText = AVMetadataIdentifier("id3/TXXX")
    /// The year of the recording.
    public static let id3MetadataYear = AVMetadataIdentifier("id3/TYER")
    /// The current title of a web radio (ICY) stream.
    public static let icyMetadataStreamTitle = AVMetadataIdentifier("icy/StreamTitle")
    /// The lyrics.
    public static let id3MetadataUnsynchronizedLyric = AVMetadataIdentifier("id3/USLT")
    /// The URL of commercial information, such as a shop.
    public static let id3MetadataCommercialInformation = AVMetadataIdentifier("id3/WCOM")
    /// The official URL of the file.
    public static let id3MetadataOfficialAudioFileWebpage = AVMetadataIdentifier("id3/WOAF")
    /// The official URL of the artist.
    public static let id3MetadataOfficialArtistWebpage = AVMetadataIdentifier("id3/WOAR")
    /// The official URL of the publisher.
    public static let id3MetadataOfficialPublisherWebpage = AVMetadataIdentifier("id3/WPUB")
    /// A user-defined URL with its own name.
    public static let id3MetadataUserURL = AVMetadataIdentifier("id3/WXXX")
}
