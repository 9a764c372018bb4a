/// Turns sequence numbers that wrap into ones that go on, the short way around from the highest so far.
struct SequenceCounter: Sendable {
    private let modulus: Int64
    private var highest: Int64?

    /// - Parameter bits: Of the number on the wire, 8 ... 32.
    init(bits: Int) { modulus = 1 << Int64(min(max(bits, 8), 32)) }

    /// The number nearest to the highest seen that ends in these bits.
    func extended(_ number: UInt32) -> Int64 {
        let low = Int64(number) & (modulus - 1)
        // One turn up, so that numbers before the first have room.
        guard let highest else { return low + modulus }
        var difference = (low - highest) & (modulus - 1)
        if difference >= modulus / 2 { difference -= modulus }
        return highest + difference
    }

    /// As ``extended(_:)``, and remembers it.
    mutating func take(_ number: UInt32) -> Int64 {
        let sequence = extended(number)
        highest = max(highest ?? sequence, sequence)
        return sequence
    }
}
