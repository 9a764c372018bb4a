import Synchronization

/// Choices are carried out one after the other, in the order they were made.
final class RouteChoices: Sendable {
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
