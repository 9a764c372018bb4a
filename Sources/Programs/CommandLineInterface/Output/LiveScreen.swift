/// A block of lines that is redrawn in place over its previous frame.
///
/// A pure value; the caller writes the returned text to the terminal.
public struct LiveScreen: Sendable {
    private var drawnLines = 0

    /// Creates a block that is not on the terminal yet.
    public init() {}

    /// Returns the text that erases the block, so that permanent lines can follow.
    public mutating func erase() -> String {
        defer { drawnLines = 0 }
        return drawnLines == 0 ? "" : EscapeSequence.up(drawnLines) + EscapeSequence.clearToEndOfScreen
    }

    /// Returns the text that replaces the last frame with this one.
    ///
    /// - Parameter size: The terminal's size. Omits lines below the last row and cuts long lines, because
    ///   lines that scrolled or wrapped cannot be redrawn in place.
    public mutating func frame(_ lines: [String], size: Terminal.Size) -> String {
        let shown = lines.prefix(max(1, size.rows - 1)).map { DisplayWidth.cut($0, to: size.columns - 1) }
        let start = EscapeSequence.up(min(drawnLines, size.rows - 1))
        drawnLines = shown.count
        let body = shown.map { $0 + EscapeSequence.clearToEndOfLine + "\n" }.joined()
        return start + body + EscapeSequence.clearToEndOfScreen
    }
}
