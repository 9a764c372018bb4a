/// How a time is rounded that its new timescale cannot express.
public enum CMTimeRoundingMethod: UInt32, Sendable {
    /// To the nearest value; a half goes away from zero.
    case roundHalfAwayFromZero = 1
    /// To the value nearer to zero.
    case roundTowardZero = 2
    /// To the value farther from zero.
    case roundAwayFromZero = 3
    /// Toward zero when going to a coarser scale, away from zero when going to a finer one; a negative
    /// time never becomes zero.
    case quickTime = 4
    /// To the larger value.
    case roundTowardPositiveInfinity = 5
    /// To the smaller value.
    case roundTowardNegativeInfinity = 6

    /// ``roundHalfAwayFromZero``.
    public static var `default`: CMTimeRoundingMethod { .roundHalfAwayFromZero }
}

extension CMTimeRoundingMethod {
    /// Rounds the fraction `numerator / denominator`, whose denominator is positive.
    ///
    /// ``quickTime`` depends on the two scales; its caller resolves it first.
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

/// A number of seconds as an exact fraction, on its way to a time of some scale.
struct ExactSeconds {
    /// At most 2⁹⁵, so that a scale can be multiplied in without overflow.
    var numerator: Int128
    /// Positive, at most 2⁶².
    var denominator: Int128

    /// The time of scale `timescale` nearest to these seconds; if its value does not fit, of half that
    /// scale, and so on down to one, and then infinity.
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
