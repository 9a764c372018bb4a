/// Reads fixed-width fields from bytes, front to back, and never past their end.
///
/// The only code of the package that indexes bytes of a peer. Every method either returns a value or throws a
/// ``WireError`` that names the field; none traps.
@usableFromInline package struct ByteReader: Sendable {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    /// Creates a reader at the first byte.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes[...]
        position = 0
    }

    /// Creates a reader at the slice's first byte.
    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// Bytes not yet read.
    package var remaining: Int { bytes.endIndex - position }

    /// Whether all bytes have been read.
    package var isAtEnd: Bool { remaining == 0 }

    /// Reads a big-endian integer of the type's own width, at most 64 bits.
    @inlinable
    package mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(
        _ type: Value.Type, field: StaticString
    ) throws(WireError) -> Value {
        Value(truncatingIfNeeded: try bigEndian(byteCount: MemoryLayout<Value>.size, field: field))
    }

    /// Reads a big-endian integer of `byteCount` bytes, 1 ... the type's width, at most 8.
    @inlinable
    package mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(
        _ type: Value.Type, byteCount: Int, field: StaticString
    ) throws(WireError) -> Value {
        Value(truncatingIfNeeded: try bigEndian(byteCount: byteCount, field: field))
    }

    /// Reads a little-endian integer of the type's own width, at most 64 bits.
    @inlinable
    package mutating func littleEndian<Value: FixedWidthInteger & UnsignedInteger>(
        _ type: Value.Type, field: StaticString
    ) throws(WireError) -> Value {
        let value = try bigEndian(byteCount: MemoryLayout<Value>.size, field: field)
        return Value(truncatingIfNeeded: value.byteSwapped >> (64 - Value.bitWidth))
    }

    /// Reads a big-endian integer of at most eight bytes. Not generic: headers of packets are read with it, and a generic
    /// function of another module works through tables.
    @usableFromInline
    mutating func bigEndian(byteCount: Int, field: StaticString) throws(WireError) -> UInt64 {
        var value: UInt64 = 0
        for byte in try slice(count: byteCount, field: field) { value = (value << 8) | UInt64(byte) }
        return value
    }

    /// Reads one byte.
    package mutating func byte(field: StaticString) throws(WireError) -> UInt8 {
        try integer(UInt8.self, field: field)
    }

    /// Reads a copy of the next `count` bytes.
    package mutating func bytes(count: Int, field: StaticString) throws(WireError) -> [UInt8] {
        Array(try slice(count: count, field: field))
    }

    /// Returns a view of the next `count` bytes, without copying.
    package mutating func slice(count: Int, field: StaticString) throws(WireError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else {
            throw .truncated(field: "\(field)", needed: count, available: remaining)
        }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Returns a view of the remaining bytes.
    package mutating func rest() -> ArraySlice<UInt8> {
        defer { position = bytes.endIndex }
        return bytes[position...]
    }

    /// Skips `count` bytes.
    package mutating func skip(_ count: Int, field: StaticString) throws(WireError) {
        _ = try slice(count: count, field: field)
    }
}
