/// A filter that makes text from other devices safe for a terminal.
public enum Printable {
    /// Replaces control characters, which could move the cursor or start an escape sequence, and
    /// bidirectional controls with `?`.
    public static func text(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { safe.append(isHarmful(scalar) ? "?" : scalar) }
        return String(safe)
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }
}
