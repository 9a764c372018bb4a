import Foundation
import Testing
import TuttiCodecs

@testable import AVFoundation
@testable import Playback

@Suite("Groups of metadata")
struct MetadataGroupTests {
    private func item(_ text: String) -> AVMetadataItem {
        let item = AVMutableMetadataItem()
        item.identifier = .commonIdentifierTitle
        item.value = text as NSString
        return item
    }

    private func time(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: 1000) }

    @Test("a timed group is copied as it is, and a mutable copy changes alone")
    func timed() throws {
        let range = CMTimeRange(start: time(1), end: time(3))
        let group = AVTimedMetadataGroup(items: [item("a"), item("b")], timeRange: range)
        #expect(group.items.map(\.stringValue) == ["a", "b"] && group.timeRange == range)
        #expect(group.classifyingLabel == nil && group.uniqueID == nil)
        let own = try #require(group.mutableCopy() as? AVMutableTimedMetadataGroup)
        own.items = [item("c")]
        own.timeRange = CMTimeRange(start: time(5), duration: .indefinite)
        let copy = try #require(own.copy() as? AVTimedMetadataGroup)
        own.items = []
        #expect(!(copy is AVMutableTimedMetadataGroup))
        #expect(copy.items.map(\.stringValue) == ["c"] && copy.timeRange.start == time(5))
        #expect(copy.timeRange.duration.isIndefinite)
        #expect(group.items.count == 2 && group.timeRange == range)
    }

    @Test("a group of dates may have no end yet, and is copied as it is")
    func dates() throws {
        let (start, end) = (Date(timeIntervalSince1970: 10), Date(timeIntervalSince1970: 20))
        let group = AVDateRangeMetadataGroup(items: [item("a")], start: start, end: nil)
        #expect(group.startDate == start && group.endDate == nil)
        let own = try #require(group.mutableCopy() as? AVMutableDateRangeMetadataGroup)
        (own.startDate, own.endDate) = (end, end)
        own.items.append(item("b"))
        let copy = try #require(own.copy() as? AVDateRangeMetadataGroup)
        own.endDate = nil
        #expect(copy.startDate == end && copy.endDate == end && copy.items.count == 2)
        #expect(!(copy is AVMutableDateRangeMetadataGroup))
        #expect(group.startDate == start && group.items.count == 1)
    }

    // MARK: Titles of streams

    private func group(_ container: String, _ title: TimedTitle, end: Double? = nil) -> AVTimedMetadataGroup {
        TitleGroups(container: container).group(
            of: ScheduledTitle(time: time(10), end: end.map { time($0) }, title: title))
    }

    @Test("a title of web radio is one item, in force until the next one is known")
    func radio() throws {
        let title = TimedTitle(frame: 0, title: "Ensemble – Übung \"3\"")
        let endless = group("mp3", title)
        #expect(endless.timeRange.start == time(10) && endless.timeRange.duration.isIndefinite)
        let item = try #require(endless.items.first)
        #expect(endless.items.count == 1 && item.stringValue == "Ensemble – Übung \"3\"")
        #expect(item.keySpace == .icy && item.key as? String == "StreamTitle")
        #expect(item.identifier == .icyMetadataStreamTitle)
        #expect(item.time == time(10) && item.duration.isIndefinite)
        let closed = group("mp3", title, end: 12.5)
        #expect(closed.timeRange == CMTimeRange(start: time(10), end: time(12.5)))
        #expect(closed.items.first?.duration == time(2.5))
    }

    @Test("an Ogg stream has its comments, of which a missing one is left out")
    func ogg() {
        let both = group("ogg", TimedTitle(frame: 0, title: "Übung", artist: "Ensemble"))
        #expect(both.items.map(\.stringValue) == ["Übung", "Ensemble"])
        #expect(both.items.map(\.commonKey) == [.commonKeyTitle, .commonKeyArtist])
        let one = group("ogg", TimedTitle(frame: 0, title: "", artist: "Ensemble"))
        #expect(one.items.map(\.commonKey) == [.commonKeyArtist])
    }

    @Test("frames of a tag come before the title, each under its own name")
    func tags() {
        let title = TimedTitle(
            frame: 0, title: "ignored",
            tags: [MediaTag(key: "TIT2", value: "Übung"), MediaTag(key: "Mood", value: "calm")])
        let items = group("hls", title).items
        #expect(items.map { $0.identifier?.rawValue } == ["id3/TIT2", "id3/TXXX"])
        #expect(items.map(\.stringValue) == ["Übung", "calm"])
        #expect(items.last?.extraAttributes?[.info] as? String == "Mood")
    }

    @Test("the end of a title is a group without items")
    func empty() {
        #expect(group("mp3", TimedTitle(frame: 0, title: "")).items.isEmpty)
        #expect(group("ogg", TimedTitle(frame: 0, title: "", artist: "")).items.isEmpty)
    }

    // MARK: Names

    @Test(
        "a key of any characters returns from its identifier",
        arguments: [
            "©nam", "♫", "é♫", "Ã©", "ÿ", "a/b", "100%", "%41", "com.apple.iTunes.Größe 1", "", "日本",
            "\u{1F3B5}\u{E9}", "tab\tquote\"",
        ])
    func keys(key: String) throws {
        let identifier = try #require(AVMetadataItem.identifier(forKey: key, keySpace: .quickTimeMetadata))
        #expect(identifier.rawValue.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        #expect(AVMetadataItem.key(forIdentifier: identifier) as? String == key)
        #expect(AVMetadataItem.keySpace(forIdentifier: identifier) == .quickTimeMetadata)
    }

    @Test(
        "an identifier with a broken escape keeps its characters",
        arguments: [
            ("mdta/50%", "50%"), ("mdta/%4", "%4"), ("mdta/%zz", "%zz"), ("mdta/%41%", "A%"),
            ("mdta/%+4", "%+4"), ("mdta/%-0", "%-0"),
        ])
    func brokenEscapes(identifier: String, key: String) {
        #expect(AVMetadataItem.key(forIdentifier: AVMetadataIdentifier(identifier)) as? String == key)
    }

    @Test(
        "a date survives its text, in every form of zone", arguments: [0, 86_399, 951_782_400, 4_102_444_799])
    func dateText(seconds: Int) {
        let date = Date(timeIntervalSince1970: Double(seconds))
        let text = MetadataDate.text(of: date)
        #expect(MetadataDate.date(of: text) == date)
        #expect(MetadataDate.date(of: String(text.dropLast()) + "+00:00") == date)
        #expect(MetadataDate.date(of: String(text.dropLast()) + "-0130") == date.addingTimeInterval(5400))
    }

    @Test(
        "language codes become short tags",
        arguments: [
            ("deu", "de"), ("ENG", "en"), ("fr", "fr"), ("und", nil), ("UND", nil), ("", nil),
            (nil, nil),
        ] as [(String?, String?)])
    func languageTags(code: String?, tag: String?) { #expect(LanguageTag.tag(code) == tag) }

    @Test(
        "the language of a tag is its first part",
        arguments: [
            ("de-AT", "de"), ("de_AT", "de"), ("en@calendar=gregorian", "en"), ("eng-GB", "en"),
            ("und-DE", "und"),
            ("", nil), ("-", nil),
        ] as [(String, String?)])
    func languageParts(identifier: String, language: String?) {
        #expect(LanguageTag.language(of: identifier) == language)
    }
}
