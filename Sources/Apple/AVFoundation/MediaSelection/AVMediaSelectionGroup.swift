import Foundation
import TuttiCodecs

/// An immutable group of alternative tracks, such as languages of a film or versions of a song. Any thread.
open class AVMediaSelectionGroup: NSObject, NSCopying, @unchecked Sendable {
    // Safe to share: immutable.

    private let all: [AVMediaSelectionOption]
    private let usual: AVMediaSelectionOption?
    private let isOptional: Bool

    /// - Parameter isOptional: Whether no option may be selected.
    init(
        options: [AVMediaSelectionOption], default usual: AVMediaSelectionOption?, isOptional: Bool = false
    ) {
        (all, self.usual, self.isOptional) = (options, usual, isOptional)
        super.init()
    }

    /// Returns the group itself, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The options in the order of the file.
    open var options: [AVMediaSelectionOption] { all }

    /// The option that plays unless the program selects another option; `nil` in a group of texts.
    open var defaultOption: AVMediaSelectionOption? { usual }

    /// Whether the selection can be empty, as that of texts can.
    open var allowsEmptySelection: Bool { isOptional }

    /// Returns the option of a stored ``AVMediaSelectionOption/propertyList()``; `nil` if not in the group.
    open func mediaSelectionOption(withPropertyList plist: Any) -> AVMediaSelectionOption? {
        guard let words = plist as? [String: Any], let id = words[AVMediaSelectionOption.idKey] as? Int else {
            return nil
        }
        return options.first { Int($0.stream.trackID) == id }
    }

    // MARK: Filtering

    /// Returns the options that can be played.
    open class func playableMediaSelectionOptions(
        from mediaSelectionOptions: [AVMediaSelectionOption]
    ) -> [AVMediaSelectionOption] { mediaSelectionOptions.filter(\.isPlayable) }

    /// Returns the options in the language of a locale.
    open class func mediaSelectionOptions(
        from mediaSelectionOptions: [AVMediaSelectionOption], with locale: Locale
    ) -> [AVMediaSelectionOption] {
        guard let wanted = LanguageTag.language(of: locale.identifier) else { return [] }
        return mediaSelectionOptions.filter { $0.language == wanted }
    }

    /// Returns the options in preferred languages, the most preferred first; omits all other options.
    ///
    /// - Parameter preferredLanguages: BCP 47 tags, e.g. `Locale.preferredLanguages`.
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

    /// Returns the options that have all of the characteristics.
    open class func mediaSelectionOptions(
        from mediaSelectionOptions: [AVMediaSelectionOption],
        withMediaCharacteristics mediaCharacteristics: [AVMediaCharacteristic]
    ) -> [AVMediaSelectionOption] {
        mediaSelectionOptions.filter { option in
            mediaCharacteristics.allSatisfy(option.hasMediaCharacteristic)
        }
    }

    /// Returns the options that have none of the characteristics.
    open class func mediaSelectionOptions(
        from mediaSelectionOptions: [AVMediaSelectionOption],
        withoutMediaCharacteristics mediaCharacteristics: [AVMediaCharacteristic]
    ) -> [AVMediaSelectionOption] {
        mediaSelectionOptions.filter { option in
            !mediaCharacteristics.contains(where: option.hasMediaCharacteristic)
        }
    }
}
