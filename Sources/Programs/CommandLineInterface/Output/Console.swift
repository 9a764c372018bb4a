import Glibc
import Synchronization

/// The look of this process's text: colours, and how much of it. Set once, before a command runs; any thread.
public enum Console {
    /// When text has colours.
    public enum Color: String, CaseIterable, Sendable {
        /// On a terminal that understands them, unless `NO_COLOR` is set.
        case auto
        case always, never
    }

    /// The options about the look.
    public struct Settings: Equatable, Sendable {
        /// When text has colours.
        public var color = Color.auto
        /// Whether hints and progress are left out.
        public var isQuiet = false

        /// The settings without options.
        public init() {}
    }

    private static let settings = Mutex(Settings())

    /// Sets the look.
    public static func set(_ settings: Settings) { self.settings.withLock { $0 = settings } }

    /// Whether hints and progress are left out.
    public static var isQuiet: Bool { settings.withLock { $0.isQuiet } }

    /// Whether standard output is a terminal on which lines can be redrawn in place.
    public static var isLive: Bool {
        !isQuiet && Terminal.isTTY(StandardStream.output.rawValue) && variable("TERM") != "dumb"
    }

    /// Whether the text of a stream has colours.
    public static func hasColor(_ stream: StandardStream) -> Bool {
        hasColor(stream, settings.withLock { $0.color })
    }

    static func hasColor(_ stream: StandardStream, _ color: Color) -> Bool {
        hasColor(
            color, isTerminal: Terminal.isTTY(stream.rawValue),
            noColor: variable("NO_COLOR"), term: variable("TERM"))
    }

    /// Source of the variable: no-color.org; it counts unless it is empty.
    static func hasColor(_ color: Color, isTerminal: Bool, noColor: String?, term: String?) -> Bool {
        switch color {
        case .always: true
        case .never: false
        case .auto: isTerminal && (noColor ?? "").isEmpty && term != "dumb"
        }
    }

    /// Returns a text with a colour where the stream has colours, else the text itself.
    public static func text(_ text: String, _ style: TextStyle, on stream: StandardStream = .output) -> String
    {
        hasColor(stream) ? style.applied(to: text) : text
    }

    // MARK: Messages on standard error

    /// Prints the reason why a command failed.
    ///
    /// - Parameter command: The words that start the command: `tutti play`.
    public static func error(_ command: String, _ text: String) { message(.error, command, text) }

    /// Prints something that is wrong while the command continues.
    public static func warning(_ command: String, _ text: String) { message(.warning, command, text) }

    /// Prints advice; nothing with `--quiet`.
    public static func hint(_ text: String) {
        if !isQuiet { StandardStream.error.line(prefix(.hint) + Printable.text(text)) }
    }

    /// The importance of a message. The raw values are the priorities of syslog (RFC 5424, 6.2.1).
    enum Importance: Int {
        case error = 3
        case warning = 4
        case hint = 6
    }

    private static func message(_ importance: Importance, _ command: String, _ text: String) {
        let hasColor = hasColor(.error)
        let isJournal = isJournal
        let lines = text.split(separator: "\n").map { line in
            self.line(
                importance, command, Printable.text(String(line)), hasColor: hasColor, isJournal: isJournal)
        }
        StandardStream.error.write(lines.joined())
    }

    static func line(
        _ importance: Importance, _ command: String, _ text: String, hasColor: Bool, isJournal: Bool
    ) -> String {
        if isJournal { return "<\(importance.rawValue)>\(command): \(text)\n" }
        let style: TextStyle = importance == .error ? .failure : .warning
        let kind = importance == .error ? "" : hasColor ? style.applied(to: "warning: ") : "warning: "
        let head = importance == .error && hasColor ? style.applied(to: command + ":") : command + ":"
        return "\(head) \(kind)\(text)\n"
    }

    private static func prefix(_ importance: Importance) -> String {
        isJournal ? "<\(importance.rawValue)>" : ""
    }

    private static var isJournal: Bool {
        JournalStream.isJournal(StandardStream.error.rawValue, variable: variable("JOURNAL_STREAM"))
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// A colour of text on a terminal. Source of the codes: ECMA-48, 8.3.117.
public struct TextStyle: Equatable, Sendable {
    let code: Int

    /// Headings, and what matters in a list.
    public static let heading = TextStyle(code: 1)
    /// Secondary text.
    public static let dim = TextStyle(code: 2)
    /// Success: green.
    public static let success = TextStyle(code: 32)
    /// Doubt: yellow.
    public static let warning = TextStyle(code: 33)
    /// Failure: red.
    public static let failure = TextStyle(code: 31)
    /// The part that was played already: cyan.
    public static let played = TextStyle(code: 36)

    /// Returns the text with the codes around it.
    public func applied(to text: String) -> String { "\u{1B}[\(code)m\(text)\u{1B}[0m" }
}

/// The connection from a service's standard error to systemd's journal.
public enum JournalStream {
    /// Returns whether a file descriptor is the journal's stream.
    ///
    /// - Parameter variable: The value of `JOURNAL_STREAM`: device and inode of the stream. Source: systemd.exec(5).
    public static func isJournal(_ descriptor: Int32, variable: String?) -> Bool {
        var status = stat()
        guard let variable, fstat(descriptor, &status) == 0 else { return false }
        return variable == "\(status.st_dev):\(status.st_ino)"
    }
}
