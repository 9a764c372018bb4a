import Foundation
import Synchronization

/// Runs long computations on threads of their own, which keeps the tests' threads free.
package enum LongWork {
    private struct WorkQueue {
        var jobs: [@Sendable () -> Void] = []
        var idle = 2
    }

    private static let queue = Mutex(WorkQueue())

    /// Returns the result of `body`. The caller checks the result: `body`'s thread belongs to no test.
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let isNew = queue.withLock { queue in
                queue.jobs.append { continuation.resume(returning: body()) }
                guard queue.idle > 0 else { return false }
                queue.idle -= 1
                return true
            }
            if isNew { Thread { work() }.start() }
        }
    }

    private static func work() {
        while let job = next() { job() }
    }

    private static func next() -> (@Sendable () -> Void)? {
        queue.withLock { queue in
            if !queue.jobs.isEmpty { return queue.jobs.removeFirst() }
            queue.idle += 1
            return nil
        }
    }
}
