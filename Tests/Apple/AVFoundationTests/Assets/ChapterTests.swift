import AVFoundation
import Testing
import TuttiPCM
import TuttiTestMedia

@Suite("Chapters")
struct ChapterTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func asset(_ name: String, _ kind: String, chapters: [MediaFile.Chapter]) throws -> AVURLAsset {
        var file = MediaFile.kind(kind)
        file.chapters = chapters
        try file.write(Signal.sweep(frameCount: 44_100 * 9), to: folder.file(name))
        return AVURLAsset(url: URL(fileURLWithPath: folder.file(name)))
    }

    private static let chapters = [
        MediaFile.Chapter(0..<2, "Anfang"), MediaFile.Chapter(2..<5, "Die Mitte"),
        MediaFile.Chapter(5..<9, "Ende"),
    ]

    @Test(
        "chapters are found in audio books, Matroska and MP3, with titles and times",
        arguments: [("book.m4b", "aac.m4a"), ("book.mka", "a.flac"), ("book.mp3", "cbr.mp3")])
    func formats(name: String, kind: String) async throws {
        let asset = try asset(name, kind, chapters: Self.chapters)
        let locales = try await asset.load(.availableChapterLocales)
        let groups = try await asset.loadChapterMetadataGroups(withTitleLocale: try #require(locales.first))
        #expect(locales.count == 1)
        var titles: [String?] = []
        for group in groups { titles.append(try await group.items.first?.load(.stringValue)) }
        #expect(titles == ["Anfang", "Die Mitte", "Ende"])
        let starts = groups.map { ($0.timeRange.start.seconds * 1000).rounded() / 1000 }
        #expect(starts == [0, 2, 5] && abs((groups.last?.timeRange.end.seconds ?? 0) - 9) < 0.05)
        let first = try #require(groups.first?.items.first)
        #expect(first.commonKey == .commonKeyTitle && first.time == groups.first?.timeRange.start)
        let best = try await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: ["xx", "de-DE"])
        #expect(best.count == 3)
    }

    @Test("a file without chapters has no locales and no groups; an unknown language has no groups")
    func none() async throws {
        let plain = try asset("plain.m4a", "aac.m4a", chapters: [])
        #expect(try await plain.load(.availableChapterLocales).isEmpty)
        #expect(try await plain.loadChapterMetadataGroups(bestMatchingPreferredLanguages: ["en"]).isEmpty)
        let book = try asset("book.m4b", "aac.m4a", chapters: Self.chapters)
        #expect(try await book.loadChapterMetadataGroups(withTitleLocale: Locale(identifier: "ja")).isEmpty)
    }

    @Test("chapter groups are copied, and a copy can be changed")
    func groups() throws {
        let range = CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 1))
        let group = AVTimedMetadataGroup(items: [AVMetadataItem()], timeRange: range)
        let own = try #require(group.mutableCopy() as? AVMutableTimedMetadataGroup)
        (own.items, own.timeRange) = ([], .zero)
        #expect(
            group.items.count == 1 && group.timeRange == range && own.items.isEmpty && own.timeRange == .zero)
        let dates = AVMutableDateRangeMetadataGroup(items: [], start: .distantPast, end: nil)
        dates.endDate = .distantFuture
        #expect((dates.copy() as? AVDateRangeMetadataGroup)?.endDate == .distantFuture)
    }
}
