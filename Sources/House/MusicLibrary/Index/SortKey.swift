import Foundation

/// Texts in the form in which the library compares and sorts them.
enum SortKey {
    /// The most characters of a key.
    private static let lengthLimit = 200

    /// Returns a text without case, diacritics and spaces around it: texts with equal keys are the same name.
    static func identity(_ text: String) -> String {
        let folded = text.prefix(lengthLimit).folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        return folded.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns the key to sort by: the identity without "The " at the start.
    static func order(_ text: String) -> String {
        let key = identity(text)
        return key.hasPrefix("the ") && key.count > 4 ? String(key.dropFirst(4)) : key
    }
}
