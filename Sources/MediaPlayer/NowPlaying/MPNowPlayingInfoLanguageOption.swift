import Foundation

/// What a language option is about.
public enum MPNowPlayingInfoLanguageOptionType: UInt, Sendable {
    /// The language that is heard.
    case audible = 0
    /// The language that is read.
    case legible = 1
}

/// One language that an item can be played in.
open class MPNowPlayingInfoLanguageOption: NSObject, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// Speech or subtitles.
    public let languageOptionType: MPNowPlayingInfoLanguageOptionType
    /// A tag of BCP 47; `nil` for what has no language.
    public let languageTag: String?
    /// What is special about it, e.g. for people who do not hear.
    public let languageOptionCharacteristics: [String]?
    /// For people.
    public let displayName: String?
    /// Names the option to the program.
    public let identifier: String?

    /// An option with the name that people see.
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

/// Languages of which one can be chosen.
open class MPNowPlayingInfoLanguageOptionGroup: NSObject, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// Those of which one is used at a time.
    public let languageOptions: [MPNowPlayingInfoLanguageOption]
    /// What is used when nobody chooses.
    public let defaultLanguageOption: MPNowPlayingInfoLanguageOption?
    /// Whether none of them may be used.
    public let allowEmptySelection: Bool

    /// Options of which one is used at a time.
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
