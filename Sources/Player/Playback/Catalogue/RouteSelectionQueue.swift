import Synchronization

/// A serial queue of route choices, carried out in the order of the calls.
final class RouteSelectionQueue: Sendable {
    private let last = Mutex<Task<RouteError?, Never>?>(nil)

    func inTurn(
        _ body: @escaping @Sendable () async throws(RouteError) -> Void
    ) async throws(RouteError) {
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
        if let failure = await task.value { throw failure }
    }
}
