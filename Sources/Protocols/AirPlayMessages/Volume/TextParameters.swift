/// The body of `text/parameters`: lines of `name: value`.
enum TextParameters {
    static let contentType = "text/parameters"

    /// Returns the value of a name. Skips empty lines: shairport-sync's responses begin with one.
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
    /// Parses a decimal number: digits, one point and a sign; no exponent, hexadecimal digits or infinity.
    init?(decimal text: String) {
        let digits = text.drop { $0 == "-" || $0 == "+" }
        guard text.utf8.count <= 32, text.count - digits.count <= 1, !digits.isEmpty,
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
            let value = Double(text), value.isFinite
        else { return nil }
        self = value
    }
}
