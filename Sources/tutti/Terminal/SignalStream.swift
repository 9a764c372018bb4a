import Glibc

/// Signals of the system as an asynchronous sequence.
enum SignalStream {
    /// The signals by which people and service managers ask a program to end.
    static let termination = [SIGINT, SIGTERM]
    /// The terminal has another size.
    static let resize = [SIGWINCH]

    /// From here on these signals no longer do what they do by themselves; each comes as its number.
    /// None is lost that arrives after this returns.
    ///
    /// When the last stream of a signal is let go, it does again what it does by itself.
    static func of(_ numbers: [Int32]) -> AsyncStream<Int32> {
        AsyncStream(bufferingPolicy: .bufferingNewest(bufferLimit)) { continuation in
            let listener = SignalHub.shared.add(numbers) { continuation.yield($0) }
            continuation.onTermination = { _ in SignalHub.shared.remove(listener) }
        }
    }

    /// Signals that wait for a slow reader; more of the same say nothing new.
    private static let bufferLimit = 8
}
