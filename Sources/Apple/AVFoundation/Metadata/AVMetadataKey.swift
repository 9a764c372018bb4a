/// The name of a piece of metadata within its key space.
public struct AVMetadataKey: RawRepresentable, Hashable, Sendable {
    /// The key, spelled as in the key space.
    public let rawValue: String

    /// Creates a key from text; the text need not have a constant.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a key from text; the text need not have a constant.
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }
}

// The common key space.

extension AVMetadataKey {
    /// The title.
    public static let commonKeyTitle = AVMetadataKey("title")
    /// The creator; for music, the composer.
    public static let commonKeyCreator = AVMetadataKey("creator")
    /// The subject.
    public static let commonKeySubject = AVMetadataKey("subject")
    /// The description.
    public static let commonKeyDescription = AVMetadataKey("description")
    /// The publisher.
    public static let commonKeyPublisher = AVMetadataKey("publisher")
    /// A contributor.
    public static let commonKeyContributor = AVMetadataKey("contributor")
    /// The creation date.
    public static let commonKeyCreationDate = AVMetadataKey("creationDate")
    /// The date of the last change.
    public static let commonKeyLastModifiedDate = AVMetadataKey("lastModifiedDate")
    /// The type of work; for music, the genre.
    public static let commonKeyType = AVMetadataKey("type")
    /// The format.
    public static let commonKeyFormat = AVMetadataKey("format")
    /// The source of the work.
    public static let commonKeySource = AVMetadataKey("source")
    /// The language.
    public static let commonKeyLanguage = AVMetadataKey("language")
    /// A related work.
    public static let commonKeyRelation = AVMetadataKey("relation")
    /// The location of the recording.
    public static let commonKeyLocation = AVMetadataKey("location")
    /// The copyright notice.
    public static let commonKeyCopyrights = AVMetadataKey("copyrights")
    /// The album.
    public static let commonKeyAlbumName = AVMetadataKey("albumName")
    /// The author.
    public static let commonKeyAuthor = AVMetadataKey("author")
    /// The performer.
    public static let commonKeyArtist = AVMetadataKey("artist")
    /// The artwork.
    public static let commonKeyArtwork = AVMetadataKey("artwork")
    /// The maker of the recording device.
    public static let commonKeyMake = AVMetadataKey("make")
    /// The model of the recording device.
    public static let commonKeyModel = AVMetadataKey("model")
    /// The software that made the file.
    public static let commonKeySoftware = AVMetadataKey("software")
    /// A unique identifier.
    public static let commonKeyIdentifier = AVMetadataKey("identifier")
}

// MPEG-4 files, as iTunes writes them.

extension AVMetadataKey {
    /// The album.
    public static let iTunesMetadataKeyAlbum = AVMetadataKey("©alb")
    /// The performer.
    public static let iTunesMetadataKeyArtist = AVMetadataKey("©ART")
    /// A comment.
    public static let iTunesMetadataKeyUserComment = AVMetadataKey("©cmt")
    /// The cover art.
    public static let iTunesMetadataKeyCoverArt = AVMetadataKey("covr")
    /// The copyright notice.
    public static let iTunesMetadataKeyCopyright = AVMetadataKey("cprt")
    /// The release date.
    public static let iTunesMetadataKeyReleaseDate = AVMetadataKey("©day")
    /// The person or organization that encoded the file.
    public static let iTunesMetadataKeyEncodedBy = AVMetadataKey("©enc")
    /// The genre, as a number.
    public static let iTunesMetadataKeyPredefinedGenre = AVMetadataKey("gnre")
    /// The genre, as text.
    public static let iTunesMetadataKeyUserGenre = AVMetadataKey("©gen")
    /// The title.
    public static let iTunesMetadataKeySongName = AVMetadataKey("©nam")
    /// The subtitle.
    public static let iTunesMetadataKeyTrackSubTitle = AVMetadataKey("©st3")
    /// The encoder software.
    public static let iTunesMetadataKeyEncodingTool = AVMetadataKey("©too")
    /// The composer.
    public static let iTunesMetadataKeyComposer = AVMetadataKey("©wrt")
    /// The album artist.
    public static let iTunesMetadataKeyAlbumArtist = AVMetadataKey("aART")
    /// Whether the album is a compilation of several artists.
    public static let iTunesMetadataKeyDiscCompilation = AVMetadataKey("cpil")
    /// The disc number and the number of discs.
    public static let iTunesMetadataKeyDiscNumber = AVMetadataKey("disk")
    /// The track number and the number of tracks.
    public static let iTunesMetadataKeyTrackNumber = AVMetadataKey("trkn")
    /// The content advisory rating.
    public static let iTunesMetadataKeyContentRating = AVMetadataKey("rtng")
    /// The tempo in beats per minute.
    public static let iTunesMetadataKeyBeatsPerMin = AVMetadataKey("tmpo")
    /// The lyrics.
    public static let iTunesMetadataKeyLyrics = AVMetadataKey("©lyr")
    /// The group that the work belongs to.
    public static let iTunesMetadataKeyGrouping = AVMetadataKey("©grp")
    /// The description.
    public static let iTunesMetadataKeyDescription = AVMetadataKey("desc")
    /// The publisher.
    public static let iTunesMetadataKeyPublisher = AVMetadataKey("©pub")
    /// A performer.
    public static let iTunesMetadataKeyPerformer = AVMetadataKey("©prf")
    /// The conductor.
    public static let iTunesMetadataKeyConductor = AVMetadataKey("©con")
    /// The arranger.
    public static let iTunesMetadataKeyArranger = AVMetadataKey("©arg")
    /// The director.
    public static let iTunesMetadataKeyDirector = AVMetadataKey("©dir")
    /// The producer.
    public static let iTunesMetadataKeyProducer = AVMetadataKey("©prd")
    /// The record label.
    public static let iTunesMetadataKeyRecordCompany = AVMetadataKey("©mak")
    /// The sound engineer.
    public static let iTunesMetadataKeySoundEngineer = AVMetadataKey("©sne")
}

