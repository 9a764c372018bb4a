/// Number of a buffered packet: a counter modulo 2²³.
///
/// It goes up by one per packet and is never reset inside a stream; after 2²³ − 1 comes 0.
public struct SequenceNumber: Hashable, Sendable, CustomStringConvertible {
    /// 0 ..< 2²³.
    public let rawValue: UInt32

    /// 2²³.
    public static let modulus: UInt32 = 1 << 23

    /// Keeps the low 23 bits, so a number with the marker bit may be given.
    public init(truncating value: UInt32) { rawValue = value & (Self.modulus - 1) }

    /// The number `count` packets later, or earlier when it is negative.
    public func advanced(by count: Int) -> SequenceNumber {
        SequenceNumber(truncating: rawValue &+ UInt32(truncatingIfNeeded: count))
    }

    /// Packets from `earlier` to this one, the short way around: −2²² ..< 2²².
    public func packets(since earlier: SequenceNumber) -> Int {
        // The difference moved to the top of 32 bits, so that its sign is the sign of the word.
        Int(Int32(bitPattern: (rawValue &- earlier.rawValue) << 9) >> 9)
    }

    /// Whether this number comes first, the short way around.
    public func isBefore(_ other: SequenceNumber) -> Bool { packets(since: other) < 0 }

    /// The number with the marker bit, 24 bits: bytes 1 to 3 of the header.
    public var withMarker: UInt32 { rawValue | Self.modulus }

    public var description: String { String(rawValue) }
}
