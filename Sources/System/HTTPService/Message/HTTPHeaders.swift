/// The header fields of a message, in their order. Names compare without regard to case.
package struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// A header field.
    package struct Field: Hashable, Sendable {
        /// The name, as written.
        package var name: String
        /// The value, without the white space around it.
        package var value: String

        /// Makes a field.
        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    /// All fields.
    package private(set) var fields: [Field] = []

    /// Makes an empty list.
    package init() {}

    /// Makes a list of fields, in this order.
    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The first field of this name; setting replaces all of them, `nil` removes them.
    package subscript(name: String) -> String? {
        get { fields.first { $0.name.isSameHeaderName(as: name) }?.value }
        set {
            fields.removeAll { $0.name.isSameHeaderName(as: name) }
            if let newValue { append(name, newValue) }
        }
    }

    /// Returns the values of all fields of this name.
    package func all(_ name: String) -> [String] {
        fields.filter { $0.name.isSameHeaderName(as: name) }.map(\.value)
    }

    /// Adds a field after the others.
    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }
}

extension String {
    fileprivate func isSameHeaderName(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// Whether the text is a token of RFC 9110: a header's name must be one.
    var isHTTPToken: Bool {
        !utf8.isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}

extension UInt8 {
    fileprivate var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
