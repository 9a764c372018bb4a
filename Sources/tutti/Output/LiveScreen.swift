/// Lines that are drawn again in place, over what was drawn before.
///
/// A pure value; the text it answers goes to the terminal.
struct LiveScreen: Sendable {
    private var drawnLines = 0

    /// What to write to replace the last frame by this one.
    ///
    /// - Parameter size: of the terminal; lines below its last row are left out, and long lines cut,
    ///   because lines that scrolled or wrapped cannot be drawn over.
    mutating func frame(_ lines: [String], size: Terminal.Size) -> String {
        let shown = lines.prefix(max(1, size.rows - 1)).map { DisplayWidth.cut($0, to: size.columns - 1) }
        let start = EscapeSequence.up(min(drawnLines, size.rows - 1))
        drawnLines = shown.count
        let body = shown.map { $0 + EscapeSequence.clearToEndOfLine + "\n" }.joined()
        return start + body + EscapeSequence.clearToEndOfScreen
    }
}
