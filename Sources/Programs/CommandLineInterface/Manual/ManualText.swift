/// Text of man pages. Source of the macros: mdoc(7).
package enum ManualText {
    /// The date of all pages: a build does not depend on the day.
    package static let date = "November 26, 2026"

    private static let lineLimit = 78

    /// Characters that the formatter would change; the backslash first. Source: mandoc_char(7).
    private static let escapes = [
        ("\\", "\\e"), ("\"", "\\(dq"), ("'", "\\(aq"), ("~", "\\(ti"), ("-", "\\-"), ("`", "\\(ga"),
        ("^", "\\(ha"),
    ]

    /// Begins a line with each sentence, as mdoc wants it: the formatter then puts its space between them.
    package static func sentences(_ text: String) -> String {
        escaped(text).replacing(". ", with: ".\n").split(separator: "\n")
            .flatMap { WrappedText.lines(String($0), limit: lineLimit) }.map(line).joined(separator: "\n")
    }

    /// Returns a line or a part of one in which nothing has a meaning for the formatter.
    package static func escaped(_ text: String) -> String {
        line(escapes.reduce(text) { $0.replacing($1.0, with: $1.1) })
    }

    /// A full stop at its beginning would make a line a macro.
    private static func line(_ text: String) -> String { text.hasPrefix(".") ? "\\&" + text : text }
}
