/// The overflow rule of all lines of time: a result outside of 64 bits is the nearest 64-bit value.
///
/// In nanoseconds the limits are ±292 years from the clock's base, so a saturated result means "never" or
/// "always", and a comparison with it stays right.
extension Int64 {
    /// Returns the sum, saturated.
    package func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// Returns the difference, saturated.
    package func subtractingSaturated(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other > 0 ? .min : .max) : difference
    }

    /// Returns the product, saturated.
    package func multipliedSaturated(by other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
    }

    /// Returns the product with a rate, rounded and saturated; exact at rate 1.
    package func scaled(by rate: Double, _ rule: FloatingPointRoundingRule) -> Int64 {
        rate == 1 ? self : Int64(saturating: (Double(self) * rate).rounded(rule))
    }

    /// Returns the quotient by a rate, rounded and saturated; exact at rate 1.
    package func divided(by rate: Double, _ rule: FloatingPointRoundingRule) -> Int64 {
        rate == 1 ? self : Int64(saturating: (Double(self) / rate).rounded(rule))
    }

    /// Creates an integer from a rounded number, saturated; 0 for NaN.
    package init(saturating rounded: Double) {
        self = Int64(exactly: rounded) ?? (rounded.isNaN ? 0 : rounded < 0 ? .min : .max)
    }
}
