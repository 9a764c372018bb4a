import Foundation

extension AVMetadataItem {
    /// The items of an identifier; one of the common key space finds what has that common name in any.
    public class func metadataItems(
        from metadataItems: [AVMetadataItem], filteredByIdentifier identifier: AVMetadataIdentifier
    ) -> [AVMetadataItem] {
        let common = identifier.parts.flatMap { $0.space == .common ? $0.key : nil }
        return metadataItems.filter { item in
            item.identifier == identifier || (common != nil && item.commonKey?.rawValue == common)
        }
    }

    /// The items of a key, of a key space, or of both.
    ///
    /// - Parameters:
    ///   - key: a string, ``AVMetadataKey`` or number of four characters; `nil` is any.
    ///   - keySpace: `nil` is any; the common one finds what has the key as common name.
    public class func metadataItems(
        from metadataItems: [AVMetadataItem], withKey key: Any?, keySpace: AVMetadataKeySpace?
    ) -> [AVMetadataItem] {
        let wanted = key.map(text(ofKey:))
        return metadataItems.filter { item in
            if keySpace == .common {
                guard let common = item.commonKey else { return false }
                return wanted.map { $0 == common.rawValue } ?? true
            }
            let isOfSpace = keySpace.map { $0 == item.keySpace } ?? true
            return isOfSpace && (wanted.map { $0 == item.content.keyText } ?? true)
        }
    }

    private class func text(ofKey key: Any) -> String? {
        var content = MetadataContent()
        switch key {
        case let key as AVMetadataKey: return key.rawValue
        case let text as String: return text
        case let number as NSNumber: content.key = number
        default: return nil
        }
        return content.keyText
    }

    /// The items in the languages a user prefers, the most preferred first; last those that name none.
    ///
    /// - Parameter preferredLanguages: as BCP 47 has them, e.g. `Locale.preferredLanguages`.
    public class func metadataItems(
        from metadataItems: [AVMetadataItem],
        filteredAndSortedAccordingToPreferredLanguages preferredLanguages: [String]
    ) -> [AVMetadataItem] {
        func language(_ tag: String) -> String {
            let code =
                tag.split(whereSeparator: { $0 == "-" || $0 == "_" }).first.map { $0.lowercased() } ?? ""
            return Locale.LanguageCode(code).identifier(.alpha2) ?? code
        }
        let wanted = preferredLanguages.map(language)
        let ranked = metadataItems.enumerated().compactMap { index, item -> (rank: Int, index: Int)? in
            guard let tag = item.extendedLanguageTag ?? item.locale?.identifier else { return (.max, index) }
            return wanted.firstIndex(of: language(tag)).map { ($0, index) }
        }
        return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map { metadataItems[$0.index] }
    }

    /// The identifier of a key, e.g. a string, in a key space.
    public class func identifier(forKey key: Any, keySpace: AVMetadataKeySpace) -> AVMetadataIdentifier? {
        text(ofKey: key).map { AVMetadataIdentifier(key: $0, keySpace: keySpace) }
    }

    /// The key space of an identifier.
    public class func keySpace(forIdentifier identifier: AVMetadataIdentifier) -> AVMetadataKeySpace? {
        identifier.parts?.space
    }

    /// The key of an identifier: a string object.
    public class func key(forIdentifier identifier: AVMetadataIdentifier) -> Any? {
        identifier.parts.map { $0.key as NSString }
    }
}
