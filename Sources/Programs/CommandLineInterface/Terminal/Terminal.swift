import Glibc

/// Queries for the terminal behind a file descriptor.
public enum Terminal {
    /// The size of a terminal, in cells.
    public struct Size: Equatable, Sendable {
        /// Cells in a row.
        public let columns: Int
        /// The number of rows.
        public let rows: Int

        /// Creates a size.
        public init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
    }

    /// Returns whether a file descriptor is a terminal.
    public static func isTTY(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Returns the size of the terminal.
    ///
    /// - Returns: `nil` if there is no terminal, or the terminal does not report its size.
    public static func size(_ descriptor: Int32) -> Size? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}

/// The escape sequences that the program writes. Source: ECMA-48.
public enum EscapeSequence {
    /// Erases from the cursor to the end of the screen.
    public static let clearToEndOfScreen = "\u{1B}[J"
    /// Erases from the cursor to the end of the line.
    public static let clearToEndOfLine = "\u{1B}[K"
    /// Hides the cursor.
    public static let hideCursor = "\u{1B}[?25l"
    /// Shows the cursor.
    public static let showCursor = "\u{1B}[?25h"

    /// Returns the sequence that moves the cursor up by `lines` and to the first column.
    public static func up(_ lines: Int) -> String { lines > 0 ? "\u{1B}[\(lines)A\r" : "\r" }
}
