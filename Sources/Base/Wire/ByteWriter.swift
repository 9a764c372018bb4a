/// Appends fixed-width fields to a byte array.
package struct ByteWriter: Sendable {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []

    /// Creates an empty writer with room for `capacity` bytes.
    package init(reserving capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Appends a big-endian integer of the type's own width.
    package mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value) {
        integer(value, byteCount: MemoryLayout<Value>.size)
    }

    /// Appends the low `byteCount` bytes of an integer, big-endian.
    package mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value, byteCount: Int)
    {
        for shift in stride(from: (byteCount - 1) * 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Appends a little-endian integer of the type's own width.
    package mutating func littleEndian<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value) {
        for shift in stride(from: 0, to: MemoryLayout<Value>.size * 8, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Appends raw bytes.
    package mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Appends `count` zero bytes.
    package mutating func zeros(_ count: Int) {
        bytes.append(contentsOf: repeatElement(0, count: count))
    }
}
