import Foundation
import Synchronization

/// Work that takes long and waits for nothing, on threads of its own: those of the tests stay free.
public enum LongWork {
    private struct Lane {
        var jobs: [@Sendable () -> Void] = []
        var idle = 2
    }

    private static let lane = Mutex(Lane())

    /// Comes back with what `body` found. What it expects of a test, it says there: this thread knows of none.
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
