extension CMTime {
    /// Creates the time nearest to `seconds` on the scale `preferredTimescale`.
    ///
    /// The rounded flag is set if ``seconds`` returns a different number. If the value does not fit, the
    /// scale is halved until the value fits; a value too large for a scale of one becomes infinity. NaN, or a
    /// scale that is not positive, gives an invalid time.
    public init(seconds: Double, preferredTimescale: CMTimeScale) {
        guard !seconds.isNaN, preferredTimescale > 0 else {
            self = .invalid
            return
        }
        var scale = preferredTimescale
        while scale > 0 {
            let value = (seconds * Double(scale)).rounded(.toNearestOrAwayFromZero)
            if let value = Int64(exactly: value) {
                let isExact = Double(value) / Double(scale) == seconds
                let flags: CMTimeFlags = isExact ? .valid : [.valid, .hasBeenRounded]
                self.init(value: value, timescale: scale, flags: flags, epoch: 0)
                return
            }
            scale /= 2
        }
        self = .infinity(negative: seconds < 0)
    }

    /// The time in seconds; NaN for invalid and indefinite times. The epoch is ignored.
    public var seconds: Double {
        switch kind {
        case .number: Double(value) / Double(timescale)
        case .positiveInfinity: .infinity
        case .negativeInfinity: -.infinity
        case .indefinite, .invalid: .nan
        }
    }

    /// Returns the same time on another timescale, rounded by `method` if the scale cannot express the time.
    ///
    /// Returns a time that is not a number unchanged. The result is invalid if the scale is not positive, and
    /// infinity if the value does not fit.
    public func convertScale(_ newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
        guard kind == .number else { return self }
        guard newTimescale > 0 else { return .invalid }
        if newTimescale == timescale { return self }
        let scaled = Int128(value) * Int128(newTimescale)
        let isFiner = newTimescale > timescale
        let resolved = method == .quickTime ? (isFiner ? .roundAwayFromZero : .roundTowardZero) : method
        var (newValue, isExact) = resolved.quotient(scaled, by: Int128(timescale))
        if method == .quickTime, newValue == 0, value < 0 { newValue = -1 }
        guard let fitting = Int64(exactly: newValue) else { return .infinity(negative: value < 0) }
        let flags = isExact ? flags : flags.union(.hasBeenRounded)
        return CMTime(value: fitting, timescale: newTimescale, flags: flags, epoch: epoch)
    }

    /// The time in whole nanoseconds; `nil` if the time is not a number or does not fit.
    package var nanoseconds: Int64? {
        guard kind == .number else { return nil }
        let converted = convertScale(nanosecondScale, method: .default)
        return converted.kind == .number ? converted.value : nil
    }

    /// Creates a time from nanoseconds.
    package init(nanoseconds: Int64) { self.init(value: nanoseconds, timescale: nanosecondScale) }
}
