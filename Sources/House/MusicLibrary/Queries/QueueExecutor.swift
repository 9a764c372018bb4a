import Dispatch

/// Runs an actor on a serial queue, so that its waits for the disk keep no thread from other tasks.
final class QueueExecutor: SerialExecutor {
    let queue: DispatchQueue

    /// - Parameter queue: A serial queue.
    init(_ queue: DispatchQueue) { self.queue = queue }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
