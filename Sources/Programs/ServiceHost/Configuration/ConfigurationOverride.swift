/// The spelling of values in environment variables.
enum ConfigurationOverride {
    /// Returns the value of a text, in the kind that the key requires if the text has that form; the key's check tells
    /// of another form.
    ///
    /// - Returns: `nil` for an empty text, but for lists, which it empties.
    static func value(of text: String, _ kind: ConfigurationKind) -> ConfigurationValue? {
        switch kind {
        case .list(let element):
            let parts = text.split(separator: separator(of: element))
            return .array(parts.compactMap { value(of: trimmed($0), element) })
        case .portPair:
            let parts = text.split(separator: ",").map(trimmed)
            return text.isEmpty ? nil : .array(parts.map { Int($0).map { .integer($0) } ?? .string($0) })
        default: return text.isEmpty ? nil : scalar(text, kind)
        }
    }

    /// The sign between the values of a list: a colon between folders, as in `PATH`; a comma elsewhere, because
    /// addresses contain colons.
    static func separator(of element: ConfigurationKind) -> Character { element == .folder ? ":" : "," }

    private static func scalar(_ text: String, _ kind: ConfigurationKind) -> ConfigurationValue {
        switch kind {
        case .boolean: text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : .string(text)
        case .integer: Int(text).map { .integer($0) } ?? .string(text)
        case .number: Int(text).map { .integer($0) } ?? Double(text).map { .float($0) } ?? .string(text)
        default: .string(text)
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
