extension CMTime {
    /// The kind of a time, in the order in which times compare.
    enum Kind: Int {
        case negativeInfinity, number, indefinite, positiveInfinity, invalid
    }

    /// The kind of this time; a number with a timescale of zero or less counts as invalid.
    var kind: Kind {
        guard flags.contains(.valid) else { return .invalid }
        if flags.isDisjoint(with: .impliedValueFlagsMask) { return timescale > 0 ? .number : .invalid }
        if flags.contains(.positiveInfinity) { return .positiveInfinity }
        return flags.contains(.negativeInfinity) ? .negativeInfinity : .indefinite
    }

    static func infinity(negative: Bool) -> CMTime { negative ? .negativeInfinity : .positiveInfinity }
}

extension CMTime: Comparable, Hashable {
    /// Returns whether two times are equal: 1/2 and 500/1000 are, and so are all invalid times.
    public static func == (left: CMTime, right: CMTime) -> Bool { order(left, right) == 0 }

    /// Orders times: −∞, then numbers, indefinite, +∞ and invalid. Lower epochs come first.
    public static func < (left: CMTime, right: CMTime) -> Bool { order(left, right) < 0 }

    /// Returns −1, 0 or 1 if `left` is before, at or after `right`.
    static func order(_ left: CMTime, _ right: CMTime) -> Int32 {
        let (leftKind, rightKind) = (left.kind, right.kind)
        guard leftKind == .number, rightKind == .number else {
            return sign(of: leftKind.rawValue, against: rightKind.rawValue)
        }
        if left.epoch != right.epoch { return sign(of: left.epoch, against: right.epoch) }
        if left.timescale == right.timescale { return sign(of: left.value, against: right.value) }
        return sign(
            of: Int128(left.value) * Int128(right.timescale),
            against: Int128(right.value) * Int128(left.timescale))
    }

    private static func sign<Number: Comparable>(of left: Number, against right: Number) -> Int32 {
        left < right ? -1 : (left == right ? 0 : 1)
    }

    /// Hashes what equality compares: the fraction in lowest terms with its epoch, or the kind of time.
    public func hash(into hasher: inout Hasher) {
        let kind = kind
        hasher.combine(kind.rawValue)
        guard kind == .number else { return }
        let divisor = greatestCommonDivisor(value.magnitude, UInt64(timescale))
        hasher.combine(value < 0)
        hasher.combine(value.magnitude / divisor)
        hasher.combine(UInt64(timescale) / divisor)
        hasher.combine(epoch)
    }
}
