/// The delimiter that ends a string and introduces its escapes.
struct StringDelimiter: Equatable, Sendable {
    let hashCount: Int
    let isMultiline: Bool

    var quoteCount: Int { isMultiline ? 3 : 1 }
}

extension SwiftLexer {
    enum StringStop { case end, expression }

    /// Skips a string's content up to and including its end, or up to the parenthesis of an interpolation.
    mutating func skipString(_ delimiter: StringDelimiter) -> StringStop {
        let quotes = String(repeating: "\"", count: delimiter.quoteCount)
        let hashes = String(repeating: "#", count: delimiter.hashCount)
        while let scalar = peek() {
            switch scalar {
            case "\"" where isNext(quotes + hashes):
                position += delimiter.quoteCount + delimiter.hashCount
                return .end
            case "\\" where isNext(hashes, at: 1):
                position += 1 + delimiter.hashCount
                if peek() == "(" { return .expression }
                skip()
            case "\n" where !delimiter.isMultiline, "\r" where !delimiter.isMultiline: return .end
            default: skip()
            }
        }
        return .end
    }

    /// Returns whether a string after hash signs is multiline: `#"""#` holds one quotation mark.
    ///
    /// Call this method at the first quotation mark.
    func isMultiline(_ hashCount: Int) -> Bool {
        guard isNext("\"\"\"") else { return false }
        let end = "\"" + String(repeating: "#", count: hashCount)
        var distance = 1
        while let scalar = peek(distance), scalar != "\n", scalar != "\r" {
            if isNext(end, at: distance) { return false }
            distance += 1
        }
        return true
    }

    // MARK: Regular expressions

    /// Returns the length of a regular expression `/…/` that begins here; `nil` if `/` is an operator.
    func regexLength() -> Int? {
        guard !endsOperand(tokens.last), let first = peek(1), first != " ", first != "\t" else { return nil }
        var depth = 0
        var distance = 1
        while let scalar = peek(distance), scalar != "\n", scalar != "\r" {
            switch scalar {
            case "\\": distance += 1
            case "(": depth += 1
            case ")":
                depth -= 1
                if depth < 0 { return nil }
            case "/": return distance > 1 && peek(distance - 1) != " " ? distance + 1 : nil
            default: break
            }
            distance += 1
        }
        return nil
    }

    /// Returns whether a token ends an operand, so that an operator follows.
    private func endsOperand(_ token: SwiftToken?) -> Bool {
        guard let token else { return false }
        switch token.kind {
        case .word: return !Self.wordsBeforeOperands.contains(token.text)
        case .escaped, .literal, .pound: return true
        case .symbol: return [")", "]", "}", "?", "!"].contains(token.text)
        }
    }

    private static let wordsBeforeOperands: Set<String> = [
        "return", "case", "in", "if", "while", "guard", "else", "try", "await", "throw", "where", "is", "as",
        "let", "var", "switch", "default", "yield",
    ]

    mutating func regex() {
        let length = regexLength() ?? 1
        append(.literal, "")
        position = min(position + length, scalars.count)
    }

    /// Skips `#/…/#`, which may span lines.
    mutating func skipExtendedRegex(hashCount: Int) {
        let end = "/" + String(repeating: "#", count: hashCount)
        append(.literal, "")
        position += hashCount + 1
        while peek() != nil, !isNext(end) {
            if peek() == "\\" { position += 1 }
            skip()
        }
        position = min(position + hashCount + 1, scalars.count)
    }
}
