/// The importance of a message. The raw values are the priorities of syslog (RFC 5424, 6.2.1).
package enum LogLevel: Int, CaseIterable, Comparable, Sendable {
    /// Something does not work until a person acts.
    case error = 3
    /// Something is wrong; music continues.
    case warning = 4
    /// Actions of users, and troubles of rooms.
    case notice = 5
    /// The course of the work.
    case info = 6
    /// Details for finding mistakes, with addresses and device names.
    case debug = 7

    /// The word in the log and in the configuration.
    package var word: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .notice: "notice"
        case .info: "info"
        case .debug: "debug"
        }
    }

    /// Finds the level of a word.
    package init?(word: String) {
        guard let level = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = level
    }

    /// Orders by importance: `debug` is the least.
    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue > right.rawValue }
}
