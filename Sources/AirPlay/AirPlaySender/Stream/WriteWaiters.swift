/// Tasks that wait until sound up to a frame has been written, or until they time out.
struct WriteWaiters {
    private var waiting: [Int: (frame: Int64, continuation: CheckedContinuation<Void, Never>)] = [:]
    private var nextToken = 0

    /// - Returns: A token for ``timeOut(_:)``.
    mutating func add(_ continuation: CheckedContinuation<Void, Never>, for frame: Int64) -> Int {
        defer { nextToken += 1 }
        waiting[nextToken] = (frame, continuation)
        return nextToken
    }

    /// Resumes the tasks that wait for a frame up to `end`, because everything before `end` has been written.
    mutating func resume(to end: Int64) {
        if waiting.isEmpty { return }
        for (token, waiter) in waiting where waiter.frame <= end {
            waiting[token] = nil
            waiter.continuation.resume()
        }
    }

    /// Resumes one task, which has timed out.
    mutating func timeOut(_ token: Int) { waiting.removeValue(forKey: token)?.continuation.resume() }
}
