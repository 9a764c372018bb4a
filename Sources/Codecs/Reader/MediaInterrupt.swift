internal import CFFmpeg
import Synchronization

/// Ends the waiting of one ``MediaReader``, from any thread.
public final class MediaInterrupt: Sendable {
    private let cancelled = Atomic<Bool>(false)
    /// Microseconds of the library's monotonic clock.
    private let deadline = Atomic<Int64>(.max)

    public init() {}

    /// Every call of the reader, running or to come, ends with ``MediaError/cancelled``.
    public func cancel() { cancelled.store(true, ordering: .relaxed) }

    public var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    /// The next call may wait this long.
    func restart(limit: Duration) {
        let microseconds = max(0, limit.components.seconds) * 1_000_000
        deadline.store(av_gettime_relative() + microseconds, ordering: .relaxed)
    }

    var isOverdue: Bool { av_gettime_relative() > deadline.load(ordering: .relaxed) }

    /// What the library asks while it waits.
    var shouldStop: Bool { isCancelled || isOverdue }
}
