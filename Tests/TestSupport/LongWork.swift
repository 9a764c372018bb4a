import Foundation
import Synchronization

/// Runs long computations on threads of their own, which keeps the tests' threads free.
public enum LongWork {
    private struct Lane {
        var jobs: [@Sendable () -> Void] = []
        var idle = 2
    }

    private static let lane = Mutex(Lane())

    /// Returns the result of `body`. The caller checks the result: `body`'s thread belongs to no test.
    public static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let isNew = lane.withLock { lane in
                lane.jobs.append { continuation.resume(returning: body()) }
                guard lane.idle > 0 else { return false }
                lane.idle -= 1
                return true
            }
            if isNew { Thread { work() }.start() }
        }
    }

    private static func work() {
        while let job = next() { job() }
    }

    private static func next() -> (@Sendable () -> Void)? {
        lane.withLock { lane in
            if !lane.jobs.isEmpty { return lane.jobs.removeFirst() }
            lane.idle += 1
            return nil
        }
    }
}
