extension CMTime {
    /// The time nearest to `seconds` on a scale of `preferredTimescale`.
    ///
    /// The rounded flag tells that ``seconds`` gives another number back. Where the value does not fit, the
    /// scale is halved until it does; too large for a scale of one is infinity. Not a number, or a scale
    /// that is not positive, is invalid.
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

    /// The time in seconds: not a number for invalid and indefinite times. The epoch is ignored.
    public var seconds: Double {
        switch kind {
        case .number: Double(value) / Double(timescale)
        case .positiveInfinity: .infinity
        case .negativeInfinity: -.infinity
        case .indefinite, .invalid: .nan
        }
    }

    /// The same time on another timescale, rounded by `method` where the scale cannot express it.
    ///
    /// A time that is not a number stays as it is. A scale that is not positive makes it invalid. A value
    /// that does not fit becomes infinity.
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
}
