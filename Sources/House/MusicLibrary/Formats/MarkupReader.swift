/// A reader for the elements and texts of an XML document.
///
/// Knows no entities but the five of XML and numbers, follows no reference to another file, and ignores
/// attributes, comments and declarations. Needs no more memory than the document.
struct MarkupReader {
    enum Event: Hashable {
        case start(String)
        case end(String)
        case text(String)
    }

    /// The deepest nesting; a deeper document ends there.
    static let depthLimit = 32
    private static let nameLimit = 64

    private var rest: Substring
    private var pending: Event?
    private var depth = 0

    init(_ text: String) { rest = text[...] }

    /// Returns the next event; `nil` at the end, or where the document is broken.
    mutating func next() -> Event? {
        if let event = pending.take() { return event }
        while let first = rest.first {
            if first != "<" { return takeText() }
            if rest.hasPrefix("<!--") {
                skip(past: "-->")
            } else if rest.hasPrefix("<![CDATA[") {
                return takeCharacterData()
            } else if rest.hasPrefix("<?") {
                skip(past: "?>")
            } else if rest.hasPrefix("<!") {
                skipDeclaration()
            } else {
                return takeTag()
            }
        }
        return nil
    }

    private mutating func takeText() -> Event {
        let text = rest.prefix { $0 != "<" }
        rest = rest[text.endIndex...]
        return .text(Self.decoded(text))
    }

    private mutating func takeCharacterData() -> Event {
        rest = rest.dropFirst("<![CDATA[".count)
        let end = rest.firstRange(of: "]]>")
        let text = rest[..<(end?.lowerBound ?? rest.endIndex)]
        rest = end.map { rest[$0.upperBound...] } ?? ""
        return .text(String(text))
    }

    private mutating func skip(past end: String) {
        rest = rest.firstRange(of: end).map { rest[$0.upperBound...] } ?? ""
    }

    /// Skips `<!DOCTYPE ... [ ... ]>`.
    private mutating func skipDeclaration() {
        var isInBrackets = false
        while let next = rest.popFirst() {
            if next == "[" { isInBrackets = true }
            if next == "]" { isInBrackets = false }
            if next == ">", !isInBrackets { return }
        }
    }

    private mutating func takeTag() -> Event? {
        var quote: Character?
        let inside = rest.dropFirst().prefix { character in
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            }
            return quote != nil || character != ">"
        }
        guard inside.endIndex < rest.endIndex else {
            rest = ""
            return nil
        }
        rest = rest[inside.endIndex...].dropFirst()
        return event(ofTag: inside)
    }

    private mutating func event(ofTag inside: Substring) -> Event? {
        let isEnd = inside.first == "/"
        // Without a prefix: programs choose those freely.
        let name = inside.drop { $0 == "/" }.prefix { !$0.isWhitespace && $0 != "/" && $0 != ">" }
        let local = String((name.split(separator: ":").last ?? "").prefix(Self.nameLimit))
        depth += isEnd ? -1 : 1
        guard (0...Self.depthLimit).contains(depth) else {
            rest = ""
            return nil
        }
        if isEnd { return .end(local) }
        if inside.last == "/" {
            depth -= 1
            pending = .end(local)
        }
        return .start(local)
    }

    private static func decoded(_ text: Substring) -> String {
        guard text.contains("&") else { return String(text) }
        var result = ""
        var rest = text
        while let mark = rest.firstIndex(of: "&") {
            result += rest[..<mark]
            rest = rest[mark...].dropFirst()
            // The longest reference is `&#x10FFFF;`.
            let name = rest.prefix(10).prefix { $0 != ";" }
            guard name.endIndex < rest.endIndex, rest[name.endIndex] == ";",
                let character = character(named: name)
            else {
                result.append("&")
                continue
            }
            result.unicodeScalars.append(character)
            rest = rest[name.endIndex...].dropFirst()
        }
        return result + rest
    }

    private static func character(named name: Substring) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let number =
            digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap { Unicode.Scalar($0) }
    }
}
