import TuttiCommandLineInterface

/// Text of the house for a terminal.
enum SafeText {
    /// Returns a text without control characters, cut to a length that fits a sentence.
    static func line(_ text: String) -> String { DisplayWidth.cut(Printable.text(text), to: 120) }

    /// Returns JSON whose strings have control characters and others that could harm a terminal as escapes.
    static func json(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: needsEscape) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            // Such characters are within strings: between the tokens JSON allows spaces and line breaks only.
            if scalar == "\n" || scalar == "\r" || scalar == "\t" {
                result.append(" ")
            } else if needsEscape(scalar) {
                let digits = String(scalar.value, radix: 16)
                result.append(
                    contentsOf: ("\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits)
                        .unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x2028
            || scalar.value == 0x2029 || scalar.properties.isBidiControl
    }
}
