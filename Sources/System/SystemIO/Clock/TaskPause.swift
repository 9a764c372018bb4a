extension Task where Success == Never, Failure == Never {
    /// Sleeps for a time; returns early if the task is cancelled, the only error of a sleep. A loop around it checks
    /// for cancellation itself.
    package static func pause(for time: Duration) async { try? await Task.sleep(for: time) }
}
