import Synchronization

/// A serial queue of route choices, carried out in the order of the calls.
final class RouteSelectionQueue: Sendable {
    private let last = Mutex<Task<RouteError?, Never>?>(nil)

    func inTurn(_ body: @escaping @Sendable () async -> RouteError?) async -> RouteError? {
        let task = last.withLock { last in
            let before = last
            let task = Task {
                _ = await before?.value
                return await body()
            }
            last = task
            return task
        }
        return await task.value
    }
}
