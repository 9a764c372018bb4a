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

    public let languageOptionType: MPNowPlayingInfoLanguageOptionType
    /// A tag of BCP 47; `nil` for what has no language.
    public let languageTag: String?
    public let languageOptionCharacteristics: [String]?
    /// For people.
    public let displayName: String?
    /// Names the option to the program.
    public let identifier: String?

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

    public let languageOptions: [MPNowPlayingInfoLanguageOption]
    public let defaultLanguageOption: MPNowPlayingInfoLanguageOption?
    public let allowEmptySelection: Bool

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
