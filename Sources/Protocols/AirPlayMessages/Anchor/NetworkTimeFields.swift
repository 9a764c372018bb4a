import TuttiMediaTime

/// A network time in SETRATEANCHORTIME: seconds, and a binary fraction of a second.
///
/// `fraction = ⌊nanoseconds · 2⁶⁴ ⁄ 10⁹⌋`; a receiver may keep only its upper 32 bits.
package struct NetworkTimeFields: Hashable, Sendable {
    /// `networkTimeSecs`.
    package var seconds: Int64
    /// `networkTimeFrac`, in units of 2⁻⁶⁴ s.
    package var fraction: UInt64

    /// Creates the fields from their values.
    package init(seconds: Int64, fraction: UInt64) {
        self.seconds = seconds
        self.fraction = fraction
    }

    /// Converts a network time.
    package init(_ time: NetworkTime) {
        var (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: Self.billion)
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + Self.billion) }
        self.seconds = seconds
        // rest < 10⁹, so the quotient fits 64 bits.
        fraction = UInt64(Self.billion).dividingFullWidth((UInt64(rest), 0)).quotient
    }

    /// The network time, rounded to the nearest nanosecond; `nil` beyond ±292 years.
    package var networkTime: NetworkTime? {
        let product = fraction.multipliedFullWidth(by: UInt64(Self.billion))
        let rest = Int64(product.high) + (product.low >> 63 == 1 ? 1 : 0)
        let (scaled, overflows) = seconds.multipliedReportingOverflow(by: Self.billion)
        let (sum, overflowsToo) = scaled.addingReportingOverflow(rest)
        return overflows || overflowsToo ? nil : NetworkTime(nanoseconds: sum)
    }

    private static let billion: Int64 = 1_000_000_000
}
