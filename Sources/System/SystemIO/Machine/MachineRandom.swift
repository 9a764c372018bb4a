/// Random numbers of a machine, not for keys.
package struct MachineRandom: RandomNumberGenerator {
    private let machine: any Machine

    /// Creates a generator; all generators of a machine draw from the same numbers.
    package init(_ machine: any Machine) { self.machine = machine }

    /// 64 bits of the machine.
    package mutating func next() -> UInt64 { machine.randomBits() }

    /// Returns the text of a new UUID of version 4, in capitals.
    package mutating func uuid() -> String {
        // Four bits for the version, two for the variant.
        let first = Self.digits(next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000)
        let second = Self.digits(next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
        let ends = [first.prefix(8), first.dropFirst(8).prefix(4), first.suffix(4)]
        return (ends + [second.prefix(4), second.dropFirst(4)]).joined(separator: "-")
    }

    /// Returns 16 hexadecimal digits.
    private static func digits(_ value: UInt64) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
