import Foundation

/// A value behind a lock.
///
/// Replaces `Synchronization.Mutex`, for which the thread sanitizer reports false races.
final class Guarded<Value>: @unchecked Sendable {
    // Safe to share: the value is touched only with the lock held; results must be Sendable or created
    // inside.

    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    /// Runs `body` with the value. `body` must not call foreign code.
    func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
        try lock.withLock { try body(&value) }
    }
}
