import Glibc
import Synchronization
import TuttiSystemIO

/// The single entry point for signals: a handler writes each number into a pipe, and a queue reads the pipe.
///
/// Uses its own handler instead of a Dispatch source, because a source becomes active some time after its
/// creation, and earlier signals are lost.
final class SignalHub: Sendable {
    static let shared = SignalHub()

    private struct State {
        var listeners: [Int: (numbers: [Int32], deliver: @Sendable (Int32) -> Void)] = [:]
        var nextListener = 0
        var reading: ReadinessSource?
    }

    private let state = Mutex(State())
    private let readEnd: Int32

    /// Whether SIGINT has arrived.
    static let wasInterrupted = Atomic<Bool>(false)

    /// The pipe's write end for the handler; −1 before the pipe exists.
    fileprivate static let writeEnd = Atomic<Int32>(-1)

    private init() {
        var ends: [Int32] = [-1, -1]
        // Without a pipe the signals keep their default actions.
        if pipe(&ends) == 0 {
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
        }
        readEnd = ends[0]
        Self.writeEnd.store(ends[1], ordering: .releasing)
    }

    /// Starts handling these signals.
    ///
    /// - Parameter deliver: Runs on a queue with the number of each signal.
    /// - Returns: A key for ``remove(_:)``.
    func add(_ numbers: [Int32], deliver: @escaping @Sendable (Int32) -> Void) -> Int {
        state.withLock { state in
            startReading(&state)
            state.nextListener += 1
            state.listeners[state.nextListener] = (numbers, deliver)
            if readEnd >= 0 { for number in numbers { Self.install(signalArrived, for: number) } }
            return state.nextListener
        }
    }

    /// Restores the default action of signals without another listener.
    func remove(_ listener: Int) {
        state.withLock { state in
            guard let removed = state.listeners.removeValue(forKey: listener) else { return }
            let wanted = state.listeners.values.flatMap(\.numbers)
            for number in removed.numbers where !wanted.contains(number) { signal(number, SIG_DFL) }
        }
    }

    private func startReading(_ state: inout State) {
        guard state.reading == nil, readEnd >= 0 else { return }
        let queue = SerialQueue(label: "tutti.signals")
        // Without a free descriptor nothing is delivered until the next listener comes.
        state.reading = try? ReadinessSource(readable: readEnd, on: queue) { [self] in deliverAll() }
        state.reading?.arm()
    }

    private func deliverAll() {
        var byte: UInt8 = 0
        while read(readEnd, &byte, 1) == 1 {
            let number = Int32(byte)
            if number == SIGINT { Self.wasInterrupted.store(true, ordering: .relaxed) }
            let listeners = state.withLock { Array($0.listeners.values) }
            for listener in listeners where listener.numbers.contains(number) { listener.deliver(number) }
        }
    }

    private static func install(_ handler: @escaping @convention(c) (Int32) -> Void, for number: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        action.sa_flags = SA_RESTART
        sigaction(number, &action, nil)
    }
}

/// Writes the signal's number into the pipe; async-signal-safe. A full pipe drops the signal, because enough
/// signals are pending already.
private func signalArrived(_ number: Int32) {
    let earlier = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(SignalHub.writeEnd.load(ordering: .acquiring), &byte, 1)
    errno = earlier
}
