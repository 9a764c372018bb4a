/// A request or response whose body is a binary property list.
///
/// Ignores unknown keys. Reads informational fields of a wrong type as `nil`. Throws only for fields that a
/// session needs.
package protocol PropertyListMessage: Sendable {
    /// Reads the message.
    init(propertyList: PropertyList) throws(MessageError)
    /// The message as a property list.
    var propertyList: PropertyList { get }
}

extension PropertyListMessage {
    /// The media type of the body.
    package static var contentType: String { "application/x-apple-binary-plist" }

    /// Reads the body of a peer.
    package init(body: [UInt8]) throws(MessageError) {
        let list: PropertyList
        do {
            list = try PropertyList(parsing: body)
        } catch {
            throw .malformedPropertyList(error)
        }
        try self.init(propertyList: list)
    }

    /// The encoded body.
    package var body: [UInt8] { propertyList.encoded }
}

/// The reason that a peer's body is not the expected message.
package enum MessageError: Error, Hashable, Sendable {
    /// The body is not a property list.
    case malformedPropertyList(PropertyListError)
    /// A required key is missing. A receiver that ignores a request answers 200 without it.
    case missing(key: String)
    /// A value has another type than expected.
    case wrongType(key: String, expected: String)
    /// A number is outside its range.
    case outOfRange(key: String, value: Int64)
    /// A text field is malformed.
    case malformedText(field: String)
}

/// Reads a dictionary with validated fields.
struct PropertyListFields {
    let dictionary: [String: PropertyList]

    init(_ list: PropertyList) throws(MessageError) {
        guard let dictionary = list.dictionaryValue else {
            throw .wrongType(key: "body", expected: "dictionary")
        }
        self.dictionary = dictionary
    }

    subscript(key: String) -> PropertyList? { dictionary[key] }

    /// Returns an integer; `nil` if the key is missing.
    func integer(_ key: String, in range: ClosedRange<Int64>) throws(MessageError) -> Int64? {
        guard let value = dictionary[key] else { return nil }
        guard let number = value.integerValue else { throw .wrongType(key: key, expected: "integer") }
        guard range.contains(number) else { throw .outOfRange(key: key, value: number) }
        return number
    }

    func required<Value>(_ value: Value?, _ key: String) throws(MessageError) -> Value {
        guard let value else { throw .missing(key: key) }
        return value
    }

    /// Returns a port; `nil` if it is 0 or missing. *Observed*: ports from 32,768 may come as negative 16-bit
    /// numbers.
    func port(_ key: String) throws(MessageError) -> UInt16? {
        guard let number = try integer(key, in: -0x8000...0xFFFF) else { return nil }
        let port = UInt16(truncatingIfNeeded: number)
        return port == 0 ? nil : port
    }

    /// Returns an RTP time, which may come as a negative 32-bit number.
    func rtpTime(_ key: String) throws(MessageError) -> UInt32? {
        try integer(key, in: Int64(Int32.min)...Int64(UInt32.max)).map { UInt32(truncatingIfNeeded: $0) }
    }

    /// Returns at most 64 entries of an array: no message has more than a handful.
    func dictionaries(_ key: String) throws(MessageError) -> [PropertyList] {
        guard let value = dictionary[key] else { return [] }
        guard let array = value.arrayValue else { throw .wrongType(key: key, expected: "array") }
        return Array(array.prefix(64))
    }
}

/// Builds a dictionary without the `nil` values.
func dictionary(_ pairs: KeyValuePairs<String, PropertyList?>) -> PropertyList {
    var result: [String: PropertyList] = [:]
    for (key, value) in pairs {
        if let value { result[key] = value }
    }
    return .dictionary(result)
}
