/// A reader of the settings file: JSON with an object for each speaker, whose values are texts and numbers. A comma
/// may follow the last pair.
///
/// A value. Reads any bytes without trapping, and names the line of the first error.
struct SettingsText {
    enum Value: Equatable, Sendable {
        case text(String)
        case number(Double)
        /// `true`, `false` or `null`.
        case word(String)
    }

    struct Pair: Equatable, Sendable {
        let key: String
        let line: Int
        let value: Value
    }

    /// A speaker's object.
    struct Section: Equatable, Sendable {
        let name: String
        let line: Int
        let pairs: [Pair]
    }

    struct Failure: Error, Equatable {
        let line: Int
        let cause: String
    }

    private let bytes: [UInt8]
    private var place = 0
    private var line = 1

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the whole text.
    static func read(_ bytes: [UInt8]) throws(Failure) -> [Section] {
        var reader = SettingsText(bytes)
        var sections: [Section] = []
        try reader.object("an object of speakers: {\"NAME\": {…}}") { (reader, name, line) throws(Failure) in
            var pairs: [Pair] = []
            try reader.object("an object of settings: {\"delay\": -120}") {
                (reader, key, line) throws(Failure) in
                pairs.append(Pair(key: key, line: line, value: try reader.value()))
            }
            sections.append(Section(name: name, line: line, pairs: pairs))
        }
        reader.skipSpace()
        if reader.next != nil { throw reader.failure("there is text after the last brace") }
        return sections
    }

    // MARK: Pieces

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private func failure(_ cause: String) -> Failure { Failure(line: line, cause: cause) }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
            if byte == 0x0A { line += 1 }
            place += 1
        }
    }

    /// Takes a byte after spaces if it is the next one.
    private mutating func take(_ byte: Character) -> Bool {
        skipSpace()
        guard let wanted = byte.asciiValue, next == wanted else { return false }
        place += 1
        return true
    }

    /// Reads an object; `what` names it in an error, and `pair` reads the value of each key.
    private mutating func object(
        _ what: String,
        _ pair: (inout SettingsText, _ key: String, _ line: Int) throws(Failure) -> Void
    ) throws(Failure) {
        guard take("{") else { throw failure("expected " + what) }
        while !take("}") {
            skipSpace()
            let start = line
            guard next == UInt8(ascii: "\"") else {
                throw failure("expected a name in quotes, or the closing brace")
            }
            let key = try string()
            guard take(":") else { throw failure("expected a colon after \"\(key)\"") }
            try pair(&self, key, start)
            guard !take(",") else { continue }
            guard take("}") else { throw failure("expected a comma or the closing brace") }
            return
        }
    }

    private mutating func value() throws(Failure) -> Value {
        skipSpace()
        switch next {
        case UInt8(ascii: "\""): return .text(try string())
        case .some(let byte) where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte):
            let word = self.word()
            guard let number = Double(word), number.isFinite else { throw failure("\(word) is not a number") }
            return .number(number)
        default:
            let word = self.word()
            guard ["true", "false", "null"].contains(word) else {
                throw failure("expected a text in quotes or a number")
            }
            return .word(word)
        }
    }

    /// Takes letters, digits and the signs of numbers.
    private mutating func word() -> String {
        let start = place
        while let byte = next, place - start < 32,
            Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
                || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
        {
            place += 1
        }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    /// Reads a string with its quotes.
    private mutating func string() throws(Failure) -> String {
        place += 1
        var text: [UInt8] = []
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw failure("a text has no closing quote on its line") }
            place += 1
            if byte == UInt8(ascii: "\\") {
                text += Array(String(try escaped()).utf8)
            } else {
                text.append(byte)
            }
        }
        guard next != nil else { throw failure("a text has no closing quote") }
        place += 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func escaped() throws(Failure) -> Character {
        let byte = next
        place += 1
        switch byte {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            return Character(UnicodeScalar(byte ?? 0))
        case UInt8(ascii: "u"):
            let digits = String(
                decoding: bytes[min(place, bytes.count)..<min(place + 4, bytes.count)], as: UTF8.self)
            guard digits.utf8.count == 4, let code = UInt32(digits, radix: 16),
                let scalar = UnicodeScalar(code)
            else { throw failure("\\u\(digits) is not a character; write it as it is") }
            place += 4
            return Character(scalar)
        default: throw failure("an unknown character after a backslash")
        }
    }
}
