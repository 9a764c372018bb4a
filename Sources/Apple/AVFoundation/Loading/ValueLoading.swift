/// The loading of an object's values, once for all callers. Any thread.
protocol ValueLoading: Sendable {
    /// The state of the loading, which reading the state does not start.
    var loadingState: LoadingState { get }
    /// Loads the values unless they are there, and returns when they are. Cancelling the task throws
    /// `CancellationError` and leaves the loading running.
    func waitUntilLoaded() async throws
}

/// The state of a ``ValueLoading``.
enum LoadingState {
    case idle
    case loading
    case loaded
    case failed(any Error)
}
