import Synchronization

/// A serial queue of route choices, carried out in the order of the calls.
final class RouteSelectionQueue: Sendable {
    private let last = Mutex<Task<RouteError?, Never>?>(nil)

    func inTurn(
        _ body: @escaping @Sendable () async throws(RouteError) -> Void
    ) async throws(RouteError) {
        if let failure = await carryOut(body) { throw failure }
    }

    /// Carries out a choice that cannot fail, after the earlier ones.
    func afterEarlier(_ body: @escaping @Sendable () async -> Void) async {
        _ = await carryOut { () async throws(RouteError) in await body() }
    }

    private func carryOut(_ body: @escaping @Sendable () async throws(RouteError) -> Void) async
        -> RouteError?
    {
        let task = last.withLock { last in
            let before = last
            let task = Task { () -> RouteError? in
                _ = await before?.value
                do throws(RouteError) { try await body() } catch { return error }
                return nil
            }
            last = task
            return task
        }
        return await task.value
    }
}
