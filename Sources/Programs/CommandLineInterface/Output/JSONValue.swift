/// A value for JSON output. Objects keep the order of their keys.
public indirect enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case unsigned(UInt64)
    /// A number rounded to some decimals, exactly below 9 × 10¹⁵ units of the last decimal. Infinity and
    /// not-a-number become `null`.
    case number(Double, decimals: Int)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// A pair of an object.
    public struct Member: Equatable, Sendable {
        /// The name of the pair.
        public let key: String
        /// The value of the pair.
        public let value: JSONValue

        /// Creates a pair.
        public init(key: String, value: JSONValue) { (self.key, self.value) = (key, value) }
    }

    /// Returns an object; omits pairs without a value.
    public static func members(_ pairs: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(pairs.compactMap { key, value in value.map { Member(key: key, value: $0) } })
    }

    /// Returns `null` for `nil`.
    public static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .integer(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}
