/// Number of a packet of a buffered stream: 23 bits, wraps.
public struct SequenceNumber: Hashable, Sendable {
    public static let bitCount = 23
    static let mask: UInt32 = (1 << 23) - 1

    /// 0 ..< 2²³.
    public let rawValue: UInt32

    /// Keeps the low 23 bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue & Self.mask }

    public func advanced(by count: Int) -> SequenceNumber {
        SequenceNumber(rawValue: rawValue &+ UInt32(truncatingIfNeeded: count))
    }

    /// Packets from `earlier` to this one, the short way around: −2²² ..< 2²².
    public func distance(from earlier: SequenceNumber) -> Int {
        let difference = (rawValue &- earlier.rawValue) & Self.mask
        return difference < 1 << 22 ? Int(difference) : Int(difference) - (1 << 23)
    }
}
