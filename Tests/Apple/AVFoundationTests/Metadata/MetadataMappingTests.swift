import Foundation
import Testing
import TuttiCodecs
import TuttiTestMedia

@testable import AVFoundation

@Suite("Metadata of files")
struct MetadataMappingTests {
    static let tags = [
        ("title", "Übung"), ("artist", "Ensemble"), ("album", "Proben"), ("album_artist", "Various"),
        ("genre", "Jazz"), ("composer", "N. N."), ("track", "3/12"), ("disc", "1/2"), ("date", "1999-05-01"),
        ("copyright", "nobody"),
    ]
    static let picture: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [UInt8](repeating: 1, count: 500) + [
            0xFF, 0xD9,
        ]

    private static func asset(_ name: String, in folder: TestFolder) throws -> AVURLAsset {
        var file = MediaFile.kind(name)
        file.tags = tags
        if name == "aac.m4a" || name == "cbr.mp3" { file.picture = picture }
        try file.write(
            Signal.sweep(frameCount: 20_000, rate: name.contains("opus") ? .hz48000 : .hz44100),
            to: folder.file(name))
        return AVURLAsset(url: URL(fileURLWithPath: folder.file(name)))
    }

    @Test(
        "common keys exist for every format", arguments: ["aac.m4a", "cbr.mp3", "a.flac", "a.ogg", "a.opus"])
    func common(name: String) async throws {
        let folder = try TestFolder()
        let items = try await Self.asset(name, in: folder).load(.commonMetadata)
        let expected: [(AVMetadataIdentifier, String)] = [
            (.commonIdentifierTitle, "Übung"), (.commonIdentifierArtist, "Ensemble"),
            (.commonIdentifierAlbumName, "Proben"), (.commonIdentifierType, "Jazz"),
            (.commonIdentifierCreator, "N. N."), (.commonIdentifierCopyrights, "nobody"),
            (.commonIdentifierCreationDate, "1999-05-01"),
        ]
        for (identifier, text) in expected {
            let found = AVMetadataItem.metadataItems(from: items, filteredByIdentifier: identifier)
            #expect(found.count == 1, "\(identifier.rawValue)")
            #expect(try await found.first?.load(.stringValue) == text, "\(identifier.rawValue)")
            #expect(found.first?.keySpace == .common)
        }
        #expect(items.allSatisfy { $0.commonKey != nil })
    }

    @Test("artwork keeps every byte", arguments: ["aac.m4a", "cbr.mp3"])
    func artwork(name: String) async throws {
        let folder = try TestFolder()
        let items = try await Self.asset(name, in: folder).load(.commonMetadata)
        let found = AVMetadataItem.metadataItems(
            from: items, withKey: AVMetadataKey.commonKeyArtwork, keySpace: .common)
        let item = try #require(found.first)
        #expect(try await item.load(.dataValue) == Data(Self.picture))
        #expect(item.dataType == "com.apple.metadata.datatype.JPEG")
        #expect(item.stringValue == nil)
        #expect(item.value as? Data == Data(Self.picture))
    }

    @Test("format-specific keys use the names of the file's own format")
    func own() async throws {
        let folder = try TestFolder()
        let movie = try Self.asset("aac.m4a", in: folder)
        #expect(try await movie.load(.availableMetadataFormats) == [.iTunesMetadata])
        let items = try await movie.loadMetadata(for: .iTunesMetadata)
        let title = try #require(items.first { $0.identifier == .iTunesMetadataSongName })
        #expect(title.key as? String == "©nam")
        #expect(title.keySpace == .iTunes)
        #expect(title.commonKey == .commonKeyTitle)
        #expect(title.identifier?.rawValue == "itsk/%A9nam")
        let track = try #require(items.first { $0.identifier == .iTunesMetadataTrackNumber })
        #expect(track.dataValue == Data([0, 0, 0, 3, 0, 12, 0, 0]))
        let disc = try #require(items.first { $0.identifier == .iTunesMetadataDiscNumber })
        #expect(disc.dataValue == Data([0, 0, 0, 1, 0, 2]))
        #expect(!items.contains { $0.content.keyText == "major_brand" })

        let mp3 = try Self.asset("cbr.mp3", in: folder)
        let frames = try await mp3.loadMetadata(for: .id3Metadata)
        #expect(frames.first { $0.identifier == .id3MetadataTitleDescription }?.stringValue == "Übung")
        #expect(frames.first { $0.identifier == .id3MetadataTrackNumber }?.stringValue == "3/12")
        #expect(frames.first { $0.identifier == .id3MetadataBand }?.stringValue == "Various")
        let flac = try Self.asset("a.flac", in: folder)
        let comments = try await flac.load(.metadata)
        #expect(comments.first { $0.content.keyText == "ALBUMARTIST" }?.stringValue == "Various")
    }

    @Test("a creation date becomes a date")
    func creationDate() async throws {
        let folder = try TestFolder()
        let asset = try Self.asset("a.flac", in: folder)
        let date = try await asset.load(.creationDate)?.load(.dateValue)
        #expect(date == Date(timeIntervalSince1970: 925_516_800))
        #expect(try await asset.load(.lyrics) == nil)
    }

    static let words: [(String, String, String, String?, AVMetadataKey?)] = [
        ("mov", "iTunSMPB", "itlk/com.apple.iTunes.iTunSMPB", nil, nil),
        ("mov", "com.apple.quicktime.artist", "mdta/com.apple.quicktime.artist", nil, .commonKeyArtist),
        ("mp3", "TSRC", "id3/TSRC", nil, nil), ("mp3", "Mood", "id3/TXXX", "Mood", nil),
        ("flac", "replaygain_track_gain", "vorb/REPLAYGAIN_TRACK_GAIN", nil, nil),
        ("wav", "title", "caaf/title", nil, .commonKeyTitle), ("mp3", "lyrics-eng", "id3/USLT", nil, nil),
        ("mp3", "lyrics-verse-deu", "id3/USLT", nil, nil),
    ]

    @Test("all kinds of names are mapped", arguments: words)
    func names(
        container: String, word: String, identifier: String, info: String?, common: AVMetadataKey?
    ) throws {
        let item = try #require(
            MetadataMapping(container: container).item(of: MediaTag(key: word, value: "x")))
        #expect(item.identifier?.rawValue == identifier)
        #expect(item.extraAttributes?[.info] as? String == info)
        #expect(item.commonKey == common)
        #expect(item.isLyrics == word.hasPrefix("lyrics"))
        if word == "lyrics-verse-deu" { #expect(item.extendedLanguageTag == "deu") }
    }

    @Test(
        "an identifier splits into key space and key, and is joined from them",
        arguments: [
            (AVMetadataIdentifier.iTunesMetadataSongName, AVMetadataKeySpace.iTunes, "©nam"),
            (.id3MetadataTitleDescription, .id3, "TIT2"), (.commonIdentifierTitle, .common, "title"),
            (AVMetadataIdentifier("mdta/a%2Fb"), .quickTimeMetadata, "a/b"),
            (AVMetadataIdentifier("vorb/%E2%99%AB"), .vorbisComment, "♫"),
        ])
    func identifiers(identifier: AVMetadataIdentifier, space: AVMetadataKeySpace, key: String) {
        #expect(AVMetadataItem.keySpace(forIdentifier: identifier) == space)
        #expect(AVMetadataItem.key(forIdentifier: identifier) as? String == key)
        #expect(AVMetadataItem.identifier(forKey: key, keySpace: space) == identifier)
    }
}
