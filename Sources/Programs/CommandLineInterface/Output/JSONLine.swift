/// A JSON value on one line (RFC 8259), without spaces and line breaks; keys keep their order.
public struct JSONLine: Equatable, Sendable {
    /// The JSON text without a final line break.
    public private(set) var text = ""

    /// Creates the text of a value.
    public init(_ value: JSONValue) { append(value) }

    /// Creates an object; omits pairs without a value.
    public init(_ pairs: KeyValuePairs<String, JSONValue?>) { append(.members(pairs)) }

    private mutating func append(_ value: JSONValue) {
        switch value {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .unsigned(let value): text += String(value)
        case .number(let value, let decimals): text += Self.number(value, decimals: decimals)
        case .string(let value): append(string: value)
        case .array(let values):
            append(list: values, between: "[", "]") { $0.append($1) }
        case .object(let members):
            append(list: members, between: "{", "}") {
                $0.append(string: $1.key)
                $0.text += ":"
                $0.append($1.value)
            }
        }
    }

    private mutating func append<Item>(
        list: [Item], between start: String, _ end: String, _ one: (inout JSONLine, Item) -> Void
    ) {
        text += start
        for (index, item) in list.enumerated() {
            if index > 0 { text += "," }
            one(&self, item)
        }
        text += end
    }

    private mutating func append(string: String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where Self.needsNumber(scalar): text += Self.escape(scalar)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    /// Returns whether a scalar needs a numeric escape: control characters, the two separators, which end a
    /// line for some readers, and bidirectional controls, which reorder text on a terminal.
    private static func needsNumber(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            || scalar.value == 0x2028 || scalar.value == 0x2029 || scalar.properties.isBidiControl
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Formats a number with at most `decimals` decimals, without trailing zeros.
    ///
    /// A number too large to be rounded exactly is written with the fewest digits that read back as the same
    /// number, which may take an exponent.
    private static func number(_ value: Double, decimals: Int) -> String {
        guard value.isFinite else { return "null" }
        let places = min(max(decimals, 0), 9)
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = (value * scale).rounded()
        // Doubles hold every whole number up to 2⁵³, a little above 9 × 10¹⁵.
        guard abs(scaled) < 9e15 else { return value.description.replacing(/\.0$/, with: "") }
        let whole = Int64(scaled)
        let divisor = Int64(scale)
        let sign = whole < 0 ? "-" : ""
        let fraction = String(whole.magnitude % divisor.magnitude)
        let padded = String(repeating: "0", count: places - min(places, fraction.count)) + fraction
        let digits = places == 0 ? "" : String(padded.reversed().drop { $0 == "0" }.reversed())
        return sign + String(whole.magnitude / divisor.magnitude) + (digits.isEmpty ? "" : "." + digits)
    }
}
