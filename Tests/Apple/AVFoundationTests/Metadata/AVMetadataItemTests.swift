import Foundation
import Testing

@testable import AVFoundation

@Suite("Metadata items")
struct AVMetadataItemTests {
    private static func item(
        _ identifier: AVMetadataIdentifier, _ value: (any NSCopying & NSObjectProtocol)?,
        language: String? = nil
    ) -> AVMutableMetadataItem {
        let item = AVMutableMetadataItem()
        item.identifier = identifier
        item.value = value
        item.extendedLanguageTag = language
        return item
    }

    @Test("a program can build its own item")
    func mutable() throws {
        let item = AVMutableMetadataItem()
        #expect(item.identifier == nil)
        #expect(item.value == nil)
        item.keySpace = .iTunes
        item.key = "©nam" as NSString
        #expect(item.identifier == .iTunesMetadataSongName)
        #expect(item.commonKey == .commonKeyTitle)
        item.identifier = .commonIdentifierArtist
        #expect(item.keySpace == .common)
        #expect(item.key as? String == "artist")
        item.value = "Ensemble" as NSString
        item.time = CMTime(value: 1, timescale: 2)
        let copy = try #require(item.copy() as? AVMetadataItem)
        item.value = "Duo" as NSString
        #expect(copy.stringValue == "Ensemble")
        #expect(copy.time == CMTime(value: 1, timescale: 2))
        #expect((copy.mutableCopy() as? AVMutableMetadataItem)?.stringValue == "Ensemble")
        item.identifier = nil
        #expect(item.key == nil && item.keySpace == nil)
    }

    @Test("keys and values have Apple's types, and are found as text where no type is given")
    func objects() async throws {
        let item = AVMutableMetadataItem()
        item.keySpace = .iTunes
        item.key = "©nam" as (any NSCopying & NSObjectProtocol)?
        item.value = "Duo" as (any NSCopying & NSObjectProtocol)?
        let value: (any NSCopying & NSObjectProtocol)? = item.value
        let key: (any NSCopying & NSObjectProtocol)? = item.key
        let loaded: (any NSCopying & NSObjectProtocol)? = try await item.load(.value)
        #expect(value?.isEqual("Duo" as NSString) == true && loaded?.isEqual("Duo" as NSString) == true)
        #expect(key?.isEqual("©nam" as NSString) == true)
        #expect(item.value as? String == "Duo" && item.key as? String == "©nam")
        #expect(try await item.load(.value) as? String == "Duo")
        guard let text = item.value as? String else { return #expect(Bool(false), "no text") }
        #expect(text == "Duo")
    }

    @Test("a four-character key is stored as a number")
    func number() {
        let item = AVMutableMetadataItem()
        item.keySpace = .iTunes
        item.key = NSNumber(value: 0x7472_6B6E as UInt32)
        #expect(item.identifier == .iTunesMetadataTrackNumber)
    }

    @Test("values convert to other types")
    func values() async throws {
        let text = Self.item(.commonIdentifierTitle, "12" as NSString)
        #expect(try await text.load(.numberValue) == 12)
        #expect(try await text.load(.dataValue) == Data("12".utf8))
        #expect(try await text.load(.dateValue) == nil)
        let (value, string) = try await text.load(.value, .stringValue)
        #expect(value as? String == "12")
        #expect(string == "12")
        let number = Self.item(.commonIdentifierTitle, NSNumber(value: 2.5))
        #expect(number.stringValue == "2.5")
        #expect(number.numberValue == 2.5)
        #expect(number.dataValue == nil)
        let words = Self.item(.commonIdentifierTitle, "3/12" as NSString)
        #expect(words.numberValue == nil)
        let date = Self.item(.commonIdentifierCreationDate, Date(timeIntervalSince1970: 0) as NSDate)
        #expect(date.stringValue == "1970-01-01T00:00:00Z")
        #expect(date.dateValue == Date(timeIntervalSince1970: 0))
        #expect(Self.item(.commonIdentifierTitle, "nan" as NSString).numberValue == nil)
    }

    static let dates: [(String, Double?)] = [
        ("1970", 0), ("1970-02", 2_678_400), ("1970-01-02", 86_400), ("1970-01-01T00:00:10Z", 10),
        ("1970-01-01 01:00:00", 3600), ("1970-01-01T02:00:00+01:30", 1800), ("1970-01-01T00:00:01.5Z", 1),
        ("", nil), ("Tuesday", nil), ("1970-13-01", nil), ("1970-01-01T25:00", nil), ("99", nil),
        ("1970-", nil),
        ("-1970", nil), ("1970-01-01T00:00:00+9", nil),
    ]

    @Test("dates parse in the forms that files use", arguments: dates)
    func parsed(text: String, seconds: Double?) {
        #expect(MetadataDate.date(of: text)?.timeIntervalSince1970 == seconds)
    }

    @Test("items are filtered by identifier, key and key space")
    func found() {
        let own = Self.item(.iTunesMetadataSongName, "a" as NSString)
        let common = Self.item(.commonIdentifierTitle, "b" as NSString)
        let other = Self.item(.id3MetadataMood, "c" as NSString)
        let all = [own, common, other]
        #expect(
            AVMetadataItem.metadataItems(from: all, filteredByIdentifier: .commonIdentifierTitle) == [
                own, common,
            ])
        #expect(
            AVMetadataItem.metadataItems(from: all, filteredByIdentifier: .iTunesMetadataSongName) == [own])
        #expect(
            AVMetadataItem.metadataItems(from: all, withKey: AVMetadataKey.commonKeyTitle, keySpace: .common)
                == [own, common])
        #expect(AVMetadataItem.metadataItems(from: all, withKey: "©nam", keySpace: nil) == [own])
        #expect(AVMetadataItem.metadataItems(from: all, withKey: nil, keySpace: .id3) == [other])
        #expect(AVMetadataItem.metadataItems(from: all, withKey: nil, keySpace: nil) == all)
        #expect(AVMetadataItem.metadataItems(from: all, withKey: 5.0 as Double, keySpace: nil).isEmpty)
    }

    @Test("items are sorted by preferred languages")
    func languages() {
        let german = Self.item(.commonIdentifierTitle, "a" as NSString, language: "de")
        let english = Self.item(.commonIdentifierTitle, "b" as NSString, language: "eng")
        let any = Self.item(.commonIdentifierTitle, "c" as NSString)
        let french = Self.item(.commonIdentifierTitle, "d" as NSString, language: "fr-CA")
        let sorted = AVMetadataItem.metadataItems(
            from: [any, german, english, french],
            filteredAndSortedAccordingToPreferredLanguages: ["en-GB", "de"])
        #expect(sorted == [english, german, any])
    }
}
