import Foundation

/// The payload of a command: a plain value, or an object of JSON as in the HTTP interface.
struct CommandPayload {
    /// The most bytes of a value.
    private static let valueLimit = 1_024
    /// The most Unicode scalars of an excerpt; one character may have any number of them.
    private static let excerptLength = 60

    let bytes: [UInt8]
    /// The text without space around it.
    let text: String

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The beginning of the text for a sentence, without control characters.
    var excerpt: String {
        let scalars = text.unicodeScalars
        let end = scalars.index(scalars.startIndex, offsetBy: Self.excerptLength, limitedBy: scalars.endIndex)
        var clean = String.UnicodeScalarView()
        for scalar in scalars[..<(end ?? scalars.endIndex)] {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: clean.append(" ")
            default: clean.append(scalar)
            }
        }
        let isWhole = end.map { $0 == scalars.endIndex } ?? true
        return isWhole ? String(clean) : String(clean) + "…"
    }

    /// Returns a number, plain or as the only kind of member of an object.
    func number(_ key: String) -> Double? {
        guard bytes.count <= Self.valueLimit else { return nil }
        let number = Double(text) ?? object(Double.self)?[key]
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Returns a choice: `on`, `off`, `true`, `false`, `1`, `0`, or a member of an object.
    func flag(_ key: String) -> Bool? {
        guard bytes.count <= Self.valueLimit else { return nil }
        switch text.lowercased() {
        case "on", "true", "1", "yes": return true
        case "off", "false", "0", "no": return false
        default: return object(Bool.self)?[key]
        }
    }

    /// Returns a word, plain or as a member of an object.
    func word(_ key: String) -> String? {
        guard bytes.count <= Self.valueLimit else { return nil }
        return text.hasPrefix("{") ? object(String.self)?[key] : text
    }

    /// Returns the members of an object of values of one type; `nil` for anything else.
    func object<Value: Decodable>(_ type: Value.Type) -> [String: Value]? {
        guard text.hasPrefix("{") else { return nil }
        // The caller's sentence names the form that is expected.
        return try? JSONDecoder().decode([String: Value].self, from: Data(bytes))
    }
}
