/// The path and the query of a request, decoded.
///
/// Takes the form that clients send to a server that is no proxy: a path, and a query after `?`.
package struct RequestTarget: Hashable, Sendable {
    /// A name and a value of the query.
    package struct QueryItem: Hashable, Sendable {
        /// The name.
        package var name: String
        /// The value; empty without `=`.
        package var value: String

        /// Makes an item.
        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    /// The reason for refusing a target.
    package enum Failure: Error, Hashable, Sendable {
        /// The target does not begin with `/`.
        case noPath
        /// A `%` is not followed by two hexadecimal digits, or the bytes are not UTF-8.
        case badEncoding
        /// The path holds `.` or `..`, or a control character.
        case forbiddenSegment
        /// The path or the query has more parts than the limit.
        case tooManyParts
    }

    /// The most segments, and the most query items: no address of a service has a tenth of it.
    package static let partLimit = 64

    /// The segments of the path, decoded, without the empty one after a slash at the end.
    package let segments: [String]
    /// The items of the query, in their order.
    package let query: [QueryItem]

    /// Parses a target as it is in the request line.
    package init(_ text: some StringProtocol) throws(Failure) {
        let whole = text.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard whole.first == UInt8(ascii: "/") else { throw .noPath }
        let parts = whole.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        segments = try Self.segments(of: Array(parts[0].dropFirst()))
        query = try Self.items(of: parts.count > 1 ? Array(parts[1]) : [])
    }

    /// The value of the first query item of this name.
    package func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

    private static func segments(of path: [UInt8]) throws(Failure) -> [String] {
        var raw = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if raw.last?.isEmpty == true { raw.removeLast() }
        guard raw.count <= partLimit else { throw .tooManyParts }
        var segments: [String] = []
        for bytes in raw {
            let segment = try decode(bytes, plusIsSpace: false)
            // Also within a segment that has encoded slashes.
            let names = segment.split { $0 == "/" || $0 == "\\" }
            guard !names.contains("."), !names.contains(".."),
                !segment.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
            else { throw .forbiddenSegment }
            segments.append(segment)
        }
        return segments
    }

    private static func items(of query: [UInt8]) throws(Failure) -> [QueryItem] {
        let raw = query.split(separator: UInt8(ascii: "&"))
        guard raw.count <= partLimit else { throw .tooManyParts }
        var items: [QueryItem] = []
        for bytes in raw {
            let pair = bytes.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let value = try pair.count > 1 ? decode(pair[1], plusIsSpace: true) : ""
            items.append(QueryItem(name: try decode(pair[0], plusIsSpace: true), value: value))
        }
        return items
    }

    private static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) throws(Failure) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst()?.hexValue, let low = rest.popFirst()?.hexValue else {
                    throw .badEncoding
                }
                decoded.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: decoded.append(0x20)
            default: decoded.append(byte)
            }
        }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .badEncoding }
        return text
    }
}

extension UInt8 {
    fileprivate var hexValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }
}
