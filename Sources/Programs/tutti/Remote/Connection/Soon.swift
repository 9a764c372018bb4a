import TuttiSystemIO

/// Returns the value of a body; `nil` if the body takes longer than a person should wait.
///
/// The body then continues: it may wait for the system's resolver, which nothing can cancel.
func soon<Value: Sendable>(
    within limit: Duration, _ body: @escaping @Sendable () async -> Value
) async -> Value? {
    let (values, emit) = AsyncStream<Value?>.makeStream()
    Task { emit.yield(await body()) }
    let timer = Task {
        // Cancelled: nobody waits any more.
        await Task.pause(for: limit)
        emit.yield(nil)
    }
    defer { timer.cancel() }
    for await value in values { return value }
    return nil
}
