/// The headers of one message, in the order in which they came or will be sent.
///
/// Names compare without regard to ASCII case; a name may be there more than once. Control
/// characters in what *we* set become spaces, so no value can smuggle in another line.
public struct RTSPHeaders: Hashable, Sendable {
    /// One header line.
    public struct Field: Hashable, Sendable {
        public let name: String
        public let value: String
    }

    /// All headers, in order.
    public private(set) var fields: [Field] = []

    public init() {}

    /// Headers in the order of the pairs.
    public init(_ pairs: KeyValuePairs<String, String>) {
        for (name, value) in pairs { append(name, value) }
    }

    public var count: Int { fields.count }
    public var isEmpty: Bool { fields.isEmpty }

    /// The first value with this name. Setting replaces the first in its place and removes the
    /// others; `nil` removes all.
    public subscript(name: String) -> String? {
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
    public func values(of name: String) -> [String] {
        fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
    }

    /// Adds a header behind the others, whether or not the name is there already.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name.oneLine, value: value.oneLine))
    }

    /// `CSeq` as a number; `nil` when it is not there or no number.
    public var cSeq: Int? { self["CSeq"].flatMap { Int($0) } }

    /// The media type without its parameters, e.g. `text/parameters`, in lower case.
    public var contentType: String? {
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
    public init(dictionaryLiteral pairs: (String, String)...) {
        for (name, value) in pairs { append(name, value) }
    }
}

extension String {
    /// Whether two header names are the same; only ASCII letters have case.
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
