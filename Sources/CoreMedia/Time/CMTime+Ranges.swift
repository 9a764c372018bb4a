/// The time nearest to `time` inside the range or at its end; invalid if either is.
@discardableResult
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
    guard time.kind != .invalid, range.isValid else { return .invalid }
    return max(range.start, min(time, range.end))
}

/// Moves `time` from its place in one range to the same place in another, along a straight line.
///
/// Times outside are moved along the same line. Invalid if a range is empty or not of numbers.
@discardableResult
public func CMTimeMapTimeFromRangeToRange(
    _ time: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange
) -> CMTime {
    let offset = time - fromRange.start
    return toRange.start + CMTimeMapDurationFromRangeToRange(offset, fromRange: fromRange, toRange: toRange)
}

/// Stretches `duration` as the second range stretches the first.
///
/// Invalid if a range is empty or not of numbers.
@discardableResult
public func CMTimeMapDurationFromRangeToRange(
    _ duration: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange
) -> CMTime {
    guard fromRange.isOfNumbers, toRange.isOfNumbers, !fromRange.isEmpty, !toRange.isEmpty else {
        return .invalid
    }
    return duration.scaled(by: toRange.duration, over: fromRange.duration)
}

/// Brings `time` into the range by adding or taking away whole lengths of it.
///
/// Invalid if the range is empty or not of numbers, or the time is not a number.
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
    /// This time × `multiplier` ⁄ `divisor`, both positive: exact where the fractions fit 128 bits.
    fileprivate func scaled(by multiplier: CMTime, over divisor: CMTime) -> CMTime {
        guard kind == .number else { return self }
        if multiplier == divisor { return self }
        // value ⁄ timescale × m ⁄ ms × ds ⁄ d, with everything common taken out first.
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

    /// The scale of this time if it can express what `scale` can, else that one.
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

    /// What is left of this time after taking `length` as often as it goes, at least zero.
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
