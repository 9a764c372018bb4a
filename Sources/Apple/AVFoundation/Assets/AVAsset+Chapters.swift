import CoreMedia
import Foundation
import TuttiCodecs

// Chapters of audiobooks and podcasts, from MPEG-4, Matroska, or MP3 with chapter frames.

extension AVAsset {
    /// Loads the chapters whose titles are in a language.
    ///
    /// - Parameters:
    ///   - locale: One of `availableChapterLocales`, or another locale of the same language.
    ///   - commonKeys: Further items to include; ignored here, because chapters have titles only.
    /// - Returns: The chapters in the order of time; empty if no title is in the language.
    /// - Throws: The errors of `load(_:)`.
    public func loadChapterMetadataGroups(
        withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey] = []
    ) async throws -> [AVTimedMetadataGroup] { try await loading.contents().chapterGroups(in: locale) }

    /// Loads the chapters in the most preferred language that the file has, else in its first language.
    ///
    /// - Parameter preferredLanguages: BCP 47 tags, the most preferred first.
    /// - Throws: The errors of `load(_:)`.
    public func loadChapterMetadataGroups(
        bestMatchingPreferredLanguages preferredLanguages: [String]
    ) async throws -> [AVTimedMetadataGroup] {
        try await loading.contents().chapterGroups(preferring: preferredLanguages)
    }

    /// Loads chapters like the asynchronous method; calls the handler once, on any thread.
    @preconcurrency
    public func loadChapterMetadataGroups(
        withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey],
        completionHandler: @escaping @Sendable ([AVTimedMetadataGroup]?, (any Error)?) -> Void
    ) { answer(completionHandler) { _, contents in contents.chapterGroups(in: locale) } }

    /// Loads chapters like the asynchronous method; calls the handler once, on any thread.
    @preconcurrency
    public func loadChapterMetadataGroups(
        bestMatchingPreferredLanguages preferredLanguages: [String],
        completionHandler: @escaping @Sendable ([AVTimedMetadataGroup]?, (any Error)?) -> Void
    ) { answer(completionHandler) { _, contents in contents.chapterGroups(preferring: preferredLanguages) } }

    /// The languages of the chapter titles; blocks the calling thread until the asset is loaded.
    @available(*, deprecated, message: "Use load(.availableChapterLocales) instead")
    public var availableChapterLocales: [Locale] { contents?.chapterLocales ?? [] }

    /// Returns the chapters whose titles are in a language; blocks the calling thread until they are loaded.
    @available(
        *, deprecated,
        message: "Use loadChapterMetadataGroups(withTitleLocale:containingItemsWithCommonKeys:)"
    )
    public func chapterMetadataGroups(
        withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey]?
    ) -> [AVTimedMetadataGroup] { contents?.chapterGroups(in: locale) ?? [] }

    /// Returns the chapters in the preferred language; blocks the calling thread until the asset is loaded.
    @available(*, deprecated, message: "Use loadChapterMetadataGroups(bestMatchingPreferredLanguages:)")
    public func chapterMetadataGroups(
        bestMatchingPreferredLanguages preferredLanguages: [String]
    ) -> [AVTimedMetadataGroup] { contents?.chapterGroups(preferring: preferredLanguages) ?? [] }
}

extension AVPartialAsyncProperty where Root: AVAsset {
    /// The languages of the chapter titles; `und` if neither chapter nor sound states a language.
    public static var availableChapterLocales: AVAsyncProperty<Root, [Locale]> {
        AVAsyncProperty("availableChapterLocales") { _, contents in contents.chapterLocales }
    }
}

extension AssetContents {
    /// Returns the language of a chapter, else of the sound, else `und`.
    private func language(of chapter: MediaChapter) -> String {
        let sound = info.streams.first { $0.index == info.streamIndex }
        return LanguageTag.tag(chapter.language ?? sound?.language) ?? LanguageTag.undetermined
    }

    private var chapterLanguages: [String] {
        var languages: [String] = []
        for chapter in info.chapters {
            let language = language(of: chapter)
            if !languages.contains(language) { languages.append(language) }
        }
        return languages
    }

    var chapterLocales: [Locale] { chapterLanguages.map { Locale(identifier: $0) } }

    func chapterGroups(in locale: Locale) -> [AVTimedMetadataGroup] {
        guard let wanted = LanguageTag.language(of: locale.identifier) else { return [] }
        return groups(in: wanted)
    }

    func chapterGroups(preferring languages: [String]) -> [AVTimedMetadataGroup] {
        let there = chapterLanguages
        let best = languages.lazy.compactMap(LanguageTag.language).first { there.contains($0) } ?? there.first
        return best.map(groups) ?? []
    }

    private func groups(in language: String) -> [AVTimedMetadataGroup] {
        info.chapters.filter { self.language(of: $0) == language }.map { group(of: $0, language) }
    }

    private func group(of chapter: MediaChapter, _ language: String) -> AVTimedMetadataGroup {
        let range = CMTimeRange(
            start: CMTime(value: chapter.start, timescale: MediaChapter.timescale),
            end: CMTime(value: chapter.end, timescale: MediaChapter.timescale))
        guard let title = chapter.title else { return AVTimedMetadataGroup(items: [], timeRange: range) }
        var content = MetadataContent()
        content.set(AVMetadataKey.commonKeyTitle.rawValue, in: .common)
        content.value = title as NSString
        content.dataType = MetadataDataType.text
        (content.time, content.duration) = (range.start, range.duration)
        content.locale = Locale(identifier: language)
        if language != LanguageTag.undetermined { content.extendedLanguageTag = language }
        return AVTimedMetadataGroup(items: [AVMetadataItem(content)], timeRange: range)
    }
}
