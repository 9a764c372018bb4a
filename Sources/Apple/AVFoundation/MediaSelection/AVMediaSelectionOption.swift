import Foundation
import TuttiCodecs

/// One selectable track of a group; immutable. Any thread.
open class AVMediaSelectionOption: NSObject, NSCopying, @unchecked Sendable {
    // Safe to share: immutable.

    let stream: MediaStream

    init(_ stream: MediaStream) {
        self.stream = stream
        super.init()
    }

    /// Returns the option itself, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The media type of the option: sound or subtitles.
    open var mediaType: AVMediaType { stream.isText ? .subtitle : .audio }

    /// The four-character code of the codec; empty if the file has no code for the codec.
    open var mediaSubTypes: [NSNumber] {
        stream.codecTag == 0 ? [] : [NSNumber(value: stream.codecTag.byteSwapped)]
    }

    /// Whether the track can be decoded.
    open var isPlayable: Bool { stream.audio != nil || stream.isText }

    /// The short language code; `nil` if the file states no language.
    var language: String? { LanguageTag.tag(stream.language) }

    /// The BCP 47 language tag; `nil` if the file states no language.
    open var extendedLanguageTag: String? { language }

    /// The locale of the language; `nil` if the file states no language.
    open var locale: Locale? { language.map { Locale(identifier: $0) } }

    /// Returns whether the option has a characteristic: sound or text, main or auxiliary content, audio description.
    open func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
        switch mediaCharacteristic {
        case .audible: !stream.isText
        case .legible: stream.isText
        case .isMainProgramContent: !stream.isCommentary
        case .isAuxiliaryContent: stream.isCommentary
        case .describesVideoForAccessibility: stream.describesPictures
        default: false
        }
    }

    /// The track's name as a title; empty if the file gives no name.
    open var commonMetadata: [AVMetadataItem] {
        guard let title = stream.title else { return [] }
        var content = MetadataContent()
        content.set(AVMetadataKey.commonKeyTitle.rawValue, in: .common)
        content.value = title as NSString
        content.dataType = MetadataDataType.text
        content.extendedLanguageTag = language
        return [AVMetadataItem(content)]
    }

    /// The formats of further metadata: always empty.
    open var availableMetadataFormats: [String] { [] }

    /// Returns further metadata of a format: always empty.
    open func metadata(forFormat format: String) -> [AVMetadataItem] { [] }

    /// Returns the associated option of another group: always `nil`.
    open func associatedMediaSelectionOption(
        in mediaSelectionGroup: AVMediaSelectionGroup
    ) -> AVMediaSelectionOption? { nil }

    /// Returns a dictionary of strings and numbers to store the option; restore the option with
    /// ``AVMediaSelectionGroup/mediaSelectionOption(withPropertyList:)``.
    open func propertyList() -> Any {
        var words: [String: Any] = [
            "MediaSelectionOptionsMediaType": mediaType.rawValue, Self.idKey: Int(stream.trackID),
        ]
        if let language { words["MediaSelectionOptionsExtendedLanguageTag"] = language }
        return words
    }

    static let idKey = "MediaSelectionOptionsPersistentID"

    /// Returns a display name in a language: the track's name, else its language, else its number.
    open func displayName(with locale: Locale) -> String {
        if let title = stream.title { return title }
        guard let language else { return "Track \(stream.index + 1)" }
        return locale.localizedString(forIdentifier: language) ?? language
    }

    /// The display name in the user's language.
    open var displayName: String { displayName(with: .current) }
}
