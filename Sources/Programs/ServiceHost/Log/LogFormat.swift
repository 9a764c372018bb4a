import Glibc
import TuttiCommandLineInterface

/// The form of a log's lines.
package enum LogFormat: Hashable, Sendable {
    /// For the journal, which has the time itself: `<4>message`. Source: sd-daemon(3).
    case journal
    /// For a terminal or a file: `2026-11-25T18:00:00.123Z warning message`.
    case dated

    /// Returns the form for a file descriptor: ``journal`` if the descriptor is the journal's stream.
    ///
    /// - Parameter journalStream: The variable `JOURNAL_STREAM`: device and inode of the stream. Source: systemd.exec(5).
    package static func of(_ descriptor: Int32, journalStream: String?) -> LogFormat {
        JournalStream.isJournal(descriptor, variable: journalStream) ? .journal : .dated
    }

    /// Returns one line with its end: control characters become printable, and long messages are cut.
    ///
    /// - Parameter time: Unix time.
    func line(_ level: LogLevel, _ message: String, at time: WallTime) -> String {
        let text = Printable.text(Self.cut(message))
        switch self {
        case .journal: return "<\(level.rawValue)>\(text)\n"
        case .dated: return "\(time) \(level.word) \(text)\n"
        }
    }

    /// Cuts by scalars: a character can have any number of them.
    private static func cut(_ message: String) -> String {
        let scalars = message.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: lengthLimit, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return message }
        return String(scalars[..<scalars.index(before: end)]) + "…"
    }

    /// The journal and terminals show longer lines badly, and a line must not fill the queue.
    static let lengthLimit = 2000
}

/// A time of the wall clock, for people. Nothing is computed from it.
struct WallTime: Hashable, Sendable, CustomStringConvertible {
    /// Milliseconds since 1970.
    let milliseconds: Int64

    static var now: WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The time in UTC in the form of ISO 8601, with milliseconds.
    var description: String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil else { return "?" }
        let date = [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)].map(Self.two)
        let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { Self.two(Int($0)) }
        let fraction = String(milliseconds % 1000 + 1000).dropFirst()
        return date.joined(separator: "-") + "T" + time.joined(separator: ":") + ".\(fraction)Z"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
