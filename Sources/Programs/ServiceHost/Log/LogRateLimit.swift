import TuttiMediaTime

/// A limit on the messages of each kind: a burst in a window, then silence until the window ends.
struct LogRateLimit: Sendable {
    /// The handling of a message.
    enum Decision: Equatable {
        case write
        /// Drop the message; the end of its window tells of it.
        case drop
    }

    /// Messages that were dropped in a window that has ended.
    struct Surplus: Equatable {
        let kind: String
        let level: LogLevel
        let count: Int
    }

    private struct Window {
        let end: HostTime
        let level: LogLevel
        var written = 1
        var dropped = 0
    }

    private let burst: Int
    private let length: Duration
    private var windows: [String: Window] = [:]

    /// - Parameters:
    ///   - burst: Messages of a kind in a window.
    ///   - length: The length of a window; it begins with a message.
    init(burst: Int = 20, length: Duration = .seconds(10)) { (self.burst, self.length) = (burst, length) }

    /// Decides about a message; call ``takeEnded(at:)`` before.
    mutating func take(_ kind: String, _ level: LogLevel, at now: HostTime) -> Decision {
        guard var window = windows[kind] else {
            // Beyond the limit of kinds a message is not counted, and written.
            if windows.count < Self.kindLimit {
                windows[kind] = Window(end: now.advanced(by: length), level: level)
            }
            return .write
        }
        defer { windows[kind] = window }
        guard window.written < burst else {
            window.dropped += 1
            return .drop
        }
        window.written += 1
        return .write
    }

    /// Forgets the windows that have ended, and returns the dropped messages of them, sorted by kind.
    mutating func takeEnded(at now: HostTime) -> [Surplus] {
        guard windows.values.contains(where: { $0.end <= now }) else { return [] }
        let ended = windows.filter { $0.value.end <= now }
        for kind in ended.keys { windows[kind] = nil }
        return ended.sorted { $0.key < $1.key }.filter { $0.value.dropped > 0 }
            .map { Surplus(kind: $0.key, level: $0.value.level, count: $0.value.dropped) }
    }

    /// The end of the next window with dropped messages; `nil` if there is none.
    var deadline: HostTime? { windows.values.filter { $0.dropped > 0 }.map(\.end).min() }

    /// More kinds than places in the sources that write to the log.
    private static let kindLimit = 512
}
