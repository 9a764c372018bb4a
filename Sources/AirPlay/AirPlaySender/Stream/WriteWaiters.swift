import TuttiMediaTime

/// Tasks that wait until sound up to a frame has been written, or until they time out. Each is told for how long
/// the connection took no sound before it was written.
struct WriteWaiters {
    private struct Waiter {
        let frame: Int64
        let continuation: CheckedContinuation<Duration, Never>
        /// The total of all blockages when the wait began.
        let blocked: Duration
    }

    var blockage = SendBlockage()
    private var waiting: [Int: Waiter] = [:]
    private var nextToken = 0

    /// - Returns: A token for ``timeOut(_:)``.
    mutating func add(_ continuation: CheckedContinuation<Duration, Never>, for frame: Int64) -> Int {
        defer { nextToken += 1 }
        waiting[nextToken] = Waiter(frame: frame, continuation: continuation, blocked: blockage.total)
        return nextToken
    }

    /// Resumes the tasks that wait for a frame up to `end`, because everything before `end` has been written.
    mutating func resume(to end: Int64) {
        if waiting.isEmpty { return }
        for (token, waiter) in waiting where waiter.frame <= end {
            waiting[token] = nil
            waiter.continuation.resume(returning: blockage.total - waiter.blocked)
        }
    }

    /// Resumes one task, which has timed out. It is told of no time: the speaker is away, or lost packets are being repeated,
    /// and neither holds up requests by as much.
    mutating func timeOut(_ token: Int) {
        waiting.removeValue(forKey: token)?.continuation.resume(returning: .zero)
    }
}
