import Wire

/// Why bytes are not a property list that we read.
public enum PropertyListError: Error, Hashable, Sendable {
    /// The bytes do not begin with `bplist0`.
    case noSignature
    /// A field ends behind the bytes, or a size in the trailer is impossible.
    case malformed(field: String)
    /// A reference to an object that is not there.
    case danglingReference(UInt64)
    /// The first byte of an object is of no known kind.
    case unknownObject(marker: UInt8)
    /// A key of a dictionary is not a string.
    case keyIsNoString
    /// An integer of 16 bytes that does not fit 64 bits.
    case integerTooLarge
    /// More bytes than the limit.
    case tooLong(limit: Int)
    /// Containers inside containers beyond the limit; also what a cyclic reference comes to.
    case tooDeep(limit: Int)
    /// More values than the limit, every use of a shared one counted.
    case tooManyValues(limit: Int)
    /// Strings and data are longer together than the limit, every use of a shared one counted.
    case expandsTooFar(limit: Int)
}

/// How large a property list of a peer may be.
public struct PropertyListLimits: Hashable, Sendable {
    /// Bytes before reading; what RTSP allows for a body.
    public var byteCount: Int
    /// Containers inside containers. Known messages have 6 levels.
    public var depth: Int
    /// Values after reading. The largest known `/info` has some hundred.
    public var valueCount: Int
    /// Bytes of all strings and data after reading. Shared values make it larger than `byteCount`.
    public var expandedByteCount: Int

    public init(
        byteCount: Int = 4 << 20, depth: Int = 32, valueCount: Int = 65_536, expandedByteCount: Int = 8 << 20
    ) {
        self.byteCount = byteCount
        self.depth = depth
        self.valueCount = valueCount
        self.expandedByteCount = expandedByteCount
    }

    public static let standard = PropertyListLimits()
}
