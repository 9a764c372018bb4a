/// The time at which a job of the house begins. Belongs to the house's actor.
final class HouseTimer {
    private let job: HouseJob
    private let tasks: HouseTasks
    private var task: Task<Void, Never>?

    init(_ job: HouseJob, _ tasks: HouseTasks) { (self.job, self.tasks) = (job, tasks) }

    /// Whether the job waits for its time, or has begun and did not set the time anew.
    var isSet: Bool { task != nil }

    /// Lets the job begin after some seconds, in place of the time that was set before; `nil` for never. When the house
    /// stops, no job begins.
    ///
    /// A job whose time has come is not stopped, so it looks itself whether something is due; and it calls this last,
    /// because its own task is the one that is cancelled.
    func set(after seconds: Double?) {
        task?.cancel()
        guard let seconds, !tasks.isStopping else { return task = nil }
        task = tasks.begin(job, after: .seconds(seconds))
    }
}
