/// A parser for durations typed by users.
enum DurationText {
    /// - Returns: `nil` if the text is not a number, is negative, or exceeds ``limit``.
    static func parse(_ text: String) -> Duration? {
        let unit = text.reversed().prefix { $0.isLetter }.reversed()
        guard let secondsPerUnit = units[String(unit)] else { return nil }
        let digits = text.dropLast(unit.count)
        guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let number = Double(digits)
        else { return nil }
        let seconds = number * secondsPerUnit
        guard seconds.isFinite, seconds <= limit else { return nil }
        return .milliseconds(Int64((seconds * 1000).rounded()))
    }

    private static let units: [String: Double] = ["": 1, "s": 1, "ms": 0.001, "m": 60, "h": 3600]
    /// The longest duration, a year in seconds: far from any overflow.
    static let limit = 366.0 * 86_400
}
