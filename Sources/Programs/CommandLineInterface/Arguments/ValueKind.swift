/// The required form of an option's or positional's value.
public enum ValueKind: Equatable, Sendable {
    case text
    /// Any text, also none.
    case word
    /// A path; the shell completes file names.
    case file
    /// A duration: `90`, `1.5`, `90s`, `250ms`, `5m`, `1h`.
    case duration
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    case choice([String])

    /// Returns the reason why a value is invalid; `nil` if it is valid.
    func objection(to value: String) -> String? {
        switch self {
        case .word: nil
        case .text, .file: value.isEmpty ? "must not be empty" : nil
        case .duration: DurationText.parse(value) == nil ? "must be a time such as 10, 1.5s or 5m" : nil
        case .integer(let range):
            Int(value).map(range.contains) == true
                ? nil : "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range):
            Double(value).map(range.contains) == true
                ? nil
                : "must be a number from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))"
        case .choice(let choices):
            choices.contains(value) ? nil : "must be one of \(choices.joined(separator: ", "))"
        }
    }

    private static func text(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? String(number)
    }
}
