import TuttiWire

/// Reads fields of bits from a NAL unit, the highest bit of each byte first, and never past the end.
///
/// The parameter sets come from outside: every method either returns a value or throws a `WireError` that
/// names the field; none traps.
struct BitReader {
    private let bytes: [UInt8]
    /// The number of bits already read.
    private var position = 0

    /// Creates a reader of a NAL unit, whose emulation prevention bytes it omits.
    ///
    /// A writer inserts a 3 after two zero bytes, so that no start code appears inside a unit.
    init(nalUnit: some Collection<UInt8>) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(nalUnit.count)
        var zeros = 0
        for byte in nalUnit {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            bytes.append(byte)
        }
        self.bytes = bytes
    }

    /// The number of bits not yet read.
    var remaining: Int { bytes.count * 8 - position }

    /// Reads an unsigned number of `count` bits, 0…32.
    mutating func bits(_ count: Int, field: StaticString) throws(WireError) -> UInt32 {
        try check(count, field: field)
        var value: UInt32 = 0
        for _ in 0..<count {
            value = value << 1 | UInt32(bytes[position / 8] >> (7 - UInt8(position % 8)) & 1)
            position += 1
        }
        return value
    }

    /// Reads one bit.
    mutating func flag(field: StaticString) throws(WireError) -> Bool { try bits(1, field: field) == 1 }

    /// Skips `count` bits.
    mutating func skip(_ count: Int, field: StaticString) throws(WireError) {
        try check(count, field: field)
        position += count
    }

    /// Reads an unsigned Exp-Golomb number up to `limit`: as many zeros as bits follow the first one.
    mutating func exponential(
        upTo limit: UInt32 = .max - 1, field: StaticString
    ) throws(WireError) -> UInt32 {
        var zeros = 0
        while try !flag(field: field) {
            zeros += 1
            guard zeros < 32 else { throw .outOfRange(field: "\(field)", value: .max) }
        }
        let value = UInt32((UInt64(1) << zeros) - 1) + (try bits(zeros, field: field))
        guard value <= limit else { throw .outOfRange(field: "\(field)", value: UInt64(value)) }
        return value
    }

    /// Reads a signed Exp-Golomb number: 0, 1, −1, 2, −2 …
    mutating func signedExponential(field: StaticString) throws(WireError) -> Int {
        let value = Int(try exponential(field: field))
        return value % 2 == 1 ? (value + 1) / 2 : -value / 2
    }

    private func check(_ count: Int, field: StaticString) throws(WireError) {
        guard count >= 0, count <= remaining else {
            throw .truncated(field: "\(field)", needed: dividedUp(count), available: remaining / 8)
        }
    }

    /// Returns the bytes that some bits need.
    private func dividedUp(_ bits: Int) -> Int { max(0, bits) / 8 + (bits % 8 == 0 ? 0 : 1) }
}
