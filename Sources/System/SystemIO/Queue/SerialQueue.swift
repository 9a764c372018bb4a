import Dispatch
import TuttiMediaTime

/// Runs blocks one after another: a dispatch queue of the system, or a queue in virtual time. Thread-safe.
public final class SerialQueue: Sendable {
    private enum Target: Sendable {
        case system(DispatchQueue)
        case virtual(any VirtualQueue)
    }

    private let target: Target

    /// Makes a dispatch queue.
    public init(label: String, qos: DispatchQoS = .unspecified) {
        target = .system(DispatchQueue(label: label, qos: qos))
    }

    /// Takes a program's own queue.
    package init(_ queue: DispatchQueue) { target = .system(queue) }

    /// Takes a queue in virtual time.
    package init(_ queue: any VirtualQueue) { target = .virtual(queue) }

    /// Runs `body` after what was given before.
    public func async(execute body: @escaping @Sendable () -> Void) {
        switch target {
        case .system(let queue): queue.async(execute: body)
        case .virtual(let queue): queue.run(body)
        }
    }

    /// Runs `body` once `delay` has passed.
    package func async(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        let delay = max(.zero, delay)
        switch target {
        case .system(let queue):
            queue.asyncAfter(
                deadline: .now() + .nanoseconds(Int(clamping: delay.wholeNanoseconds)), execute: body)
        case .virtual(let queue): queue.run(at: queue.now.advanced(by: delay), body)
        }
    }

    /// The system's queue; `nil` in virtual time. For tests, which suspend it.
    package var dispatchQueue: DispatchQueue? {
        if case .system(let queue) = target { queue } else { nil }
    }

    /// The time of the queue's machine.
    package var now: HostTime {
        switch target {
        case .system: SystemClock.now
        case .virtual(let queue): queue.now
        }
    }

    /// Makes a timer, which calls `body` on this queue.
    ///
    /// - Parameter leeway: The time by which a call may be late, so that it may share a wake-up with others.
    func makeTimer(leeway: Duration, _ body: @escaping @Sendable () -> Void) -> any QueueTimer {
        switch target {
        case .system(let queue): DispatchTimer(on: queue, leeway: leeway, body)
        case .virtual(let queue): queue.makeTimer(body)
        }
    }

    /// Runs `body` after what was given before, and waits for it. Not on this queue itself.
    public func sync<Value>(execute body: () throws -> Value) rethrows -> Value {
        switch target {
        case .system(let queue): return try queue.sync(execute: body)
        case .virtual(let queue): return try queue.runAndWait(body)
        }
    }

    /// Stops the program if the caller is not on this queue.
    package func assertCurrent() {
        switch target {
        case .system(let queue): dispatchPrecondition(condition: .onQueue(queue))
        case .virtual(let queue): precondition(queue.isCurrent, "on another queue")
        }
    }

    /// Stops the program if the caller is on this queue.
    package func assertNotCurrent() {
        switch target {
        case .system(let queue): dispatchPrecondition(condition: .notOnQueue(queue))
        case .virtual(let queue): precondition(!queue.isCurrent, "on this queue")
        }
    }
}
