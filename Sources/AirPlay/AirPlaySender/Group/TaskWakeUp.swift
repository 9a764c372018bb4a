import TuttiMediaTime
import TuttiSystemIO

/// One wake-up of an actor: setting it again or cancelling it voids the one before.
struct TaskWakeUp {
    private let machine: any Machine
    private(set) var time: HostTime?
    private var task: Task<Void, Never>?

    init(_ machine: any Machine) { self.machine = machine }

    mutating func set(at time: HostTime, _ action: @escaping @Sendable () async -> Void) {
        cancel()
        self.time = time
        task = Task { [machine] in
            await machine.pause(for: time.since(machine.now))
            if !Task.isCancelled { await action() }
        }
    }

    /// Sets the wake-up to a time that may be the one before; `nil` cancels it.
    mutating func follow(_ time: HostTime?, _ action: @escaping @Sendable () async -> Void) {
        guard time != self.time else { return }
        cancel()
        if let time { set(at: time, action) }
    }

    mutating func cancel() {
        task?.cancel()
        (time, task) = (nil, nil)
    }
}

/// Waits for all tasks, but not longer than `limit`.
func settle(_ tasks: [Task<Void, Never>], within limit: Duration, on machine: any Machine) async {
    let (isDone, done) = AsyncStream<Void>.makeStream()
    Task {
        for task in tasks { await task.value }
        done.finish()
    }
    let timer = Task {
        await machine.pause(for: limit)
        done.finish()
    }
    for await _ in isDone {}
    timer.cancel()
}
