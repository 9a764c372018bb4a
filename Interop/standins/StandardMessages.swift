import Synchronization
import TuttiCommandLineInterface
import TuttiDeviceManners

/// The lines of a stand-in, a JSON object each. Any thread.
enum StandardMessages {
    static func print(_ pairs: KeyValuePairs<String, JSONValue?>) {
        StandardStream.output.line(JSONLine(pairs).text)
    }

    static func complain(_ text: String) { StandardStream.error.line(text) }
}

/// Counts how often each manner was met, and prints it: each of the first times, then every hundredth.
final class MannerCounts: Sendable {
    private let counts = Mutex<[Manner: Int]>([:])

    private static let singleLimit = 20
    private static let step = 100

    func note(_ manner: Manner, _ what: String) {
        let count = counts.withLock { counts in
            counts[manner, default: 0] += 1
            return counts[manner, default: 0]
        }
        guard count <= Self.singleLimit || count.isMultiple(of: Self.step) else { return }
        StandardMessages.print([
            "event": "manner", "manner": .string(manner.rawValue), "what": .string(what),
            "count": .integer(count),
        ])
    }
}
