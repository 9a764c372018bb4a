/// A first-in, first-out lock for the tasks of one actor, held across several awaits.
struct FIFOLock {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Acquires the lock if it is free. If `false`, the caller has to call ``wait(_:)`` without an await in between.
    mutating func tryAcquire() -> Bool {
        guard isTaken else {
            isTaken = true
            return true
        }
        return false
    }

    /// Queues a continuation, which is resumed when it has the lock.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) { waiting.append(continuation) }

    /// Releases the lock to the next waiter.
    mutating func release() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
