import Codecs
import Foundation

/// One track of a group, which can be selected for playing. Any thread.
open class AVMediaSelectionOption: NSObject, NSCopying, @unchecked Sendable {
    // Safe to share: immutable.

    let stream: MediaStream

    init(_ stream: MediaStream) {
        self.stream = stream
        super.init()
    }

    /// The option itself, as it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The kind of its media: sound.
    open var mediaType: AVMediaType { .audio }

    /// The codec, as a number of four characters; none where the file has none for it.
    open var mediaSubTypes: [NSNumber] {
        stream.codecTag == 0 ? [] : [NSNumber(value: stream.codecTag.byteSwapped)]
    }

    /// Whether it can be decoded here.
    open var isPlayable: Bool { stream.audio != nil }

    /// The short language code, or nothing.
    var language: String? { LanguageTag.tag(stream.language) }

    /// The language as BCP 47 has it; `nil` where the file says nothing.
    open var extendedLanguageTag: String? { language }

    /// The language; `nil` where the file says nothing.
    open var locale: Locale? { language.map { Locale(identifier: $0) } }

    /// Whether it offers something: sound, the programme itself or something beside it, a description of pictures.
    open func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
        switch mediaCharacteristic {
        case .audible: true
        case .isMainProgramContent: !stream.isCommentary
        case .isAuxiliaryContent: stream.isCommentary
        case .describesVideoForAccessibility: stream.describesPictures
        default: false
        }
    }

    /// The track's name as a title; none where the file gives it none.
    open var commonMetadata: [AVMetadataItem] {
        guard let title = stream.title else { return [] }
        var content = MetadataContent()
        content.set(AVMetadataKey.commonKeyTitle.rawValue, in: .common)
        content.value = title as NSString
        content.dataType = MetadataDataType.text
        content.extendedLanguageTag = language
        return [AVMetadataItem(content)]
    }

    /// Formats of further metadata: none.
    open var availableMetadataFormats: [String] { [] }

    /// Further metadata of a format: none.
    open func metadata(forFormat format: String) -> [AVMetadataItem] { [] }

    /// The option of another group that goes with this one: never any here.
    open func associatedMediaSelectionOption(
        in mediaSelectionGroup: AVMediaSelectionGroup
    ) -> AVMediaSelectionOption? { nil }

    /// The option in words that can be stored, for ``AVMediaSelectionGroup/mediaSelectionOption(withPropertyList:)``: a
    /// dictionary of strings and numbers.
    open func propertyList() -> Any {
        var words: [String: Any] = [
            "MediaSelectionOptionsMediaType": mediaType.rawValue, Self.idKey: Int(stream.trackID),
        ]
        if let language { words["MediaSelectionOptionsExtendedLanguageTag"] = language }
        return words
    }

    static let idKey = "MediaSelectionOptionsPersistentID"

    /// A name for people in a language: the track's own, else its language, else its number.
    open func displayName(with locale: Locale) -> String {
        if let title = stream.title { return title }
        guard let language else { return "Track \(stream.index + 1)" }
        return locale.localizedString(forIdentifier: language) ?? language
    }

    /// A name for people in the user's language.
    open var displayName: String { displayName(with: .current) }
}
