/// A number of seconds as an exact fraction, before conversion to a timescale.
struct ExactSeconds {
    /// The numerator, at most 2⁹⁵, so that multiplication by a scale does not overflow.
    var numerator: Int128
    /// The denominator, positive and at most 2⁶².
    var denominator: Int128

    /// Returns the nearest time on the scale `timescale`. If the value does not fit, the scale is halved down
    /// to one, and then the time is infinity.
    func time(timescale: Int32, epoch: CMTimeEpoch, wasRounded: Bool) -> CMTime {
        var scale = timescale
        while scale > 0 {
            let (value, isExact) = CMTimeRoundingMethod.default.quotient(
                numerator * Int128(scale), by: denominator)
            if let value = Int64(exactly: value) {
                let flags: CMTimeFlags = isExact && !wasRounded ? .valid : [.valid, .hasBeenRounded]
                return CMTime(value: value, timescale: scale, flags: flags, epoch: epoch)
            }
            scale /= 2
        }
        return .infinity(negative: numerator < 0)
    }
}

extension ExactSeconds {
    /// The sum of two fractions with positive denominators below 2³¹.
    init(_ left: (value: Int128, timescale: Int32), plus right: (value: Int128, timescale: Int32)) {
        numerator = left.value * Int128(right.timescale) + right.value * Int128(left.timescale)
        denominator = Int128(left.timescale) * Int128(right.timescale)
    }

    /// A product of fractions, with common factors cancelled first; `nil` if the fraction is out of bounds.
    ///
    /// Every denominator must be positive.
    init?(productOf numerators: [Int128], over denominators: [Int128]) {
        var (numerators, denominators) = (numerators, denominators)
        for n in numerators.indices {
            for d in denominators.indices {
                let common = Int128(
                    greatestCommonDivisor(numerators[n].magnitude, denominators[d].magnitude))
                guard common > 1 else { continue }
                numerators[n] /= common
                denominators[d] /= common
            }
        }
        guard let numerator = Self.product(of: numerators, atMost: 1 << 95),
            let denominator = Self.product(of: denominators, atMost: 1 << 62)
        else { return nil }
        (self.numerator, self.denominator) = (numerator, denominator)
    }

    private static func product(of factors: [Int128], atMost limit: Int128) -> Int128? {
        var product: Int128 = 1
        for factor in factors {
            let (next, overflow) = product.multipliedReportingOverflow(by: factor)
            if overflow || next.magnitude > limit.magnitude { return nil }
            product = next
        }
        return product
    }

    /// The nonnegative remainder of a division of two times that are numbers; the divisor is positive.
    init(remainderOf time: CMTime, dividedBy length: CMTime) {
        denominator = commonScale(time.timescale, length.timescale)
        let whole = Int128(length.value) * (denominator / Int128(length.timescale))
        numerator = Int128(time.value) * (denominator / Int128(time.timescale)) % whole
        if numerator < 0 { numerator += whole }
    }
}

/// Returns the least common multiple of two timescales.
func commonScale(_ first: Int32, _ second: Int32) -> Int128 {
    Int128(first) / Int128(greatestCommonDivisor(first, second)) * Int128(second)
}

/// Returns the greatest common divisor; the other number if one of the two is zero.
func greatestCommonDivisor<Number: BinaryInteger>(_ first: Number, _ second: Number) -> Number {
    var (larger, smaller) = (first, second)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    return larger
}
