internal import CFFmpeg
import Synchronization

/// Ends the waiting of one ``MediaReader``, from any thread.
public final class MediaInterrupt: Sendable {
    private let cancelled = Atomic<Bool>(false)
    /// Microseconds of the library's monotonic clock.
    private let deadline = Atomic<Int64>(.max)
    private let listeners = Mutex(Listeners())

    private struct Listeners {
        var next = 0
        var handlers: [Int: @Sendable () -> Void] = [:]
    }

    public init() {}

    /// Every call of the reader, running or to come, ends with ``MediaError/cancelled``.
    public func cancel() {
        cancelled.store(true, ordering: .sequentiallyConsistent)
        for handler in listeners.withLock({ Array($0.handlers.values) }) { handler() }
    }

    public var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

    /// - Parameter handler: called at ``cancel()``, perhaps more than once, and now if that was already called.
    func onCancel(_ handler: @escaping @Sendable () -> Void) -> Int {
        let key = listeners.withLock { listeners in
            listeners.next += 1
            listeners.handlers[listeners.next] = handler
            return listeners.next
        }
        if isCancelled { handler() }
        return key
    }

    func forget(_ key: Int) { listeners.withLock { _ = $0.handlers.removeValue(forKey: key) } }

    /// The next call may wait this long.
    func restart(limit: Duration) {
        let microseconds = max(0, limit.components.seconds) * 1_000_000
        deadline.store(av_gettime_relative() + microseconds, ordering: .relaxed)
    }

    var isOverdue: Bool { av_gettime_relative() > deadline.load(ordering: .relaxed) }

    /// What the library asks while it waits.
    var shouldStop: Bool { isCancelled || isOverdue }
}
