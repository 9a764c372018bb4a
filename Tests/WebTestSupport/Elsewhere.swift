import Foundation

/// Runs what waits on a thread of its own, so that nothing that others need waits for it.
public func elsewhere<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result(catching: body)) }.start()
    }
}
