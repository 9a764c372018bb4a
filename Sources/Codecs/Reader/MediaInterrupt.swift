internal import CFFmpeg
import Synchronization

/// Ends the waiting of one ``MediaReader``, from any thread.
public final class MediaInterrupt: Sendable {
    private let cancelled = Atomic<Bool>(false)
    /// Microseconds of the library's monotonic clock.
    private let deadline = Atomic<Int64>(.max)
    private let listeners = Mutex(Listeners())
    /// Calls of the library so far, the context of the one that runs (an address, or 0), and how much its input had
    /// given before.
    private let calls = Atomic<Int>(0)
    private let context = Atomic<UInt>(0)
    private let bytesBefore = Atomic<Int64>(0)
    private let hasOverrun = Atomic<Bool>(false)

    /// Most bytes that one call of the library may read. A parser keeps all that it has read until it finds the end of
    /// a packet, and in sound that is none there is no end. A file whose index is at its end is read whole once, up
    /// to `WebLimits.skippedBytes`.
    static let readByteLimit: Int64 = 68 << 20

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
    var shouldStop: Bool { isCancelled || isOverdue || readsTooMuch }

    // MARK: How much is read

    /// A call of the library begins, on the thread that will read. The context lives until ``endCall()``.
    func beginCall(_ context: UnsafeMutablePointer<AVFormatContext>) {
        calls.add(1, ordering: .relaxed)
        hasOverrun.store(false, ordering: .relaxed)
        bytesBefore.store(context.pointee.pb?.pointee.bytes_read ?? 0, ordering: .relaxed)
        self.context.store(UInt(bitPattern: context), ordering: .relaxed)
    }

    func endCall() { context.store(0, ordering: .relaxed) }

    /// Differs from call to call.
    var callNumber: Int { calls.load(ordering: .relaxed) }

    /// An input of our own has given more than the limit in this call.
    func overrun() { hasOverrun.store(true, ordering: .relaxed) }

    /// Whether this call, or the last one, was ended because it read too much. Asked on the thread that reads.
    var readsTooMuch: Bool {
        if hasOverrun.load(ordering: .relaxed) { return true }
        let address = UnsafePointer<AVFormatContext>(bitPattern: context.load(ordering: .relaxed))
        guard let input = address?.pointee.pb else { return false }
        let count = input.pointee.bytes_read - bytesBefore.load(ordering: .relaxed)
        if count > Self.readByteLimit { overrun() }
        return count > Self.readByteLimit
    }
}
