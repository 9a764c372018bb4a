/// Tasks of one actor that wait until something changes.
struct Waiters {
    private var waiting: [CheckedContinuation<Void, Never>] = []

    mutating func add(_ continuation: CheckedContinuation<Void, Never>) { waiting.append(continuation) }

    /// Wakes every task; each looks itself whether it still has to wait.
    mutating func wake() {
        let all = waiting
        waiting = []
        for continuation in all { continuation.resume() }
    }
}
