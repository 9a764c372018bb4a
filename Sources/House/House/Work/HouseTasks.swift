import Synchronization

/// The tasks of a house's parts, which come back into the house's actor and do not keep it alive. Any thread.
final class HouseTasks: Sendable {
    private struct State {
        weak var house: (any HouseJobRunning)?
        var isStopping = false
    }

    private let state = Mutex(State())

    /// Sets the house in which jobs are carried out.
    func connect(to house: any HouseJobRunning) { state.withLock { $0.house = house } }

    // MARK: Stopping

    /// Whether the house stops. A job that is on its way then must find out.
    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Notes that the house stops.
    ///
    /// - Returns: `false` if it was noted before.
    func stop() -> Bool {
        state.withLock { state in
            defer { state.isStopping = true }
            return !state.isStopping
        }
    }

    // MARK: Jobs

    /// Carries out a job, if the house is still there.
    func run(_ job: HouseJob) async {
        let house = state.withLock { $0.house }
        await house?.run(job)
    }

    /// Carries out jobs at the same time, and returns when all are over. Cancelling the task cancels them.
    func runTogether(_ jobs: [HouseJob]) async {
        await withTaskGroup(of: Void.self) { group in
            for job in jobs { group.addTask { await self.run(job) } }
        }
    }

    /// Begins a job in a task of its own.
    @discardableResult
    func begin(_ job: HouseJob) -> Task<Void, Never> {
        Task { await self.run(job) }
    }

    /// Begins a job after a time, unless the task is cancelled before.
    func begin(_ job: HouseJob, after time: Duration) -> Task<Void, Never> {
        Task {
            do { try await Task.sleep(for: time) } catch { return }
            await self.run(job)
        }
    }
}
