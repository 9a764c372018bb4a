/// Returns the time nearest to `time` in the range, its end included; invalid if either argument is.
@discardableResult
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
    guard time.kind != .invalid, range.isValid else { return .invalid }
    return max(range.start, min(time, range.end))
}

/// Maps `time` linearly from one range to another.
///
/// Times outside the range map along the same line. Invalid if a range is empty or not numeric.
@discardableResult
public func CMTimeMapTimeFromRangeToRange(
    _ time: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange
) -> CMTime {
    let offset = time - fromRange.start
    return toRange.start + CMTimeMapDurationFromRangeToRange(offset, fromRange: fromRange, toRange: toRange)
}

/// Scales `duration` by the length of the second range over the length of the first.
///
/// Invalid if a range is empty or not numeric.
@discardableResult
public func CMTimeMapDurationFromRangeToRange(
    _ duration: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange
) -> CMTime {
    guard fromRange.isOfNumbers, toRange.isOfNumbers, !fromRange.isEmpty, !toRange.isEmpty else {
        return .invalid
    }
    return duration.scaled(by: toRange.duration, over: fromRange.duration)
}

/// Folds `time` into the range by adding or subtracting whole lengths of the range.
///
/// Invalid if the range is empty or not numeric, or if the time is not a number.
@discardableResult
public func CMTimeFoldIntoRange(_ time: CMTime, foldRange: CMTimeRange) -> CMTime {
    guard time.kind == .number, foldRange.isOfNumbers, !foldRange.isEmpty else { return .invalid }
    let offset = time - foldRange.start
    guard offset.kind == .number else { return .invalid }
    return foldRange.start + offset.remainder(dividingBy: foldRange.duration)
}

extension CMTimeRange {
    fileprivate var isOfNumbers: Bool { isValid && start.kind == .number && duration.kind == .number }
}

extension CMTime {
    /// Returns this time × `multiplier` ⁄ `divisor`, both positive: exact if the fractions fit 128 bits.
    fileprivate func scaled(by multiplier: CMTime, over divisor: CMTime) -> CMTime {
        guard kind == .number else { return self }
        if multiplier == divisor { return self }
        // value ⁄ timescale × m ⁄ ms × ds ⁄ d, with common factors cancelled first.
        var numerators = [Int128(value), Int128(multiplier.value), Int128(divisor.timescale)]
        var denominators = [Int128(timescale), Int128(multiplier.timescale), Int128(divisor.value)]
        for n in numerators.indices {
            for d in denominators.indices {
                let common = Int128(
                    greatestCommonDivisor(numerators[n].magnitude, denominators[d].magnitude))
                guard common > 1 else { continue }
                numerators[n] /= common
                denominators[d] /= common
            }
        }
        guard let numerator = product(of: numerators, atMost: 1 << 95),
            let denominator = product(of: denominators, atMost: 1 << 62)
        else { return multiplied(by: multiplier.seconds / divisor.seconds) }
        let scale = Int32(min(denominator, Int128(kCMTimeMaxTimescale)))
        return ExactSeconds(numerator: numerator, denominator: denominator)
            .time(timescale: preferredScale(scale), epoch: epoch, wasRounded: hasBeenRounded)
    }

    /// Returns this time's scale if it can express what `scale` can, else `scale`.
    private func preferredScale(_ scale: Int32) -> Int32 { timescale % scale == 0 ? timescale : scale }

    private func product(of factors: [Int128], atMost limit: Int128) -> Int128? {
        var product: Int128 = 1
        for factor in factors {
            let (next, overflow) = product.multipliedReportingOverflow(by: factor)
            if overflow || next.magnitude > limit.magnitude { return nil }
            product = next
        }
        return product
    }

    /// Returns the nonnegative remainder of this time divided by `length`.
    fileprivate func remainder(dividingBy length: CMTime) -> CMTime {
        let divisor = greatestCommonDivisor(Int64(timescale), Int64(length.timescale))
        let commonScale = Int128(timescale) / Int128(divisor) * Int128(length.timescale)
        let whole = Int128(length.value) * (commonScale / Int128(length.timescale))
        var rest = Int128(value) * (commonScale / Int128(timescale)) % whole
        if rest < 0 { rest += whole }
        let scale = Int32(min(commonScale, Int128(kCMTimeMaxTimescale)))
        return ExactSeconds(numerator: rest, denominator: commonScale)
            .time(timescale: scale, epoch: 0, wasRounded: hasBeenRounded || length.hasBeenRounded)
    }
}
