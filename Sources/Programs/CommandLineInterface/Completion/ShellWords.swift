/// A command line up to the cursor, split as bash splits it; zsh and fish have the same quotes.
struct ShellWords: Equatable {
    /// The state of quotation at the end of the line.
    enum Quote: Equatable { case none, single, double }

    /// The whole words, without quotes.
    private(set) var words: [String] = []
    /// The last word so far, without quotes.
    private(set) var current = ""
    /// The last word so far as it is typed.
    private(set) var raw = ""
    /// The quotation that is open at the end.
    private(set) var quote = Quote.none

    /// Splits a line. Substitutions such as `$HOME` stay as they are: nothing is evaluated.
    ///
    /// Scalars count, as in a shell: a mark that combines with a special character does not hide it.
    /// - Parameter isWord: The text is one word, which blanks do not end.
    init(_ line: String, isWord: Bool = false) {
        var isEscaped = false
        for scalar in line.unicodeScalars {
            if isEscaped {
                isEscaped = false
                raw.unicodeScalars.append(scalar)
                if quote == .double, !Self.specialWithinDouble.contains(scalar) {
                    current.unicodeScalars.append("\\")
                }
                current.unicodeScalars.append(scalar)
                continue
            }
            switch (quote, scalar) {
            case (.none, " ") where !isWord, (.none, "\t") where !isWord, (.none, "\n") where !isWord:
                endWord()
            case (.none, "'"): open(.single, scalar)
            case (.none, "\""): open(.double, scalar)
            case (.single, "'"), (.double, "\""): open(.none, scalar)
            case (.none, "\\"), (.double, "\\"):
                isEscaped = true
                raw.unicodeScalars.append(scalar)
            default:
                raw.unicodeScalars.append(scalar)
                current.unicodeScalars.append(scalar)
            }
        }
    }

    private mutating func open(_ quote: Quote, _ mark: Unicode.Scalar) {
        self.quote = quote
        raw.unicodeScalars.append(mark)
    }

    private mutating func endWord() {
        if !raw.isEmpty { words.append(current) }
        (raw, current) = ("", "")
    }

    /// Returns a word in the form that bash inserts within an open quotation; without one, with backslashes.
    static func quoted(_ word: String, within quote: Quote) -> String {
        switch quote {
        case .single:
            closed(replacing(word) { $0 == "'" ? "'\\''" : nil }, by: "'")
        case .double:
            closed(replacing(word) { specialWithinDouble.contains($0) ? "\\\($0)" : nil }, by: "\"")
        case .none: backslashed(word)
        }
    }

    /// Closes the quotation where bash would not: it takes a quote at the end of the word for the closing
    /// one.
    private static func closed(_ text: String, by quote: Unicode.Scalar) -> String {
        text.unicodeScalars.last == quote ? text + String(quote) : text
    }

    private static func backslashed(_ word: String) -> String {
        let result = replacing(word) { special.contains($0) ? "\\\($0)" : nil }
        return ["~", "#"].contains(result.unicodeScalars.first) ? "\\" + result : result
    }

    private static func replacing(_ word: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
        var result = String.UnicodeScalarView()
        for scalar in word.unicodeScalars {
            if let text = replacement(scalar) {
                result.append(contentsOf: text.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static let special = Set(" \t\"'\\$`!&|;<>()[]{}*?^,".unicodeScalars)
    private static let specialWithinDouble = Set("\"\\$`".unicodeScalars)
}
