/// Deterministic noise of triangular distribution, the sum of two uniform numbers; equal for equal seeds.
///
/// Noise that is added before rounding makes the rounding error independent of the signal.
package struct TriangularDither: Hashable, Sendable {
    private var state: UInt64

    /// Creates a generator whose sequence depends only on `seed`.
    package init(seed: UInt64) { state = seed }

    /// Returns a value in −1 ..< 1 with the peak at 0, in units of the target's least significant bit.
    package mutating func next() -> Float {
        // SplitMix64; the two halves of one word are the two uniform numbers.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        let sum = Int64(mixed >> 40) + Int64(mixed & 0xFF_FFFF) - (1 << 24)
        return Float(sum) / Float(1 << 24)
    }
}
