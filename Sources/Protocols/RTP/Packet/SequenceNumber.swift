/// The sequence number of a buffered packet: a counter modulo 2²³.
///
/// Increments by one per packet and never resets within a stream; 0 follows 2²³ − 1.
package struct SequenceNumber: Hashable, Sendable, CustomStringConvertible {
    /// The number, 0 ..< 2²³.
    package let rawValue: UInt32

    /// The modulus, 2²³.
    package static let modulus: UInt32 = 1 << 23

    /// Keeps the low 23 bits, and so drops a marker bit.
    package init(truncating value: UInt32) { rawValue = value & (Self.modulus - 1) }

    /// Returns the number `count` packets later, or earlier if negative.
    package func advanced(by count: Int) -> SequenceNumber {
        SequenceNumber(truncating: rawValue &+ UInt32(truncatingIfNeeded: count))
    }

    /// Returns the packets from `earlier` to this one, the short way around: −2²² ..< 2²².
    package func packets(since earlier: SequenceNumber) -> Int {
        // Shift the difference to the top of 32 bits for sign extension.
        Int(Int32(bitPattern: (rawValue &- earlier.rawValue) << 9) >> 9)
    }

    /// Returns whether this number comes before `other`, the short way around.
    package func isBefore(_ other: SequenceNumber) -> Bool { packets(since: other) < 0 }

    /// The number with the marker bit, 24 bits: bytes 1 to 3 of the header.
    package var withMarker: UInt32 { rawValue | Self.modulus }

    /// The number in decimal, for logs.
    package var description: String { String(rawValue) }
}
