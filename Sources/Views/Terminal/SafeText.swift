/// Text of other machines and of users, made safe for a terminal.
enum SafeText {
    /// Control characters, which could move the cursor or start an escape sequence, and characters that
    /// reverse the line become `?`; what is longer than `limit` characters is cut.
    static func text(_ text: some StringProtocol, limit: Int = 80) -> String {
        var safe = String.UnicodeScalarView()
        // A single character may have any number of marks.
        for scalar in text.unicodeScalars.prefix(limit * 4) { safe.append(isHarmful(scalar) ? "?" : scalar) }
        return String(String(safe).prefix(limit))
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }
}
