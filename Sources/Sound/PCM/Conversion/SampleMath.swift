/// Rounding and clamping of single samples.
@usableFromInline package enum SampleMath {
    /// Rounds to the nearest 24 bit value, left-aligned.
    @inlinable
    package static func roundedTo24Bits(_ sample: Int32) -> Int32 {
        let (rounded, overflow) = sample.addingReportingOverflow(0x80)
        return overflow ? 0x7FFF_FF00 : rounded & ~0xFF
    }

    /// Rounds a left-aligned 32 bit word to the nearest 16 bit value.
    @inlinable
    package static func roundedTo16Bits(_ sample: Int32) -> Int16 {
        let (rounded, overflow) = sample.addingReportingOverflow(0x8000)
        return overflow ? .max : Int16(truncatingIfNeeded: rounded >> 16)
    }

    /// Rounds a number in units of the 16 bit step to the nearest value; NaN becomes 0.
    @inlinable
    package static func int16(scaled value: Double) -> Int16 {
        if value.isNaN { return 0 }
        return Int16(truncatingIfNeeded: nearest(min(max(value, -0x1p15), 0x1p15 - 1)))
    }

    /// Rounds a float sample to the nearest 24 bit value, left-aligned; NaN becomes 0.
    @inlinable
    package static func int24in32(_ sample: Float) -> Int32 {
        if sample.isNaN { return 0 }
        return Int32(truncatingIfNeeded: nearest(min(max(Double(sample) * 0x1p23, -0x1p23), 0x1p23 - 1))) << 8
    }

    /// Rounds a float sample to the nearest 32 bit value; NaN becomes 0.
    @inlinable
    package static func int32(_ sample: Float) -> Int32 {
        if sample.isNaN { return 0 }
        return Int32(truncatingIfNeeded: nearest(min(max(Double(sample) * 0x1p31, -0x1p31), 0x1p31 - 1)))
    }

    /// Returns the nearest whole number, ties to even, of a value whose magnitude is below 2⁵¹.
    @inlinable
    package static func nearest(_ value: Double) -> Int64 {
        // Adding 1.5 · 2⁵² leaves no bits for a fraction. Faster than a call of the C library, which a module
        // without that library could not link.
        Int64(bitPattern: (value + 0x1.8p52).bitPattern) &- Int64(bitPattern: (0x1.8p52 as Double).bitPattern)
    }
}
