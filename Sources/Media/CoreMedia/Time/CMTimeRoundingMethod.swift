/// The rule for rounding a time that its new timescale cannot express.
public enum CMTimeRoundingMethod: UInt32, Sendable {
    /// Rounds to the nearest value, and a half away from zero.
    case roundHalfAwayFromZero = 1
    /// Rounds toward zero.
    case roundTowardZero = 2
    /// Rounds away from zero.
    case roundAwayFromZero = 3
    /// Rounds toward zero for a coarser scale and away from zero for a finer one; a negative time never
    /// becomes zero.
    case quickTime = 4
    /// Rounds to the larger value.
    case roundTowardPositiveInfinity = 5
    /// Rounds to the smaller value.
    case roundTowardNegativeInfinity = 6

    /// ``roundHalfAwayFromZero``.
    public static var `default`: CMTimeRoundingMethod { .roundHalfAwayFromZero }
}

extension CMTimeRoundingMethod {
    /// Rounds the fraction `numerator / denominator`; the denominator must be positive.
    ///
    /// The caller resolves ``quickTime`` first, because that method depends on the two scales.
    func quotient(_ numerator: Int128, by denominator: Int128) -> (value: Int128, isExact: Bool) {
        let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
        if remainder == 0 { return (quotient, true) }
        let isNegative = numerator < 0
        let goesAway =
            switch self {
            case .roundHalfAwayFromZero: remainder.magnitude >= denominator.magnitude - remainder.magnitude
            case .roundAwayFromZero: true
            case .roundTowardZero, .quickTime: false
            case .roundTowardPositiveInfinity: !isNegative
            case .roundTowardNegativeInfinity: isNegative
            }
        guard goesAway else { return (quotient, false) }
        return (isNegative ? quotient - 1 : quotient + 1, false)
    }
}
