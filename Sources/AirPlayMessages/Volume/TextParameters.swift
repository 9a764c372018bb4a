/// The body of `text/parameters`: lines of `name: value`.
enum TextParameters {
    static let contentType = "text/parameters"

    /// The value of a name; a leading empty line, as shairport-sync answers, is skipped.
    static func value(of name: String, in body: [UInt8]) -> String? {
        for line in body.prefix(4096).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let text = String(decoding: line, as: UTF8.self)
            guard let colon = text.firstIndex(of: ":"), text[..<colon].lowercased() == name else { continue }
            return String(text[text.index(after: colon)...].filter { $0 != " " })
        }
        return nil
    }
}
