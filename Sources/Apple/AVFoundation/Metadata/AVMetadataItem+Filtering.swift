import Foundation

extension AVMetadataItem {
    /// Returns the items of an identifier; a common identifier also matches items by their common name.
    public class func metadataItems(
        from metadataItems: [AVMetadataItem], filteredByIdentifier identifier: AVMetadataIdentifier
    ) -> [AVMetadataItem] {
        let common = identifier.parts.flatMap { $0.space == .common ? $0.key : nil }
        return metadataItems.filter { item in
            item.identifier == identifier || (common != nil && item.commonKey?.rawValue == common)
        }
    }

    /// Returns the items of a key, of a key space, or of both.
    ///
    /// - Parameters:
    ///   - key: A string, ``AVMetadataKey`` or four-character code as a number; `nil` matches any key.
    ///   - keySpace: The key space; `nil` matches any. The common key space matches common names.
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

    /// Returns the items in preferred languages, the most preferred first; items without language come last.
    ///
    /// - Parameter preferredLanguages: BCP 47 tags, e.g. `Locale.preferredLanguages`.
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

    /// Returns the identifier of a key, e.g. a string, in a key space.
    public class func identifier(forKey key: Any, keySpace: AVMetadataKeySpace) -> AVMetadataIdentifier? {
        text(ofKey: key).map { AVMetadataIdentifier(key: $0, keySpace: keySpace) }
    }

    /// Returns the key space of an identifier.
    public class func keySpace(forIdentifier identifier: AVMetadataIdentifier) -> AVMetadataKeySpace? {
        identifier.parts?.space
    }

    /// Returns the key of an identifier: a string object.
    public class func key(forIdentifier identifier: AVMetadataIdentifier) -> Any? {
        identifier.parts.map { $0.key as NSString }
    }
}
