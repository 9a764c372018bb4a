import Glibc
import Synchronization

/// Signals as an asynchronous sequence.
public enum SignalStream {
    /// The signals by which users and service managers ask a program to end.
    public static let termination = [SIGINT, SIGTERM]
    /// The signal for a changed terminal size.
    public static let resize = [SIGWINCH]

    /// Whether the user pressed Ctrl-C, or SIGINT arrived otherwise, while a stream of it existed.
    static var wasInterrupted: Bool { SignalHub.wasInterrupted.load(ordering: .relaxed) }

    /// Returns a stream of these signals and suppresses their default actions. No signal that arrives after
    /// the return is lost.
    ///
    /// The end of the last stream of a signal restores its default action.
    public static func of(_ numbers: [Int32]) -> AsyncStream<Int32> {
        AsyncStream(bufferingPolicy: .bufferingNewest(bufferLimit)) { continuation in
            let listener = SignalHub.shared.add(numbers) { continuation.yield($0) }
            continuation.onTermination = { _ in SignalHub.shared.remove(listener) }
        }
    }

    /// Runs tasks side by side until one of them returns `true` or a signal asks the program to end, and cancels the
    /// rest. Returns when all of them have ended.
    ///
    /// - Parameter tasks: Each returns whether the program ends with it.
    public static func runUntilTermination(_ tasks: @Sendable () async -> Bool...) async {
        await withTaskGroup(of: Bool.self) { group in
            for task in tasks { group.addTask(operation: task) }
            group.addTask {
                for await _ in of(termination) { return true }
                return true
            }
            for await isEnd in group where isEnd { break }
            group.cancelAll()
        }
    }

    /// The most signals that wait for a slow reader; repetitions carry no information.
    private static let bufferLimit = 8
}
