/// A lexer for Swift source that drops comments and the content of strings.
///
/// Never fails: invalid source gives some tokens. Time and memory grow with the length of the text, not with
/// its nesting.
struct SwiftLexer {
    /// A string suspended during an interpolation.
    struct OpenString {
        let delimiter: StringDelimiter
        /// The number of open parentheses inside the interpolation.
        var depth = 0
    }

    let scalars: [Unicode.Scalar]
    var position = 0
    var line = 1
    private var startsLine = true
    private(set) var tokens: [SwiftToken] = []
    private var openStrings: [OpenString] = []

    static func tokens(of source: String) -> [SwiftToken] {
        var lexer = SwiftLexer(source)
        lexer.run()
        return lexer.tokens
    }

    private init(_ source: String) { scalars = Array(source.unicodeScalars) }

    // MARK: Reading

    func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        let index = position + distance
        return index < scalars.count ? scalars[index] : nil
    }

    func isNext(_ text: String, at distance: Int = 0) -> Bool {
        var index = distance
        for scalar in text.unicodeScalars {
            guard peek(index) == scalar else { return false }
            index += 1
        }
        return true
    }

    /// Advances by one scalar and counts lines. A line ends with LF, CR, or both.
    mutating func skip() {
        guard let scalar = peek() else { return }
        position += 1
        if scalar == "\n" || (scalar == "\r" && peek() != "\n") {
            line += 1
            startsLine = true
        }
    }

    mutating func append(_ kind: SwiftToken.Kind, _ text: String, line: Int? = nil) {
        tokens.append(SwiftToken(kind: kind, text: text, line: line ?? self.line, startsLine: startsLine))
        startsLine = false
    }

    private mutating func take(while isPart: (Unicode.Scalar) -> Bool) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = peek(), isPart(scalar) {
            text.append(scalar)
            position += 1
        }
        return String(text)
    }

    // MARK: Tokens

    private mutating func run() {
        if isNext("#!") { skipLine() }
        while let scalar = peek() { token(startingWith: scalar) }
    }

    private mutating func token(startingWith scalar: Unicode.Scalar) {
        switch scalar {
        case " ", "\t", "\n", "\r", "\u{0}", "\u{B}", "\u{C}", "\u{FEFF}": skip()
        case "/" where isNext("//"): skipLine()
        case "/" where isNext("/*"): skipComment()
        case "/" where regexLength() != nil: regex()
        case "\"": openString(StringDelimiter(hashCount: 0, isMultiline: isNext("\"\"\"")))
        case "#": pound()
        case "`": escaped()
        case "(", ")": parenthesis(scalar)
        case "[", "]", "{", "}", ",", ";", ":", "@":
            append(.symbol, String(scalar))
            skip()
        case "$": word()
        case _ where scalar.isDigit: number()
        case _ where scalar.isIdentifierHead: word()
        case _ where scalar.properties.isWhitespace: skip()
        default: operatorSymbol()
        }
    }

    private mutating func skipLine() {
        while let scalar = peek(), scalar != "\n", scalar != "\r" { position += 1 }
    }

    private mutating func skipComment() {
        var depth = 0
        repeat {
            if isNext("/*") {
                depth += 1
                position += 2
            } else if isNext("*/") {
                depth -= 1
                position += 2
            } else {
                skip()
            }
        } while depth > 0 && peek() != nil
    }

    private mutating func word() {
        let text = take { $0.isIdentifierPart || $0 == "$" }
        append(.word, text)
    }

    /// Reads a number with its decimal point, if a digit follows the point: `1.5`, but not `1...5` or
    /// `1.description`.
    private mutating func number() {
        var text = take { $0.isIdentifierPart }
        if peek() == ".", peek(1)?.isDigit == true {
            position += 1
            text += "." + take { $0.isIdentifierPart }
        }
        append(.word, text)
    }

    private mutating func escaped() {
        position += 1
        let text = take { $0 != "`" && $0 != "\n" && $0 != "\r" }
        if peek() == "`" { position += 1 }
        append(.escaped, text)
    }

    private mutating func operatorSymbol() {
        let first = position
        var text = String.UnicodeScalarView()
        while let scalar = peek(), isOperator(scalar), position == first || !startsComment {
            // A point belongs only to operators that begin with a point: `...`, `..<`.
            if scalar == ".", !text.isEmpty, text.first != "." { break }
            text.append(scalar)
            position += 1
        }
        if text.isEmpty, let scalar = peek() {
            text.append(scalar)
            position += 1
        }
        append(.symbol, String(text))
    }

    private var startsComment: Bool { isNext("//") || isNext("/*") }

    private func isOperator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "/", "=", "-", "+", "!", "*", "%", "<", ">", "&", "|", "^", "~", "?", ".": true
        default: scalar.value >= 0x80 && !scalar.isIdentifierPart && !scalar.properties.isWhitespace
        }
    }

    // MARK: Strings

    private mutating func pound() {
        var hashCount = 0
        while peek(hashCount) == "#" { hashCount += 1 }
        if peek(hashCount) == "\"" {
            position += hashCount
            openString(StringDelimiter(hashCount: hashCount, isMultiline: isMultiline(hashCount)))
        } else if peek(hashCount) == "/" {
            skipExtendedRegex(hashCount: hashCount)
        } else {
            position += 1
            let text = take { $0.isIdentifierPart }
            append(text.isEmpty ? .symbol : .pound, text.isEmpty ? "#" : text)
        }
    }

    private mutating func openString(_ delimiter: StringDelimiter) {
        append(.literal, "")
        position += delimiter.quoteCount
        continueString(delimiter)
    }

    /// Skips to the end of the string, or to an interpolation.
    private mutating func continueString(_ delimiter: StringDelimiter) {
        let stop = skipString(delimiter)
        startsLine = false
        if stop == .expression { openStrings.append(OpenString(delimiter: delimiter)) }
    }

    private mutating func parenthesis(_ scalar: Unicode.Scalar) {
        append(.symbol, String(scalar))
        position += 1
        guard let open = openStrings.indices.last else { return }
        openStrings[open].depth += scalar == "(" ? 1 : -1
        // The opening parenthesis of the interpolation has its own token.
        if openStrings[open].depth == 0 { continueString(openStrings.removeLast().delimiter) }
    }
}
