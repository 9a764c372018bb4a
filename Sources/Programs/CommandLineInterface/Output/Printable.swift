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

    /// Whether a text has no characters that nobody sees or types: control characters, and invisible ones
    /// that format others.
    public static func isTypable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { !isHarmful($0) && $0.properties.generalCategory != .format }
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }
}
