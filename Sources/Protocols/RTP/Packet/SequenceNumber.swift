/// The sequence number of a buffered packet: a counter modulo 2²³.
///
/// Increments by one per packet and never resets within a stream; 0 follows 2²³ − 1.
public struct SequenceNumber: Hashable, Sendable, CustomStringConvertible {
    /// The number, 0 ..< 2²³.
    public let rawValue: UInt32

    /// The modulus, 2²³.
    public static let modulus: UInt32 = 1 << 23

    /// Keeps the low 23 bits, and so drops a marker bit.
    public init(truncating value: UInt32) { rawValue = value & (Self.modulus - 1) }

    /// Returns the number `count` packets later, or earlier if negative.
    public func advanced(by count: Int) -> SequenceNumber {
        SequenceNumber(truncating: rawValue &+ UInt32(truncatingIfNeeded: count))
    }

    /// Returns the packets from `earlier` to this one, the short way around: −2²² ..< 2²².
    public func packets(since earlier: SequenceNumber) -> Int {
        // Shift the difference to the top of 32 bits for sign extension.
        Int(Int32(bitPattern: (rawValue &- earlier.rawValue) << 9) >> 9)
    }

    /// Returns whether this number comes before `other`, the short way around.
    public func isBefore(_ other: SequenceNumber) -> Bool { packets(since: other) < 0 }

    /// The number with the marker bit, 24 bits: bytes 1 to 3 of the header.
    public var withMarker: UInt32 { rawValue | Self.modulus }

    /// The number in decimal, for logs.
    public var description: String { String(rawValue) }
}
