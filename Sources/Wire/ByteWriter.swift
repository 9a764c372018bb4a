/// Appends fixed-width fields to a byte array.
public struct ByteWriter: Sendable {
    public private(set) var bytes: [UInt8] = []

    public init(reserving capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// A big-endian integer of the type's own width.
    public mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value) {
        integer(value, byteCount: MemoryLayout<Value>.size)
    }

    /// The low `byteCount` bytes of an integer, big-endian.
    public mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value, byteCount: Int) {
        for shift in stride(from: (byteCount - 1) * 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// A little-endian integer of the type's own width.
    public mutating func littleEndian<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value) {
        for shift in stride(from: 0, to: MemoryLayout<Value>.size * 8, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    public mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    public mutating func zeros(_ count: Int) {
        bytes.append(contentsOf: repeatElement(0, count: count))
    }
}
