/// A filter that makes text from users and other devices safe for a terminal.
enum SafeText {
    /// Replaces control characters, which could move the cursor or start an escape sequence, and
    /// bidirectional controls with `?`; cuts the text at `limit` characters.
    static func text(_ text: some StringProtocol, limit: Int = 80) -> String {
        var safe = String.UnicodeScalarView()
        // A single character may carry any number of combining marks.
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
