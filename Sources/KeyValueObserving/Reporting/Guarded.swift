import Foundation

/// A value that only one thread at a time can reach.
///
/// In place of `Synchronization.Mutex`, on whose uses the thread sanitizer reports races that are none.
final class Guarded<Value>: @unchecked Sendable {
    // Safe to share: the value is only reached with the lock held, and results must be sendable or values
    // that were made inside.

    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    /// Runs `body` with the value; it must not call foreign code.
    func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
        try lock.withLock { try body(&value) }
    }
}