// ID3 tags.

extension AVMetadataKey {
    /// The artwork.
    public static let id3MetadataKeyAttachedPicture = AVMetadataKey("APIC")
    /// A comment.
    public static let id3MetadataKeyComments = AVMetadataKey("COMM")
    /// The album.
    public static let id3MetadataKeyAlbumTitle = AVMetadataKey("TALB")
    /// The tempo in beats per minute.
    public static let id3MetadataKeyBeatsPerMinute = AVMetadataKey("TBPM")
    /// The composer.
    public static let id3MetadataKeyComposer = AVMetadataKey("TCOM")
    /// The genre.
    public static let id3MetadataKeyContentType = AVMetadataKey("TCON")
    /// The copyright notice.
    public static let id3MetadataKeyCopyright = AVMetadataKey("TCOP")
    /// The day and month of the recording.
    public static let id3MetadataKeyDate = AVMetadataKey("TDAT")
    /// The encoding time.
    public static let id3MetadataKeyEncodingTime = AVMetadataKey("TDEN")
    /// The recording time.
    public static let id3MetadataKeyRecordingTime = AVMetadataKey("TDRC")
    /// The release date.
    public static let id3MetadataKeyReleaseTime = AVMetadataKey("TDRL")
    /// The person or organization that encoded the file.
    public static let id3MetadataKeyEncodedBy = AVMetadataKey("TENC")
    /// The lyricist.
    public static let id3MetadataKeyLyricist = AVMetadataKey("TEXT")
    /// The group that the work belongs to.
    public static let id3MetadataKeyContentGroupDescription = AVMetadataKey("TIT1")
    /// The title.
    public static let id3MetadataKeyTitleDescription = AVMetadataKey("TIT2")
    /// The subtitle.
    public static let id3MetadataKeySubTitle = AVMetadataKey("TIT3")
    /// The musical key.
    public static let id3MetadataKeyInitialKey = AVMetadataKey("TKEY")
    /// The language.
    public static let id3MetadataKeyLanguage = AVMetadataKey("TLAN")
    /// The length in milliseconds.
    public static let id3MetadataKeyLength = AVMetadataKey("TLEN")
    /// The original medium.
    public static let id3MetadataKeyMediaType = AVMetadataKey("TMED")
    /// The mood.
    public static let id3MetadataKeyMood = AVMetadataKey("TMOO")
    /// The original album.
    public static let id3MetadataKeyOriginalAlbumTitle = AVMetadataKey("TOAL")
    /// The original performer.
    public static let id3MetadataKeyOriginalArtist = AVMetadataKey("TOPE")
    /// The performer.
    public static let id3MetadataKeyLeadPerformer = AVMetadataKey("TPE1")
    /// The band, also used as album artist.
    public static let id3MetadataKeyBand = AVMetadataKey("TPE2")
    /// The conductor.
    public static let id3MetadataKeyConductor = AVMetadataKey("TPE3")
    /// The remixer or modifier.
    public static let id3MetadataKeyModifiedBy = AVMetadataKey("TPE4")
    /// The disc number and the number of discs.
    public static let id3MetadataKeyPartOfASet = AVMetadataKey("TPOS")
    /// The publisher.
    public static let id3MetadataKeyPublisher = AVMetadataKey("TPUB")
    /// The track number and the number of tracks.
    public static let id3MetadataKeyTrackNumber = AVMetadataKey("TRCK")
    /// The recording dates.
    public static let id3MetadataKeyRecordingDates = AVMetadataKey("TRDA")
    /// The album, in the form for sorting.
    public static let id3MetadataKeyAlbumSortOrder = AVMetadataKey("TSOA")
    /// The performer, in the form for sorting.
    public static let id3MetadataKeyPerformerSortOrder = AVMetadataKey("TSOP")
    /// The title, in the form for sorting.
    public static let id3MetadataKeyTitleSortOrder = AVMetadataKey("TSOT")
    /// The ISRC of the recording.
    public static let id3MetadataKeyInternationalStandardRecordingCode = AVMetadataKey("TSRC")
    /// The encoder software.
    public static let id3MetadataKeyEncodedWith = AVMetadataKey("TSSE")
    /// A user-defined text with its own name.
    public static let id3MetadataKeyUserText = AVMetadataKey("TXXX")
    /// The year of the recording.
    public static let id3MetadataKeyYear = AVMetadataKey("TYER")
    /// The lyrics.
    public static let id3MetadataKeyUnsynchronizedLyric = AVMetadataKey("USLT")
    /// The URL of commercial information, such as a shop.
    public static let id3MetadataKeyCommercialInformation = AVMetadataKey("WCOM")
    /// The official URL of the file.
    public static let id3MetadataKeyOfficialAudioFileWebpage = AVMetadataKey("WOAF")
    /// The official URL of the artist.
    public static let id3MetadataKeyOfficialArtistWebpage = AVMetadataKey("WOAR")
    /// The official URL of the publisher.
    public static let id3MetadataKeyOfficialPublisherWebpage = AVMetadataKey("WPUB")
    /// A user-defined URL with its own name.
    public static let id3MetadataKeyUserURL = AVMetadataKey("WXXX")
}
