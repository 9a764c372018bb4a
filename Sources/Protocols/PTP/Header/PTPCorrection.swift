/// The correction field: nanoseconds in units of 2⁻¹⁶.
///
/// Source: IEEE 1588-2019, 13.3.2.9.
package struct PTPCorrection: Hashable, Sendable {
    /// The field as encoded, in units of 2⁻¹⁶ ns.
    package let rawValue: Int64

    /// Creates a correction from its wire form: nanoseconds times 2¹⁶.
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// Creates a correction of whole nanoseconds, clamped to ±2⁴⁷.
    package init(nanoseconds: Int64) {
        let limit = Int64.max >> 16
        rawValue = min(max(nanoseconds, -limit), limit) << 16
    }

    /// No correction.
    package static let zero = PTPCorrection(rawValue: 0)

    /// Whole nanoseconds, rounded down.
    package var nanoseconds: Int64 { rawValue >> 16 }
}
