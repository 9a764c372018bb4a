/// Reads fixed-width fields from bytes, front to back, and never past their end.
///
/// The only code of the package that indexes bytes of a peer. Every method either answers or
/// throws a ``WireError`` that names the field; nothing traps.
public struct ByteReader: Sendable {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes[...]
        position = 0
    }

    public init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// Bytes not yet read.
    public var remaining: Int { bytes.endIndex - position }

    public var isAtEnd: Bool { remaining == 0 }

    /// A big-endian integer of the type's own width.
    public mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(
        _ type: Value.Type, field: StaticString
    ) throws(WireError) -> Value {
        try integer(type, byteCount: MemoryLayout<Value>.size, field: field)
    }

    /// A big-endian integer of `byteCount` bytes, 1 ... the type's width.
    public mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(
        _ type: Value.Type, byteCount: Int, field: StaticString
    ) throws(WireError) -> Value {
        var value: Value = 0
        for byte in try slice(count: byteCount, field: field) { value = (value << 8) | Value(byte) }
        return value
    }

    /// A little-endian integer of the type's own width.
    public mutating func littleEndian<Value: FixedWidthInteger & UnsignedInteger>(
        _ type: Value.Type, field: StaticString
    ) throws(WireError) -> Value {
        var value: Value = 0
        for byte in try slice(count: MemoryLayout<Value>.size, field: field).reversed() {
            value = (value << 8) | Value(byte)
        }
        return value
    }

    public mutating func byte(field: StaticString) throws(WireError) -> UInt8 {
        try integer(UInt8.self, field: field)
    }

    public mutating func bytes(count: Int, field: StaticString) throws(WireError) -> [UInt8] {
        Array(try slice(count: count, field: field))
    }

    /// A view of the next `count` bytes; no copy.
    public mutating func slice(count: Int, field: StaticString) throws(WireError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else {
            throw .truncated(field: "\(field)", needed: count, available: remaining)
        }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// All that is left.
    public mutating func rest() -> ArraySlice<UInt8> {
        defer { position = bytes.endIndex }
        return bytes[position...]
    }

    public mutating func skip(_ count: Int, field: StaticString) throws(WireError) {
        _ = try slice(count: count, field: field)
    }
}
