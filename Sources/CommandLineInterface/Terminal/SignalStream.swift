import Glibc

/// Signals as an asynchronous sequence.
public enum SignalStream {
    /// The signals by which users and service managers ask a program to end.
    public static let termination = [SIGINT, SIGTERM]
    /// The signal for a changed terminal size.
    public static let resize = [SIGWINCH]

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

    /// The most signals that wait for a slow reader; repetitions carry no information.
    private static let bufferLimit = 8
}
