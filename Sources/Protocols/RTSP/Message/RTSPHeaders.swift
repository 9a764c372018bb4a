/// The headers of one message, in the order received or to be sent.
///
/// Names compare case-insensitively in ASCII and may repeat. Control characters become spaces, so that no
/// value can inject another line.
package struct RTSPHeaders: Hashable, Sendable {
    /// One header line.
    package struct Field: Hashable, Sendable {
        /// The name, as received or set.
        package let name: String
        /// The value, without blanks at its ends if received.
        package let value: String
    }

    /// All headers, in order.
    package private(set) var fields: [Field] = []

    /// Creates an empty list.
    package init() {}

    /// Creates headers in the order of the pairs.
    package init(_ pairs: KeyValuePairs<String, String>) {
        for (name, value) in pairs { append(name, value) }
    }

    /// The number of header lines.
    package var count: Int { fields.count }
    /// Whether there are no headers.
    package var isEmpty: Bool { fields.isEmpty }

    /// The first value with this name. Setting replaces the first in place and removes further ones; `nil`
    /// removes all.
    package subscript(name: String) -> String? {
        get { fields.first { $0.name.equalsIgnoringCase(name) }?.value }
        set {
            let index = fields.firstIndex { $0.name.equalsIgnoringCase(name) }
            fields.removeAll { $0.name.equalsIgnoringCase(name) }
            guard let newValue else { return }
            fields.insert(
                Field(name: name.oneLine, value: newValue.oneLine),
                at: min(index ?? fields.count, fields.count))
        }
    }

    /// All values with this name, in order.
    package func values(of name: String) -> [String] {
        fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
    }

    /// Appends a header, even if the name is present already.
    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name.oneLine, value: value.oneLine))
    }

    /// `CSeq` as a number; `nil` if it is missing or not a number.
    package var cSeq: Int? { self["CSeq"].flatMap { Int($0) } }

    /// The media type without its parameters, e.g. `text/parameters`, in lower case.
    package var contentType: String? {
        self["Content-Type"]?.split(separator: ";").first.map { String($0).trimmingSpaces.lowercased() }
    }

    func write(to output: inout [UInt8]) {
        for field in fields {
            output += field.name.utf8
            output += ": ".utf8
            output += field.value.utf8
            output += "\r\n".utf8
        }
    }
}

extension RTSPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates headers in this order; names may repeat.
    package init(dictionaryLiteral pairs: (String, String)...) {
        for (name, value) in pairs { append(name, value) }
    }
}

extension String {
    /// Compares header names; only ASCII letters are case-insensitive.
    func equalsIgnoringCase(_ other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }

    var oneLine: String {
        guard utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return self }
        return String(decoding: utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
    }
}

extension StringProtocol {
    var trimmingSpaces: String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        let head = drop(while: isBlank)
        guard let last = head.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(head[...last])
    }
}

extension UInt8 {
    fileprivate var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
