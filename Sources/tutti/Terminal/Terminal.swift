import Glibc

/// Queries for the terminal behind a file descriptor.
enum Terminal {
    struct Size: Equatable, Sendable {
        let columns: Int
        let rows: Int
    }

    static func isTTY(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// - Returns: `nil` if there is no terminal, or the terminal does not report its size.
    static func size(_ descriptor: Int32) -> Size? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}

/// The escape sequences that the program writes. Source: ECMA-48.
enum EscapeSequence {
    static let clearToEndOfScreen = "\u{1B}[J"
    static let clearToEndOfLine = "\u{1B}[K"
    static let hideCursor = "\u{1B}[?25l"
    static let showCursor = "\u{1B}[?25h"

    /// Returns the sequence that moves the cursor up by `lines` and to the first column.
    static func up(_ lines: Int) -> String { lines > 0 ? "\u{1B}[\(lines)A\r" : "\r" }
}
