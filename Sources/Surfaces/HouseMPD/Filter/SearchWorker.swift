import Dispatch

/// The long computations over all songs: searches, sorting, grouping.
///
/// Runs on a thread of its own below the priority of playback, so that no client's search keeps a thread from
/// other tasks. Searches of several clients take turns, some songs at a time.
actor SearchWorker {
    /// The comparisons of a condition with a song that a search makes before another search has its turn: some
    /// milliseconds.
    static let stepSize = 1000

    private let executor = SearchExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Returns the places of the songs that meet a condition, in the order of the catalogue.
    ///
    /// - Parameter isWanted: Whether the client is still there; asked between steps.
    /// - Throws: If the client is gone.
    func songs(
        _ filter: SongFilter, in catalogue: SongCatalogue, isWanted: @Sendable () -> Bool
    ) async throws(CommandError) -> [Int] {
        var search = filter.search(catalogue)
        while !search.isDone {
            guard isWanted() else { throw CommandError.gone }
            search.step(max(1, Self.stepSize / search.conditionCount))
            if !search.isDone { await Task.yield() }
        }
        return search.found
    }

    /// Returns the places of the songs of a selection, in the wanted order.
    ///
    /// - Parameter isWanted: Whether the client is still there; asked between steps.
    /// - Throws: If the client is gone.
    func songs(
        _ selection: SongSelection, in catalogue: SongCatalogue, isWanted: @Sendable () -> Bool
    ) async throws(CommandError) -> [Int] {
        selection.arranged(try await songs(selection.filter, in: catalogue, isWanted: isWanted), catalogue)
    }

    /// Runs a computation.
    func run<Value: Sendable>(_ body: @Sendable () -> Value) -> Value { body() }
}

/// The thread of a ``SearchWorker``.
private final class SearchExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "tutti.mpd.search", qos: .utility)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
