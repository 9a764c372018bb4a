/// Unwraps sequence numbers: each is the nearest to the highest so far.
struct SequenceCounter: Sendable {
    private let modulus: Int64
    private var highest: Int64?

    /// - Parameter bits: Bits of the number on the wire, clamped to 8 ... 32.
    init(bits: Int) { modulus = 1 << Int64(min(max(bits, 8), 32)) }

    /// Returns the unwrapped number nearest to the highest seen.
    func extended(_ number: UInt32) -> Int64 {
        let low = Int64(number) & (modulus - 1)
        // Start one modulus up, to leave room for numbers before the first.
        guard let highest else { return low + modulus }
        var difference = (low - highest) & (modulus - 1)
        if difference >= modulus / 2 { difference -= modulus }
        return highest + difference
    }

    /// Returns ``extended(_:)`` and records it.
    mutating func take(_ number: UInt32) -> Int64 {
        let sequence = extended(number)
        highest = max(highest ?? sequence, sequence)
        return sequence
    }
}
