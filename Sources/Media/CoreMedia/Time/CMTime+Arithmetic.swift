extension CMTime {
    /// Returns the sum, exact if a timescale can express it.
    ///
    /// The result's scale is the least common multiple of both scales, at most ``kCMTimeMaxTimescale``. If
    /// the value does not fit, the scale is halved until the value fits, else the result is infinity. The sum
    /// of opposite infinities, or of times in two epochs, is invalid.
    public static func + (left: CMTime, right: CMTime) -> CMTime {
        guard left.kind == .number, right.kind == .number else { return specialSum(left.kind, right.kind) }
        guard let epoch = commonEpoch(left.epoch, right.epoch) else { return .invalid }
        let wasRounded = left.hasBeenRounded || right.hasBeenRounded
        if left.timescale == right.timescale {
            let (sum, overflow) = left.value.addingReportingOverflow(right.value)
            if !overflow {
                let flags: CMTimeFlags = wasRounded ? [.valid, .hasBeenRounded] : .valid
                return CMTime(value: sum, timescale: left.timescale, flags: flags, epoch: epoch)
            }
        }
        return sum(left, right.value128, right.timescale, epoch: epoch, wasRounded: wasRounded)
    }

    /// Returns the difference, by the rules of addition.
    public static func - (left: CMTime, right: CMTime) -> CMTime {
        guard left.kind == .number, right.kind == .number else {
            return specialSum(left.kind, right.kind.negated)
        }
        guard let epoch = commonEpoch(left.epoch, right.epoch) else { return .invalid }
        let wasRounded = left.hasBeenRounded || right.hasBeenRounded
        if left.timescale == right.timescale {
            let (difference, overflow) = left.value.subtractingReportingOverflow(right.value)
            if !overflow {
                let flags: CMTimeFlags = wasRounded ? [.valid, .hasBeenRounded] : .valid
                return CMTime(value: difference, timescale: left.timescale, flags: flags, epoch: epoch)
            }
        }
        return sum(left, -right.value128, right.timescale, epoch: epoch, wasRounded: wasRounded)
    }

    private var value128: Int128 { Int128(value) }

    private static func sum(
        _ left: CMTime, _ rightValue: Int128, _ rightScale: Int32, epoch: CMTimeEpoch, wasRounded: Bool
    ) -> CMTime {
        let scale = Int32(min(commonScale(left.timescale, rightScale), Int128(kCMTimeMaxTimescale)))
        let exact = ExactSeconds(
            (left.value128, left.timescale), plus: (value: rightValue, timescale: rightScale))
        return exact.time(timescale: scale, epoch: epoch, wasRounded: wasRounded)
    }

    private static func specialSum(_ left: Kind, _ right: Kind) -> CMTime {
        switch (left, right) {
        case (.invalid, _), (_, .invalid): .invalid
        case (.positiveInfinity, .negativeInfinity), (.negativeInfinity, .positiveInfinity): .invalid
        case (.indefinite, _), (_, .indefinite): .indefinite
        case (.positiveInfinity, _), (_, .positiveInfinity): .positiveInfinity
        default: .negativeInfinity
        }
    }

    /// Returns the epoch of a sum or difference; `nil` for times of two timelines.
    private static func commonEpoch(_ left: CMTimeEpoch, _ right: CMTimeEpoch) -> CMTimeEpoch? {
        if left == right { return 0 }
        if left == 0 { return right }
        return right == 0 ? left : nil
    }
}

extension CMTime.Kind {
    fileprivate var negated: CMTime.Kind {
        switch self {
        case .positiveInfinity: .negativeInfinity
        case .negativeInfinity: .positiveInfinity
        case .number, .indefinite, .invalid: self
        }
    }
}
