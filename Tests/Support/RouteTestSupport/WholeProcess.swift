/// Serializes tests that change process-wide state: the current routes, the presenter, the shared
/// centers. Only one of them runs at a time, across all suites.
@MainActor
package enum WholeProcess {
    private static var isTaken = false
    private static var waiting: [CheckedContinuation<Void, Never>] = []

    /// Runs `body` when no other such test runs.
    package static func alone<Result: Sendable>(
        _ body: @MainActor () async throws -> Result
    ) async rethrows -> Result {
        if isTaken { await withCheckedContinuation { waiting.append($0) } }
        isTaken = true
        defer {
            if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
        }
        return try await body()
    }
}
