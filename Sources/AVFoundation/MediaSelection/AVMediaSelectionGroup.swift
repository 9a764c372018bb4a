import Codecs
import Foundation

/// The tracks of one kind of which one is played: the languages of a film, the versions of a song. Any thread.
open class AVMediaSelectionGroup: NSObject, NSCopying, @unchecked Sendable {
    // Safe to share: immutable.

    private let all: [AVMediaSelectionOption]
    private let usual: AVMediaSelectionOption?

    init(options: [AVMediaSelectionOption], default usual: AVMediaSelectionOption?) {
        (all, self.usual) = (options, usual)
        super.init()
    }

    /// The group itself, as it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// In the order of the file.
    open var options: [AVMediaSelectionOption] { all }

    /// The option that is played unless another one is selected.
    open var defaultOption: AVMediaSelectionOption? { usual }

    /// Whether no option at all can be selected: never here.
    open var allowsEmptySelection: Bool { false }

    /// The option of which `plist` was made by ``AVMediaSelectionOption/propertyList()``; `nil` if it is none of this group.
    open func mediaSelectionOption(withPropertyList plist: Any) -> AVMediaSelectionOption? {
        guard let words = plist as? [String: Any], let id = words[AVMediaSelectionOption.idKey] as? Int else {
            return nil
        }
        return options.first { Int($0.stream.trackID) == id }
    }

    // MARK: Filtering

    /// The options that can be played.
    open class func playableMediaSelectionOptions(
        from mediaSelectionOptions: [AVMediaSelectionOption]
    ) -> [AVMediaSelectionOption] { mediaSelectionOptions.filter(\.isPlayable) }

    /// The options in the language of a locale.
    open class func mediaSelectionOptions(
        from mediaSelectionOptions: [AVMediaSelectionOption], with locale: Locale
    ) -> [AVMediaSelectionOption] {
        guard let wanted = LanguageTag.language(of: locale.identifier) else { return [] }
        return mediaSelectionOptions.filter { $0.language == wanted }
    }

    /// The options in the languages that a user prefers, the most preferred first; others are left out.
    ///
    /// - Parameter preferredLanguages: as BCP 47 has them, e.g. `Locale.preferredLanguages`.
    open class func mediaSelectionOptions(
        from mediaSelectionOptions: [AVMediaSelectionOption],
        filteredAndSortedAccordingToPreferredLanguages preferredLanguages: [String]
    ) -> [AVMediaSelectionOption] {
        var wanted: [String] = []
        for language in preferredLanguages.compactMap(LanguageTag.language) where !wanted.contains(language) {
            wanted.append(language)
        }
        return wanted.flatMap { language in mediaSelectionOptions.filter { $0.language == language } }
    }

    /// The options that offer all of these.
    open class func mediaSelectionOptions(
        from mediaSelectionOptions: [AVMediaSelectionOption],
        withMediaCharacteristics mediaCharacteristics: [AVMediaCharacteristic]
    ) -> [AVMediaSelectionOption] {
        mediaSelectionOptions.filter { option in
            mediaCharacteristics.allSatisfy(option.hasMediaCharacteristic)
        }
    }

    /// The options that offer none of these.
    open class func mediaSelectionOptions(
        from mediaSelectionOptions: [AVMediaSelectionOption],
        withoutMediaCharacteristics mediaCharacteristics: [AVMediaCharacteristic]
    ) -> [AVMediaSelectionOption] {
        mediaSelectionOptions.filter { option in
            !mediaCharacteristics.contains(where: option.hasMediaCharacteristic)
        }
    }
}
