import Dispatch
import TuttiDatabase

/// The answers to queries, on a queue and connections of its own: a scan that writes does not delay them.
///
/// Also changes what users made: playlists and stations.
actor LibraryReader {
    private let executor = QueueExecutor(DispatchQueue(label: "tutti.library", qos: .userInitiated))
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let queries: LibraryQueries

    /// - Parameters:
    ///   - own: The database of own lists; a sentence if it cannot be opened.
    ///   - onDamage: Called when a query finds the index damaged.
    init(
        _ configuration: LibraryConfiguration, index: sending Database?,
        own: sending Result<Database, LibraryError>, onDamage: @escaping @Sendable () -> Void
    ) {
        queries = LibraryQueries(
            LibraryConnections(path: configuration.databasePath, index: index, own: own, onDamage: onDamage),
            LibraryRoots(paths: configuration.roots))
    }

    /// Closes the index, or opens it if it is closed. Called on another thread; waits for the running query.
    nonisolated func replaceIndex(isOpen: Bool) {
        executor.queue.sync {
            assumeIsolated { reader in reader.queries.connections.replaceIndex(isOpen: isOpen) }
        }
    }

    /// Runs a query or a change; no other comes between its steps.
    func run<Value: Sendable, Failure: Error>(
        _ body: @Sendable (LibraryQueries) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(queries)
    }
}
