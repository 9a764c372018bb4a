import Foundation

/// The languages and characteristics of the media that a player should choose. An immutable object; any thread.
open class AVPlayerMediaSelectionCriteria: NSObject, @unchecked Sendable {
    // Safe to share: immutable.

    /// Language tags, best first; `nil` for no preference.
    public let preferredLanguages: [String]?
    /// Characteristics of the options, most important first; `nil` for no preference.
    public let preferredMediaCharacteristics: [AVMediaCharacteristic]?
    /// Characteristics that outrank the languages; `nil` for no preference.
    public let principalMediaCharacteristics: [AVMediaCharacteristic]?

    /// Creates criteria of languages and characteristics.
    public convenience init(
        preferredLanguages: [String]?, preferredMediaCharacteristics: [AVMediaCharacteristic]?
    ) {
        self.init(
            principalMediaCharacteristics: nil, preferredLanguages: preferredLanguages,
            preferredMediaCharacteristics: preferredMediaCharacteristics)
    }

    /// Creates criteria with characteristics that outrank the languages.
    public init(
        principalMediaCharacteristics: [AVMediaCharacteristic]?, preferredLanguages: [String]?,
        preferredMediaCharacteristics: [AVMediaCharacteristic]?
    ) {
        self.principalMediaCharacteristics = principalMediaCharacteristics
        self.preferredLanguages = preferredLanguages
        self.preferredMediaCharacteristics = preferredMediaCharacteristics
        super.init()
    }
}
