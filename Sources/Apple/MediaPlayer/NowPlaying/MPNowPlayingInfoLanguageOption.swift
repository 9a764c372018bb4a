import Foundation

/// The kind of a language option.
public enum MPNowPlayingInfoLanguageOptionType: UInt, Sendable {
    /// The language of the speech.
    case audible = 0
    /// The language of the subtitles.
    case legible = 1
}

/// A language in which an item can be played.
open class MPNowPlayingInfoLanguageOption: NSObject, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// The kind: speech or subtitles.
    public let languageOptionType: MPNowPlayingInfoLanguageOptionType
    /// A BCP 47 language tag; `nil` for an option without a language.
    public let languageTag: String?
    /// Characteristics of the option, e.g. subtitles for the deaf.
    public let languageOptionCharacteristics: [String]?
    /// The name to display.
    public let displayName: String?
    /// The program's identifier of the option.
    public let identifier: String?

    /// Creates a language option.
    public init(
        type languageOptionType: MPNowPlayingInfoLanguageOptionType, languageTag: String?,
        characteristics languageOptionCharacteristics: [String]?, displayName: String?, identifier: String?
    ) {
        self.languageOptionType = languageOptionType
        self.languageTag = languageTag
        self.languageOptionCharacteristics = languageOptionCharacteristics
        self.displayName = displayName
        self.identifier = identifier
        super.init()
    }
}

/// A group of mutually exclusive language options.
open class MPNowPlayingInfoLanguageOptionGroup: NSObject, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// The options, of which one is active at a time.
    public let languageOptions: [MPNowPlayingInfoLanguageOption]
    /// The option that is active by default.
    public let defaultLanguageOption: MPNowPlayingInfoLanguageOption?
    /// Whether the user may select no option.
    public let allowEmptySelection: Bool

    /// Creates a group of mutually exclusive options.
    public init(
        languageOptions: [MPNowPlayingInfoLanguageOption],
        defaultLanguageOption: MPNowPlayingInfoLanguageOption?, allowEmptySelection: Bool
    ) {
        self.languageOptions = languageOptions
        self.defaultLanguageOption = defaultLanguageOption
        self.allowEmptySelection = allowEmptySelection
        super.init()
    }
}
