import Synchronization

/// A serial queue of route choices, carried out in the order of the calls.
final class RouteSelectionQueue: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)

    func inTurn<Failure: Error>(
        _ body: @escaping @Sendable () async throws(Failure) -> Void
    ) async throws(Failure) {
        let task = last.withLock { last in
            let before = last
            let task = Task { () -> Failure? in
                await before?.value
                do throws(Failure) { try await body() } catch { return error }
                return nil
            }
            last = Task { _ = await task.value }
            return task
        }
        if let failure = await task.value { throw failure }
    }
}
