/// Tasks that wait until sound up to a frame has been written, or until they time out.
struct SentWaiters {
    private var waiting: [Int: (frame: Int64, continuation: CheckedContinuation<Void, Never>)] = [:]
    private var nextNumber = 0

    /// - Returns: A token for ``giveUp(_:)``.
    mutating func add(_ continuation: CheckedContinuation<Void, Never>, for frame: Int64) -> Int {
        defer { nextNumber += 1 }
        waiting[nextNumber] = (frame, continuation)
        return nextNumber
    }

    /// Resumes the tasks that wait for a frame up to `end`, because everything before `end` has been written.
    mutating func tell(of end: Int64) {
        if waiting.isEmpty { return }
        for (number, waiter) in waiting where waiter.frame <= end {
            waiting[number] = nil
            waiter.continuation.resume()
        }
    }

    mutating func giveUp(_ number: Int) { waiting.removeValue(forKey: number)?.continuation.resume() }
}
