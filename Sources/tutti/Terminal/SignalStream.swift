// Sources of Dispatch may be cancelled from any thread; the module does not say so to the compiler.
@preconcurrency import Dispatch
import Glibc

/// Signals of the system as an asynchronous sequence.
enum SignalStream {
    /// The signals by which people and service managers ask a program to end.
    static let termination = [SIGINT, SIGTERM]
    /// The terminal has another size.
    static let resize = [SIGWINCH]

    /// From here on these signals no longer do what they do by themselves; each comes as its number.
    ///
    /// When the stream is let go, they do again. One stream for each signal at a time.
    static func of(_ numbers: [Int32]) -> AsyncStream<Int32> {
        AsyncStream(bufferingPolicy: .bufferingNewest(bufferLimit)) { continuation in
            let queue = DispatchQueue(label: "tutti.signals")
            let sources = numbers.map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler { continuation.yield(number) }
                source.resume()
                return source
            }
            continuation.onTermination = { _ in
                for source in sources { source.cancel() }
                for number in numbers { signal(number, SIG_DFL) }
            }
        }
    }

    /// Signals that wait for a slow reader; more of the same say nothing new.
    private static let bufferLimit = 8
}
