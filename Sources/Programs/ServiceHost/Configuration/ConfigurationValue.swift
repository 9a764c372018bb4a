/// A value of the configuration file.
package enum ConfigurationValue: Hashable, Sendable {
    /// A text.
    case string(String)
    /// A whole number.
    case integer(Int)
    /// A finite number with a fraction or an exponent.
    case float(Double)
    /// `true` or `false`.
    case boolean(Bool)
    /// A list.
    case array([ConfigurationValue])

    /// The value in the spelling of the file, on one line.
    package var text: String {
        switch self {
        case .string(let text): Self.quoted(text)
        case .integer(let number): String(number)
        case .float(let number): String(number)
        case .boolean(let flag): flag ? "true" : "false"
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
        }
    }

    /// The kind of the value, with an article, for messages.
    var kindWords: String {
        switch self {
        case .string: "a string"
        case .integer: "a whole number"
        case .float: "a number"
        case .boolean: "true or false"
        case .array: "a list"
        }
    }

    private static func quoted(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "\"") { result, scalar in
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case _ where scalar.properties.generalCategory == .control:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            default: result.unicodeScalars.append(scalar)
            }
        } + "\""
    }
}

/// A type of a setting that a ``ConfigurationValue`` can represent.
protocol ConfigurationRepresentable: Sendable {
    /// Converts a value that the key's ``ConfigurationKind`` has checked; `nil` for any other value.
    init?(_ value: ConfigurationValue)
    /// The value in the file; `nil` for a setting that is absent.
    var configurationValue: ConfigurationValue? { get }
}

extension String: ConfigurationRepresentable {
    init?(_ value: ConfigurationValue) {
        guard case .string(let text) = value else { return nil }
        self = text
    }

    var configurationValue: ConfigurationValue? { .string(self) }
}

extension Bool: ConfigurationRepresentable {
    init?(_ value: ConfigurationValue) {
        guard case .boolean(let flag) = value else { return nil }
        self = flag
    }

    var configurationValue: ConfigurationValue? { .boolean(self) }
}

extension Double: ConfigurationRepresentable {
    init?(_ value: ConfigurationValue) {
        switch value {
        case .integer(let number): self.init(number)
        case .float(let number): self = number
        default: return nil
        }
    }

    var configurationValue: ConfigurationValue? { Int(exactly: self).map { .integer($0) } ?? .float(self) }
}

extension UInt16: ConfigurationRepresentable {
    init?(_ value: ConfigurationValue) {
        guard case .integer(let number) = value else { return nil }
        self.init(exactly: number)
    }

    var configurationValue: ConfigurationValue? { .integer(Int(self)) }
}

extension Optional: ConfigurationRepresentable where Wrapped: ConfigurationRepresentable {
    init?(_ value: ConfigurationValue) {
        guard let wrapped = Wrapped(value) else { return nil }
        self = .some(wrapped)
    }

    var configurationValue: ConfigurationValue? { flatMap(\.configurationValue) }
}

extension Array: ConfigurationRepresentable where Element: ConfigurationRepresentable {
    init?(_ value: ConfigurationValue) {
        guard case .array(let values) = value else { return nil }
        let elements = values.compactMap { Element($0) }
        guard elements.count == values.count else { return nil }
        self = elements
    }

    var configurationValue: ConfigurationValue? { .array(compactMap(\.configurationValue)) }
}

/// An enumeration whose raw values are the words of the file.
protocol ConfigurationChoice: ConfigurationRepresentable, CaseIterable, RawRepresentable<String> {}

extension ConfigurationChoice {
    init?(_ value: ConfigurationValue) {
        guard case .string(let word) = value else { return nil }
        self.init(rawValue: word)
    }

    var configurationValue: ConfigurationValue? { .string(rawValue) }

    /// The kind of a key with this type.
    static var kind: ConfigurationKind { .choice(allCases.map(\.rawValue)) }
}
