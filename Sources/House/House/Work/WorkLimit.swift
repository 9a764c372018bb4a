/// Work that is waited for at most for a time.
enum WorkLimit {
    /// Waits for work, at most for a time.
    static func wait(
        _ limit: Duration, for work: @escaping @Sendable () async -> Void
    ) async {
        let (ends, emit) = AsyncStream<Void>.makeStream()
        let tasks = [
            Task {
                await work()
                emit.finish()
            },
            Task {
                // Ends early only when the work has ended.
                try? await Task.sleep(for: limit)
                emit.finish()
            },
        ]
        for await _ in ends {}
        tasks[1].cancel()
    }
}
