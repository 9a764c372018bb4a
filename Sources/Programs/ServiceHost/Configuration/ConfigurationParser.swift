/// A parser of the configuration file's language; see ``ConfigurationDocument``.
struct ConfigurationParser {
    /// A mistake of spelling at a place.
    struct Failure: Error {
        let position: ConfigurationDocument.Position
        let message: String
    }

    private let scalars: [Unicode.Scalar]
    private var index = 0
    private(set) var position = ConfigurationDocument.Position(line: 1, column: 1)

    init(_ text: String) {
        // Some editors write a byte order mark.
        scalars = Array(text.unicodeScalars.drop { $0 == "\u{FEFF}" })
    }

    // MARK: The document

    mutating func parseDocument(into document: inout ConfigurationDocument) {
        // `nil` below a table whose line has a mistake: its keys would only bring more mistakes.
        var table: String? = ""
        var seen: [String: Int] = [:]
        while true {
            do throws(Failure) {
                try skipBlanksAndLines()
                guard peek != nil else { return }
                if peek == "[" {
                    table = nil
                    table = try parseTable(into: &document)
                } else {
                    try parseEntry(of: table, into: &document, seen: &seen)
                }
                try endLine()
            } catch {
                document.problems.append(ConfigurationProblem(error.position.place, error.message))
                guard document.problems.count < Self.problemLimit else { return }
                skipToNextStatement()
            }
            guard document.entries.count + document.tables.count < Self.statementLimit else {
                document.problems.append(
                    ConfigurationProblem(position.place, "more than \(Self.statementLimit) keys; remove some")
                )
                return
            }
        }
    }

    private mutating func parseTable(
        into document: inout ConfigurationDocument
    ) throws(Failure) -> String {
        let start = position
        advance()
        guard peek != "[" else {
            throw failure("lists of tables are not supported; write one [table]", start)
        }
        skipBlanks()
        let name = try parseKey()
        skipBlanks()
        guard peek != "." else {
            throw failure("tables inside tables are not supported; write one name in the brackets")
        }
        guard peek == "]" else { throw failure("']' is missing after the table's name") }
        advance()
        if let earlier = document.tables.first(where: { $0.name == name }) {
            throw failure("[\(name)] is in line \(earlier.position.line) already; join both", start)
        }
        document.tables.append(ConfigurationDocument.Table(name: name, position: start))
        return name
    }

    private mutating func parseEntry(
        of table: String?, into document: inout ConfigurationDocument, seen: inout [String: Int]
    ) throws(Failure) {
        let start = position
        let key = try parseKey()
        skipBlanks()
        guard peek != "." else {
            throw failure("keys with dots are not supported; write [\(key)] and the key below it", start)
        }
        guard peek == "=" else { throw failure("'=' is missing after '\(key)'") }
        advance()
        skipBlanks()
        let valueStart = position
        let value = try parseValue(depth: 0)
        guard let table else { return }
        // A tab cannot be in a key's name unquoted, and in a quoted one nothing depends on it.
        if let earlier = seen.updateValue(start.line, forKey: "\(table)\t\(key)") {
            throw failure("'\(key)' is in line \(earlier) already; remove one of them", start)
        }
        document.entries.append(
            ConfigurationDocument.Entry(
                table: table, key: key, value: value, position: start, valuePosition: valueStart))
    }

    private mutating func parseKey() throws(Failure) -> String {
        if peek == "\"" || peek == "'" { return try parseString() }
        var key = ""
        while let scalar = peek, Self.isBare(scalar) {
            key.unicodeScalars.append(scalar)
            advance()
        }
        guard !key.isEmpty else {
            throw failure("a key or a [table] is expected; comments begin with '#'")
        }
        return key
    }

    // MARK: Values

    private mutating func parseValue(depth: Int) throws(Failure) -> ConfigurationValue {
        switch peek {
        case "\"", "'": return .string(try parseString())
        case "[": return .array(try parseArray(depth: depth + 1))
        case "{": throw failure("tables in a line are not supported; write a [table]")
        case nil, "\n", "\r", "#": throw failure("a value is missing after '='")
        default: return try parseWord()
        }
    }

