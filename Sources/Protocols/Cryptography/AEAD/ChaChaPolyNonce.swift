/// A nonce of 12 bytes, which must differ for every message sealed with one key.
///
/// Source: RFC 8439, 2.3. HomeKit and AirPlay fill only the last 8 bytes; the first 4 are zero.
package struct ChaChaPolyNonce: Sendable, Hashable {
    /// The length of every nonce, in bytes.
    package static let byteCount = 12
    /// The length of the part that AirPlay sends on the wire, in bytes.
    package static let trailingByteCount = 8

    // The nonce as little-endian integers, so that it needs no allocation.
    private let leading: UInt32
    private let trailing: UInt64

    /// Creates a nonce of four zero bytes, then the counter, little-endian.
    package init(counter: UInt64) {
        leading = 0
        trailing = counter
    }

    /// Creates a nonce of four zero bytes, then these eight.
    ///
    /// - Throws: ``CryptographyError/wrongByteCount(expected:received:)`` unless there are 8 bytes.
    package init(trailing bytes: ArraySlice<UInt8>) throws(CryptographyError) {
        guard bytes.count == Self.trailingByteCount else {
            throw .wrongByteCount(expected: Self.trailingByteCount, received: bytes.count)
        }
        leading = 0
        trailing = Self.littleEndian(bytes)
    }

    /// Creates a nonce from all 12 bytes.
    ///
    /// - Throws: ``CryptographyError/wrongByteCount(expected:received:)`` unless there are 12 bytes.
    package init(_ bytes: ArraySlice<UInt8>) throws(CryptographyError) {
        guard bytes.count == Self.byteCount else {
            throw .wrongByteCount(expected: Self.byteCount, received: bytes.count)
        }
        leading = UInt32(truncatingIfNeeded: Self.littleEndian(bytes.prefix(4)))
        trailing = Self.littleEndian(bytes.dropFirst(4))
    }

    /// Converts bytes with a plain loop, because this runs for each packet and must not allocate.
    private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        for byte in bytes {
            value |= UInt64(byte) << shift
            shift += 8
        }
        return value
    }

    /// The bytes in wire order.
    package var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// The last 8 bytes, which AirPlay appends to an audio packet.
    package var trailingBytes: [UInt8] { bytes.suffix(Self.trailingByteCount) }

    /// Calls `body` with the bytes in wire order, on the stack.
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        // Three integers of one width have no padding between them.
        let words = (
            leading.littleEndian, UInt32(truncatingIfNeeded: trailing).littleEndian,
            UInt32(truncatingIfNeeded: trailing >> 32).littleEndian
        )
        return Swift.withUnsafeBytes(of: words, body)
    }
}
