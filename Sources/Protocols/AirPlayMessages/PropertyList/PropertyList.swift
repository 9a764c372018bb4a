/// One value of a binary property list, the body of most AirPlay messages.
///
/// Reading is bounded by ``PropertyListLimits`` and never traps. Writing sorts keys by their bytes and writes
/// each distinct value once, so that equal values give equal bytes.
///
/// Format: `bplist00` as Apple's CoreFoundation writes it.
public enum PropertyList: Hashable, Sendable {
    /// A text; written as ASCII where possible, else as UTF-16.
    case string(String)
    /// A 64-bit integer. The wire has two forms for values from 2⁶³, negative and 16 bytes long. The reader
    /// maps both to the same bits; the writer uses 8 bytes in two's complement, as Apple does (*observed*).
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// A truth value.
    case boolean(Bool)
    /// Raw bytes.
    case data([UInt8])
    /// Seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    /// An ordered list of values.
    case array([PropertyList])
    /// Values by key; the order is not preserved.
    case dictionary([String: PropertyList])
    /// A number in a keyed archive; no message uses it.
    case uid(UInt64)
    /// The null value.
    case null
}

extension PropertyList {
    /// The value of a string.
    package var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    /// The value of data.
    package var dataValue: [UInt8]? { if case .data(let value) = self { value } else { nil } }
    /// The values of an array.
    package var arrayValue: [PropertyList]? { if case .array(let value) = self { value } else { nil } }
    /// The values of a dictionary by key.
    package var dictionaryValue: [String: PropertyList]? {
        if case .dictionary(let value) = self { value } else { nil }
    }

    /// The value of an integer, or of a real that is a whole number: some peers write `rate` as a real.
    package var integerValue: Int64? {
        switch self {
        case .integer(let value): value
        case .real(let value): Self.wholeNumber(value)
        default: nil
        }
    }

    // `Int64(exactly:)` and `rounded()` of a Double need libm, which a target without Foundation or
    // Glibc does not link.
    private static func wholeNumber(_ value: Double) -> Int64? {
        let limit = 9_223_372_036_854_775_808.0
        guard value >= -limit, value < limit else { return nil }
        let whole = Int64(value)
        return Double(whole) == value ? whole : nil
    }

    /// The bits of an integer, for clock identities, fractions and masks.
    package var unsignedValue: UInt64? { integerValue.map { UInt64(bitPattern: $0) } }

    /// The value of a real or an integer.
    package var realValue: Double? {
        switch self {
        case .real(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }

    /// The value of a boolean, or of an integer as one.
    package var booleanValue: Bool? {
        switch self {
        case .boolean(let value): value
        case .integer(let value): value != 0
        default: nil
        }
    }

    /// Returns the value of a key; `nil` if this is no dictionary.
    package subscript(key: String) -> PropertyList? { dictionaryValue?[key] }

    /// Returns the integer with these bits.
    package static func unsigned(_ value: UInt64) -> PropertyList { .integer(Int64(bitPattern: value)) }
}

extension PropertyList: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a truth value.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Creates a floating-point number.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// Creates an array.
    public init(arrayLiteral elements: PropertyList...) { self = .array(elements) }
    /// Creates a dictionary; the first of equal keys wins.
    public init(dictionaryLiteral elements: (String, PropertyList)...) {
        self = .dictionary(Dictionary(elements) { first, _ in first })
    }
}
