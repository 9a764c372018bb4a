@testable import CoreMedia

/// A fraction of integers to compare times with: schoolbook arithmetic without shortcuts.
///
/// Exact while numerators stay below 2⁶³ and denominators below 2⁶².
struct ExactFraction: Equatable {
    var numerator: Int128
    var denominator: Int128

    init(_ numerator: Int128, _ denominator: Int128) {
        var (a, b) = (numerator.magnitude, denominator.magnitude)
        while b != 0 { (a, b) = (b, a % b) }
        let divisor = Int128(max(1, a))
        self.numerator = numerator / divisor
        self.denominator = denominator / divisor
    }

    init(_ time: CMTime) { self.init(Int128(time.value), Int128(time.timescale)) }

    static func + (left: ExactFraction, right: ExactFraction) -> ExactFraction {
        ExactFraction(
            left.numerator * right.denominator + right.numerator * left.denominator,
            left.denominator * right.denominator)
    }

    static func < (left: ExactFraction, right: ExactFraction) -> Bool {
        left.numerator * right.denominator < right.numerator * left.denominator
    }

    /// Returns the distance to another fraction in units of 1/scale, at most one half for a rounded value.
    func isWithinHalfUnit(of other: ExactFraction, scale: Int32) -> Bool {
        let difference = ExactFraction(
            numerator * other.denominator - other.numerator * denominator, denominator * other.denominator)
        return Int128(difference.numerator.magnitude) * 2 * Int128(scale) <= difference.denominator
    }
}
