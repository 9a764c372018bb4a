/// Writes fields of bits, the highest bit of each byte first, as a NAL unit.
struct BitWriter {
    private var bits: [Bool] = []

    mutating func bits(_ value: Int, _ count: Int) {
        for shift in stride(from: count - 1, through: 0, by: -1) { bits.append(value >> shift & 1 == 1) }
    }

    mutating func flag(_ value: Bool) { bits.append(value) }

    /// Writes an unsigned Exp-Golomb number.
    mutating func exponential(_ value: Int) {
        let count = (value + 1).bitWidth - (value + 1).leadingZeroBitCount
        bits(0, count - 1)
        bits(value + 1, count)
    }

    /// Writes a signed Exp-Golomb number.
    mutating func signedExponential(_ value: Int) { exponential(value > 0 ? value * 2 - 1 : -value * 2) }

    /// The NAL unit with the stop bit and the emulation prevention bytes.
    var nalUnit: [UInt8] {
        var all = bits + [true]
        all += Array(repeating: false, count: (8 - all.count % 8) % 8)
        var unit: [UInt8] = []
        for start in stride(from: 0, to: all.count, by: 8) {
            let byte = all[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) } as UInt8
            if byte <= 3, unit.suffix(2) == [0, 0] { unit.append(3) }
            unit.append(byte)
        }
        return unit
    }
}
