extension CMTime {
    /// Returns this time multiplied by `count`, by the overflow rules of addition.
    func repeated(_ count: Int64) -> CMTime {
        guard kind == .number else { return specialProduct(signOf: count.signum()) }
        let (product, overflow) = value.multipliedReportingOverflow(by: count)
        if !overflow { return CMTime(value: product, timescale: timescale, flags: flags, epoch: epoch) }
        var scale = timescale
        let whole = Int128(value) * Int128(count)
        // A 64-bit count leaves no room for the scale in the fraction, so divide the scale out instead.
        while scale > 1 {
            scale /= 2
            let (scaled, scaleOverflow) = whole.multipliedReportingOverflow(by: Int128(scale))
            if scaleOverflow { continue }
            let (rounded, _) = CMTimeRoundingMethod.default.quotient(scaled, by: Int128(timescale))
            if let fitting = Int64(exactly: rounded) {
                return CMTime(
                    value: fitting, timescale: scale, flags: [.valid, .hasBeenRounded], epoch: epoch)
            }
        }
        return .infinity(negative: whole < 0)
    }

    /// Returns this time multiplied by `multiplier / divisor`: exact if a timescale can express it, else on
    /// the finest scale whose value fits. Invalid if the divisor is zero.
    func multiplied(by multiplier: Int32, over divisor: Int32) -> CMTime {
        guard divisor != 0 else { return .invalid }
        let sign = Int(multiplier.signum() * divisor.signum())
        guard kind == .number else { return specialProduct(signOf: sign) }
        let numerator = Int128(value) * Int128(multiplier) * Int128(divisor.signum())
        let distance = Int128(divisor.magnitude)
        let common = greatestCommonDivisor(numerator.magnitude, distance.magnitude)
        let scale = min(
            Int128(timescale) * (distance / Int128(max(1, common))), Int128(kCMTimeMaxTimescale))
        let exact = ExactSeconds(numerator: numerator, denominator: Int128(timescale) * distance)
        return exact.time(timescale: Int32(scale), epoch: epoch, wasRounded: hasBeenRounded)
    }

    /// Returns this time × `multiplier` ⁄ `divisor`, both positive: exact if the fractions fit 128 bits.
    func scaled(by multiplier: CMTime, over divisor: CMTime) -> CMTime {
        guard kind == .number else { return self }
        if multiplier == divisor { return self }
        // value ⁄ timescale × m ⁄ ms × ds ⁄ d
        let exact = ExactSeconds(
            productOf: [Int128(value), Int128(multiplier.value), Int128(divisor.timescale)],
            over: [Int128(timescale), Int128(multiplier.timescale), Int128(divisor.value)])
        guard let exact else { return multiplied(by: multiplier.seconds / divisor.seconds) }
        let least = Int32(min(exact.denominator, Int128(kCMTimeMaxTimescale)))
        return exact.time(
            timescale: timescale % least == 0 ? timescale : least, epoch: epoch, wasRounded: hasBeenRounded)
    }

    /// Returns this time multiplied by a floating-point number, on a scale doubled to at least 65,536.
    func multiplied(by multiplier: Double) -> CMTime {
        if multiplier.isNaN { return .invalid }
        guard kind == .number else {
            return specialProduct(signOf: multiplier == 0 ? 0 : (multiplier < 0 ? -1 : 1))
        }
        if multiplier.isInfinite {
            return value == 0 ? .invalid : .infinity(negative: (value < 0) != (multiplier < 0))
        }
        var doublings = 0
        while timescale << doublings < 65_536 { doublings += 1 }
        var scale = timescale << doublings
        while scale > 0 {
            let product =
                timescale.trailingZeroBitCount >= -doublings
                ? exactProduct(multiplier, doublings: doublings) : roundedProduct(multiplier, scale: scale)
            if let (value, isExact) = product {
                let flags = isExact ? flags : flags.union(.hasBeenRounded)
                return CMTime(value: value, timescale: scale, flags: flags, epoch: epoch)
            }
            (scale, doublings) = (scale / 2, doublings - 1)
        }
        return .infinity(negative: (value < 0) != (multiplier < 0))
    }

    /// Returns `value × multiplier × 2^doublings`, rounded once; `nil` if the result does not fit.
    private func exactProduct(_ multiplier: Double, doublings: Int) -> (value: Int64, isExact: Bool)? {
        if multiplier == 0 || value == 0 { return (0, true) }
        // multiplier = mantissa × 2^(exponent − 52), so the product with the value has at most 116 bits.
        let mantissa = Int128((multiplier.significand * 0x1p52) * (multiplier < 0 ? -1 : 1))
        let shift = Int(multiplier.exponent) - 52 + doublings
        let product = Int128(value) * mantissa
        if shift >= 0 {
            guard shift < 64, let value = Int64(exactly: product) else { return nil }
            let shifted = value.multipliedReportingOverflow(by: 1 << Int64(min(shift, 62)))
            return shift > 62 || shifted.overflow ? nil : (shifted.partialValue, true)
        }
        if shift < -118 { return (0, false) }
        let (rounded, isExact) = CMTimeRoundingMethod.default.quotient(product, by: 1 << Int128(-shift))
        return Int64(exactly: rounded).map { ($0, isExact) }
    }

    /// Returns the product on a scale that is not the old scale times a power of two; needed only near
    /// overflow.
    private func roundedProduct(_ multiplier: Double, scale: Int32) -> (value: Int64, isExact: Bool)? {
        let product = Double(value) * multiplier * (Double(scale) / Double(timescale))
        return Int64(exactly: product.rounded(.toNearestOrAwayFromZero)).map { ($0, false) }
    }

    /// Returns the product of a time that is not a number and a number of this sign.
    private func specialProduct(signOf sign: some SignedInteger) -> CMTime {
        switch kind {
        case .positiveInfinity: sign == 0 ? .invalid : .infinity(negative: sign < 0)
        case .negativeInfinity: sign == 0 ? .invalid : .infinity(negative: sign > 0)
        case .indefinite: .indefinite
        case .number, .invalid: .invalid
        }
    }
}
