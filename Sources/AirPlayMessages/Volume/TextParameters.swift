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

extension Double {
    /// A number as people write it: digits, one point and a sign; no exponent, no hexadecimal digits, no infinity.
    init?(decimal text: String) {
        let digits = text.drop { $0 == "-" || $0 == "+" }
        guard text.utf8.count <= 32, text.count - digits.count <= 1, !digits.isEmpty,
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
            let value = Double(text), value.isFinite
        else { return nil }
        self = value
    }
}
