/// For tests that change what belongs to the whole process: the current routes, the presenter, the shared
/// centers. Only one of them runs at a time, whatever suite it is in.
@MainActor
public enum WholeProcess {
    private static var isTaken = false
    private static var waiting: [CheckedContinuation<Void, Never>] = []

    /// Runs `body` when no other is running.
    public static func alone<Result: Sendable>(
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