    private mutating func parseArray(depth: Int) throws(Failure) -> [ConfigurationValue] {
        let start = position
        guard depth <= Self.depthLimit else {
            throw failure("lists may be nested \(Self.depthLimit) deep at most")
        }
        advance()
        var elements: [ConfigurationValue] = []
        while true {
            try skipBlanksAndLines()
            guard peek != nil else { throw failure("']' is missing at the end of this list", start) }
            if peek == "]" { break }
            guard peek != "," else { throw failure("a value is missing before ','") }
            elements.append(try parseValue(depth: depth))
            guard elements.count <= Self.elementLimit else {
                throw failure("lists may have \(Self.elementLimit) values at most", start)
            }
            try skipBlanksAndLines()
            if peek == "," {
                advance()
            } else if peek != "]", peek != nil {
                throw failure("',' or ']' is missing after this value of the list")
            }
        }
        advance()
        return elements
    }

    private mutating func parseWord() throws(Failure) -> ConfigurationValue {
        let start = position
        var word = ""
        while let scalar = peek, !Self.endsWord.contains(scalar) {
            word.unicodeScalars.append(scalar)
            advance()
        }
        do throws(ConfigurationWord.Mistake) {
            return try ConfigurationWord.value(of: word)
        } catch {
            throw failure(error.message, start)
        }
    }

    // MARK: Scalars

    var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    func peek(_ offset: Int) -> Unicode.Scalar? {
        index + offset < scalars.count ? scalars[index + offset] : nil
    }

    mutating func advance() {
        guard let scalar = peek else { return }
        index += 1
        if scalar == "\n" {
            position = ConfigurationDocument.Position(line: position.line + 1, column: 1)
        } else {
            position.column += 1
        }
    }

    func failure(_ message: String, _ place: ConfigurationDocument.Position? = nil) -> Failure {
        Failure(position: place ?? position, message: message)
    }

    private mutating func skipBlanks() {
        while peek == " " || peek == "\t" { advance() }
    }

    /// Skips blanks, comments and ends of lines.
    private mutating func skipBlanksAndLines() throws(Failure) {
        while true {
            skipBlanks()
            if peek == "#" { try skipComment() }
            guard peek == "\n" || (peek == "\r" && peek(1) == "\n") else { return }
            advance()
        }
    }

    private mutating func skipComment() throws(Failure) {
        while let scalar = peek, scalar != "\n" {
            guard scalar == "\t" || !Self.isControl(scalar) || (scalar == "\r" && peek(1) == "\n") else {
                throw failure("control characters are not supported; remove it")
            }
            advance()
        }
    }

    private mutating func endLine() throws(Failure) {
        skipBlanks()
        if peek == "#" { try skipComment() }
        if peek == "\r", peek(1) == "\n" { advance() }
        guard peek == nil || peek == "\n" else {
            throw failure("the line is expected to end here; write one key in a line")
        }
    }

    /// Skips the rest of a statement with a mistake: up to the next line that looks like a table or a key, so that
    /// one mistake in a list is not followed by one for each of its lines.
    private mutating func skipToNextStatement() {
        repeat {
            while let scalar = peek, scalar != "\n" { advance() }
            advance()
        } while peek != nil && !looksLikeStatement
    }

    private var looksLikeStatement: Bool {
        let line = scalars[index...].prefix { $0 != "\n" }.drop { $0 == " " || $0 == "\t" }
        guard line.first != "[" else { return line.dropFirst().first.map(Self.isBare) == true }
        let rest = line.drop(while: Self.isBare)
        return rest.count < line.count && rest.drop { $0 == " " || $0 == "\t" }.first == "="
    }

    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }

    private static func isBare(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            || scalar == "-" || scalar == "_"
    }

    private static let endsWord: Set<Unicode.Scalar> = [" ", "\t", "\r", "\n", ",", "]", "#", "=", "\"", "'"]

    /// More mistakes do not help the user.
    private static let problemLimit = ConfigurationError.problemLimit + 1
    /// Ten times as many as there are settings.
    private static let statementLimit = 256
    /// No setting has a list in a list; the limit keeps the recursion small.
    private static let depthLimit = 4
    /// More folders or rooms than a house has.
    static let elementLimit = 1000
}
