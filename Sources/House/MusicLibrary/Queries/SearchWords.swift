/// The words of a search, as a user typed them.
struct SearchWords: Hashable {
    /// The most characters of a search; the rest is ignored.
    private static let lengthLimit = 200
    /// The most words; each costs a look-up.
    private static let wordLimit = 10

    /// The words, of letters, digits and marks alone.
    let words: [String]
    /// The whole text in the form of ``SortKey/order(_:)``.
    let key: String

    init(_ text: String) {
        let text = String(text.prefix(Self.lengthLimit))
        // The split is that of FTS5's tokenizer, so that each word is one token.
        let parts = text.unicodeScalars.split { !Self.isPartOfWord($0) }
        words = parts.prefix(Self.wordLimit).map { String(String.UnicodeScalarView($0)) }
        key = SortKey.order(text)
    }

    var isEmpty: Bool { words.isEmpty }

    /// Returns the FTS5 query for rows that have, for each word, a token with this beginning.
    ///
    /// - Parameter column: The only column that counts; `nil` for all.
    func query(column: String? = nil) -> String {
        let terms = words.map { "\"\($0)\"*" }.joined(separator: " AND ")
        return column.map { "\($0) : (\(terms))" } ?? terms
    }

    /// Returns whether a short text has all words at the beginnings of its own.
    func matches(_ text: String) -> Bool {
        let own = SearchWords(text).words.map(SortKey.identity)
        return words.map(SortKey.identity).allSatisfy { word in own.contains { $0.hasPrefix(word) } }
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .privateUse:
            true
        default: false
        }
    }
}
