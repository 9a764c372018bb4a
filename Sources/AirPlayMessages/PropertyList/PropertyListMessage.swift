/// A request or answer whose body is a binary property list.
///
/// Keys that are not known are ignored; facts that only inform are `nil` when they have the wrong
/// type. Only what the session cannot do without is an error.
public protocol PropertyListMessage: Sendable {
    init(propertyList: PropertyList) throws(MessageError)
    var propertyList: PropertyList { get }
}

extension PropertyListMessage {
    /// The media type of such a body.
    public static var contentType: String { "application/x-apple-binary-plist" }

    /// Reads a body of a peer.
    public init(body: [UInt8]) throws(MessageError) {
        let list: PropertyList
        do {
            list = try PropertyList(parsing: body)
        } catch {
            throw .malformedPropertyList(error)
        }
        try self.init(propertyList: list)
    }

    public var body: [UInt8] { propertyList.encoded }
}

/// Why the body of a peer is not the message it should be.
public enum MessageError: Error, Hashable, Sendable {
    case malformedPropertyList(PropertyListError)
    /// A key that must be there is not. A receiver that ignores a request answers 200 without it.
    case missing(key: String)
    /// A value has another type than the one named.
    case wrongType(key: String, expected: String)
    /// A number outside its range.
    case outOfRange(key: String, value: Int64)
    /// Text is not what its kind prescribes.
    case malformedText(field: String)
}

/// Reads the checked fields of a dictionary.
struct PropertyListFields {
    let dictionary: [String: PropertyList]

    init(_ list: PropertyList) throws(MessageError) {
        guard let dictionary = list.dictionaryValue else {
            throw .wrongType(key: "body", expected: "dictionary")
        }
        self.dictionary = dictionary
    }

    subscript(key: String) -> PropertyList? { dictionary[key] }

    /// `nil` when the key is not there.
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

    /// A port; `nil` when it is 0 or not there. *Observed*: ports from 32,768 may come as negative
    /// numbers of 16 bits.
    func port(_ key: String) throws(MessageError) -> UInt16? {
        guard let number = try integer(key, in: -0x8000...0xFFFF) else { return nil }
        let port = UInt16(truncatingIfNeeded: number)
        return port == 0 ? nil : port
    }

    /// An RTP time; may come as a negative number of 32 bits.
    func rtpTime(_ key: String) throws(MessageError) -> UInt32? {
        try integer(key, in: Int64(Int32.min)...Int64(UInt32.max)).map { UInt32(truncatingIfNeeded: $0) }
    }

    /// The dictionaries of an array, at most 64: no message has more than a handful.
    func dictionaries(_ key: String) throws(MessageError) -> [PropertyList] {
        guard let value = dictionary[key] else { return [] }
        guard let array = value.arrayValue else { throw .wrongType(key: key, expected: "array") }
        return Array(array.prefix(64))
    }
}

/// Builds a dictionary from the values that are there.
func dictionary(_ pairs: KeyValuePairs<String, PropertyList?>) -> PropertyList {
    var result: [String: PropertyList] = [:]
    for (key, value) in pairs {
        if let value { result[key] = value }
    }
    return .dictionary(result)
}
