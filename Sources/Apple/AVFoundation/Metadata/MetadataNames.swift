import Foundation

/// The names of one property in all key spaces.
struct MetadataName: Sendable {
    /// The name in FFmpeg.
    let library: String
    var common: AVMetadataKey?
    var iTunes: String?
    var id3: String?
    var vorbis: String?
    var audioFile: String?

    /// Returns the name in a key space; `nil` if there is none.
    func key(in space: AVMetadataKeySpace) -> String? {
        switch space {
        case .common: common?.rawValue
        case .iTunes: iTunes
        case .id3: id3
        case .vorbisComment: vorbis
        case .audioFile: audioFile
        default: nil
        }
    }

    /// Returns the row of an FFmpeg name, ignoring case.
    static func named(_ library: String) -> MetadataName? { byLibrary[library.lowercased()] }

    /// Returns the common name of a key; `nil` if there is none.
    static func commonKey(of key: String, in space: AVMetadataKeySpace) -> AVMetadataKey? {
        switch space {
        case .common: AVMetadataKey(rawValue: key)
        case .icy: key == TitleGroups.streamTitle ? .commonKeyTitle : nil
        case .quickTimeMetadata: quickTimeCommonKey(key)
        default: all.first { $0.key(in: space)?.caseInsensitiveCompare(key) == .orderedSame }?.common
        }
    }

    private static let quickTimePrefix = "com.apple.quicktime."

    /// Returns the common name of a QuickTime key, which is mostly the common name after a prefix.
    private static func quickTimeCommonKey(_ key: String) -> AVMetadataKey? {
        guard key.hasPrefix(quickTimePrefix) else { return nil }
        switch key.dropFirst(quickTimePrefix.count).lowercased() {
        case "title", "displayname": return .commonKeyTitle
        case "artist": return .commonKeyArtist
        case "album": return .commonKeyAlbumName
        case "author": return .commonKeyAuthor
        case "artwork": return .commonKeyArtwork
        case "genre": return .commonKeyType
        case "creationdate": return .commonKeyCreationDate
        case "copyright": return .commonKeyCopyrights
        case "description", "comment": return .commonKeyDescription
        case "software": return .commonKeySoftware
        case "make": return .commonKeyMake
        case "model": return .commonKeyModel
        case "location.iso6709": return .commonKeyLocation
        case "publisher": return .commonKeyPublisher
        default: return nil
        }
    }

    private static let byLibrary = Dictionary(
        all.map { ($0.library, $0) }, uniquingKeysWith: { first, _ in first })

    private static let all: [MetadataName] = [
        entry("title", .commonKeyTitle, "©nam", "TIT2", "TITLE", "title"),
        entry("artist", .commonKeyArtist, "©ART", "TPE1", "ARTIST", "artist"),
        entry("album", .commonKeyAlbumName, "©alb", "TALB", "ALBUM", "album"),
        entry("album_artist", nil, "aART", "TPE2", "ALBUMARTIST", nil),
        entry("genre", .commonKeyType, "©gen", "TCON", "GENRE", "genre"),
        entry("composer", .commonKeyCreator, "©wrt", "TCOM", "COMPOSER", "composer"),
        entry("date", .commonKeyCreationDate, "©day", "TDRC", "DATE", "year"),
        entry("track", nil, "trkn", "TRCK", "TRACKNUMBER", "track number"),
        entry("disc", nil, "disk", "TPOS", "DISCNUMBER", nil),
        entry("comment", .commonKeyDescription, "©cmt", "COMM", "DESCRIPTION", "comments"),
        entry("description", .commonKeyDescription, "desc", nil, nil, nil),
        entry("copyright", .commonKeyCopyrights, "cprt", "TCOP", "COPYRIGHT", "copyright"),
        entry("publisher", .commonKeyPublisher, "©pub", "TPUB", "ORGANIZATION", nil),
        entry("encoder", .commonKeySoftware, "©too", "TSSE", "ENCODER", "encoding application"),
        entry("encoded_by", nil, "©enc", "TENC", "ENCODED-BY", nil),
        entry("language", .commonKeyLanguage, nil, "TLAN", "LANGUAGE", nil),
        entry("lyrics", nil, "©lyr", "USLT", "LYRICS", nil),
        entry("grouping", nil, "©grp", "TIT1", "GROUPING", nil),
        entry("performer", .commonKeyContributor, "©prf", "TPE3", "PERFORMER", nil),
        entry("compilation", nil, "cpil", "TCMP", "COMPILATION", nil),
        entry("rating", nil, "rtng", nil, "RATING", nil),
        entry("gapless_playback", nil, "pgap", nil, nil, nil),
        entry("media_type", nil, "stik", nil, nil, nil), entry("podcast", nil, "pcst", nil, nil, nil),
        entry("tmpo", nil, "tmpo", "TBPM", "BPM", "tempo"), entry("sort_name", nil, "sonm", nil, nil, nil),
        entry("sort_artist", nil, "soar", nil, nil, nil), entry("sort_album", nil, "soal", nil, nil, nil),
        entry("sort_album_artist", nil, "soaa", nil, nil, nil),
        entry("sort_composer", nil, "soco", nil, nil, nil),
        entry("title-sort", nil, nil, "TSOT", "TITLESORT", nil),
        entry("artist-sort", nil, nil, "TSOP", "ARTISTSORT", nil),
        entry("album-sort", nil, nil, "TSOA", "ALBUMSORT", nil),
        entry("creation_time", nil, nil, "TDEN", nil, nil),
        // Not an FFmpeg tag, but every key space has a name for artwork.
        entry("artwork", .commonKeyArtwork, "covr", "APIC", "METADATA_BLOCK_PICTURE", "artwork"),
    ]

    private static func entry(
        _ library: String, _ common: AVMetadataKey?, _ iTunes: String?, _ id3: String?, _ vorbis: String?,
        _ audioFile: String?
    ) -> MetadataName {
        MetadataName(
            library: library, common: common, iTunes: iTunes, id3: id3, vorbis: vorbis, audioFile: audioFile)
    }
}
