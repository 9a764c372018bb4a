import AirPlayMessages
import TuttiCommandLineInterface

extension JSONValue {
    /// Converts a property list: data becomes hexadecimal digits, dates become seconds since 2001, keys are
    /// sorted.
    init(_ list: PropertyList) {
        switch list {
        case .string(let text): self = .string(text)
        case .integer(let number): self = .integer(Int(number))
        case .real(let number), .date(let number): self = .number(number, decimals: 6)
        case .boolean(let value): self = .bool(value)
        case .data(let bytes): self = .string(Self.hexadecimal(bytes))
        case .array(let items): self = .array(items.map { JSONValue($0) })
        case .dictionary(let fields): self = JSONValue(fields: fields)
        case .uid(let number): self = .unsigned(number)
        case .null: self = .null
        }
    }

    /// Creates an object with sorted keys.
    init(fields: [String: PropertyList]) {
        self = .object(
            fields.sorted { $0.key < $1.key }.map { Member(key: $0.key, value: JSONValue($0.value)) })
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
