import TuttiWire

/// The reason that bytes are not a readable property list.
package enum PropertyListError: Error, Hashable, Sendable {
    /// The bytes do not begin with `bplist0`.
    case noSignature
    /// A field extends beyond the bytes, or a size in the trailer is impossible.
    case malformed(field: String)
    /// A reference to a missing object.
    case danglingReference(UInt64)
    /// An object with an unknown marker byte.
    case unknownObject(marker: UInt8)
    /// A dictionary key that is not a string.
    case keyIsNoString
    /// A 16-byte integer that does not fit 64 bits.
    case integerTooLarge
    /// More bytes than the limit.
    case tooLong(limit: Int)
    /// Containers nested beyond the limit; also the result of a cyclic reference.
    case tooDeep(limit: Int)
    /// More values than the limit, counting every use of a shared one.
    case tooManyValues(limit: Int)
    /// More bytes of strings and data than the limit, counting every use of a shared one.
    case expandsTooFar(limit: Int)
}

/// The size limits for a peer's property list.
package struct PropertyListLimits: Hashable, Sendable {
    /// Most bytes before reading: the RTSP limit for a body.
    package var byteCount: Int
    /// Most levels of nested containers. Known messages have 6.
    package var depth: Int
    /// Most values after reading. The largest known `/info` has some hundred.
    package var valueCount: Int
    /// Most bytes of all strings and data after reading. Shared values can exceed `byteCount`.
    package var expandedByteCount: Int

    /// Creates limits; the defaults are ``standard``.
    package init(
        byteCount: Int = 4 << 20, depth: Int = 32, valueCount: Int = 65_536, expandedByteCount: Int = 8 << 20
    ) {
        self.byteCount = byteCount
        self.depth = depth
        self.valueCount = valueCount
        self.expandedByteCount = expandedByteCount
    }

    /// The default limits.
    package static let standard = PropertyListLimits()
}
