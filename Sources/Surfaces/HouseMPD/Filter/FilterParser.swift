/// Reads conditions: expressions in parentheses, and the older pairs of a tag and a text.
struct FilterParser {
    /// The most parentheses inside each other.
    private static let depthLimit = 32
    /// The most conditions of a command: each is tried on every song of the library.
    static let conditionLimit = 32

    private let bytes: [UInt8]
    private var place = 0
    private let isFolded: Bool
    private var depth = 0
    /// The number of conditions of the command so far.
    private var count: Int

    private init(_ text: String, isFolded: Bool, count: Int) {
        (bytes, self.isFolded, self.count) = (Array(text.utf8), isFolded, count)
    }

    /// Reads the arguments of a command.
    ///
    /// - Parameter isFolded: Whether case does not count and a part of a text is enough, as in `search`.
    static func filter(_ arguments: [String], isFolded: Bool) throws(CommandError) -> SongFilter {
        var rest = arguments[...]
        var (parts, count): ([SongFilter], Int) = ([], 0)
        while let first = rest.popFirst() {
            if first.hasPrefix("(") {
                parts.append(try expression(first, isFolded: isFolded, count: &count))
                continue
            }
            try add(to: &count)
            guard let value = rest.popFirst() else {
                throw CommandError(.argument, "Incorrect number of filter arguments")
            }
            parts.append(try pair(first, value, isFolded: isFolded))
        }
        guard !parts.isEmpty else { throw CommandError(.argument, "Incorrect number of filter arguments") }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    /// Counts a condition.
    private static func add(to count: inout Int) throws(CommandError) {
        count += 1
        guard count <= conditionLimit else {
            throw CommandError(.argument, "Too many conditions: at most \(conditionLimit) are possible")
        }
    }

    private static func pair(
        _ name: String, _ value: String, isFolded: Bool
    ) throws(CommandError) -> SongFilter {
        let condition = TextCondition(isFolded ? .contains : .equal, value, isFolded: isFolded)
        switch name.lowercased() {
        case "any": return .any(condition)
        case "file", "filename": return .file(condition)
        case "base": return .base(try SongAddress.folder(value))
        case "modified-since": return .modifiedSince(try time(value))
        default:
            guard let tag = Tag.Named(name) else { throw CommandError(.argument, "Unknown filter type") }
            return .tag(tag, condition)
        }
    }

    private static func time(_ text: String) throws(CommandError) -> Int64 {
        guard let time = DateText.time(text) else {
            throw CommandError(.argument, "Cannot parse the date \(text)")
        }
        return time
    }

    /// Reads one expression, such as `((Artist == 'x') AND (!(Title contains 'y')))`.
    private static func expression(
        _ text: String, isFolded: Bool, count: inout Int
    ) throws(CommandError) -> SongFilter {
        var parser = FilterParser(text, isFolded: isFolded, count: count)
        let filter = try parser.group()
        parser.skipSpaces()
        guard parser.place == parser.bytes.count else {
            throw CommandError(.argument, "Unparsed garbage after expression")
        }
        count = parser.count
        return filter
    }

    // MARK: Expressions

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpaces() { while let next, next <= 0x20 { place += 1 } }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        place += 1
        return true
    }

    /// Reads from an opening parenthesis to its closing one.
    private mutating func group() throws(CommandError) -> SongFilter {
        guard take(0x28) else { throw CommandError(.argument, "'(' expected") }
        depth += 1
        guard depth <= Self.depthLimit else { throw CommandError(.argument, "Too many parentheses") }
        defer { depth -= 1 }
        skipSpaces()
        let filter: SongFilter
        switch next {
        case 0x28: filter = try conjunction()
        case 0x21:
            place += 1
            skipSpaces()
            filter = .not(try group())
        default: filter = try condition()
        }
        skipSpaces()
        guard take(0x29) else { throw CommandError(.argument, "')' expected") }
        return filter
    }

    private mutating func conjunction() throws(CommandError) -> SongFilter {
        var parts = [try group()]
        while true {
            skipSpaces()
            guard next != 0x29 else { return parts.count == 1 ? parts[0] : .all(parts) }
            guard word() == "AND" else { throw CommandError(.argument, "'AND' expected") }
            skipSpaces()
            parts.append(try group())
        }
    }

    private mutating func word() -> String {
        let start = place
        while let next,
            next >= 0x61 && next <= 0x7A || next >= 0x41 && next <= 0x5A || next == 0x5F || next == 0x2D
        {
            place += 1
        }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func condition() throws(CommandError) -> SongFilter {
        try Self.add(to: &count)
        let name = word()
        guard !name.isEmpty else { throw CommandError(.argument, "Word expected") }
        skipSpaces()
        switch name.lowercased() {
        case "base": return .base(try SongAddress.folder(try quoted()))
        case "modified-since": return .modifiedSince(try Self.time(try quoted()))
        case "audioformat":
            let isExact = try comparison(acceptsMask: true).isNegated
            _ = try quoted()
            return isExact ? .not(.format) : .format
        case "any": return try textual { .any($0) }
        case "file", "filename": return try textual { .file($0) }
        default:
            guard let tag = Tag.Named(name) else {
                throw CommandError(.argument, "Unknown filter type: \(name)")
            }
            return try textual { .tag(tag, $0) }
        }
    }

    private mutating func textual(
        _ make: (TextCondition) -> SongFilter
    ) throws(CommandError) -> SongFilter {
        let (comparison, isNegated) = try comparison(acceptsMask: false)
        let filter = make(TextCondition(comparison, try quoted(), isFolded: isFolded))
        return isNegated ? .not(filter) : filter
    }

    private mutating func comparison(
        acceptsMask: Bool
    ) throws(CommandError) -> (TextCondition.Comparison, isNegated: Bool) {
        let start = place
        let isWordNegated = take(0x21) && next != 0x3D
        let word = word()
        skipSpaces()
        switch word {
        case "contains": return (.contains, isWordNegated)
        case "starts_with": return (.startsWith, isWordNegated)
        default: place = start
        }
        let sign = String(decoding: bytes[place...].prefix(2), as: UTF8.self)
        place += sign.utf8.count
        skipSpaces()
        switch sign {
        case "==": return (.equal, false)
        case "!=": return (.equal, true)
        case "=~" where acceptsMask: return (.equal, false)
        case "=~", "!~":
            throw CommandError(.argument, "Regular expressions are not available; use 'contains'")
        default: throw CommandError(.argument, "'==' or '!=' expected")
        }
    }

    /// Reads a text between quotes, and the spaces after it.
    private mutating func quoted() throws(CommandError) -> String {
        guard let quote = next, quote == 0x22 || quote == 0x27 else {
            throw CommandError(.argument, "Quoted string expected")
        }
        place += 1
        var value: [UInt8] = []
        while let byte = next {
            place += 1
            if byte == quote {
                skipSpaces()
                return String(decoding: value, as: UTF8.self)
            }
            if byte == 0x5C, let escaped = next {
                place += 1
                value.append(escaped)
            } else {
                value.append(byte)
            }
        }
        throw CommandError(.argument, "Closing quote not found")
    }
}
