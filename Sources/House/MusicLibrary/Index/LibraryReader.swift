import Dispatch
import TuttiDatabase

/// The answers to queries, on a queue and connections of its own: a scan that writes does not delay them.
///
/// Also owns what users made: playlists and stations.
actor LibraryReader {
    private let executor = QueueExecutor(DispatchQueue(label: "tutti.library", qos: .userInitiated))
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// `nil` while the database is replaced, and where it cannot be opened.
    private var index: Database?
    private var own: Database?
    private let ownFailure: String?
    private let configuration: LibraryConfiguration
    private let onDamage: @Sendable () -> Void

    /// - Parameters:
    ///   - own: The database of own lists; a sentence if it cannot be opened.
    ///   - onDamage: Called when a query finds the index damaged.
    init(
        _ configuration: LibraryConfiguration, index: sending Database?,
        own: sending Result<Database, LibraryError>, onDamage: @escaping @Sendable () -> Void
    ) {
        (self.configuration, self.index, self.onDamage) = (configuration, index, onDamage)
        switch own {
        case .success(let database): (self.own, ownFailure) = (database, nil)
        case .failure(let error): (self.own, ownFailure) = (nil, error.description)
        }
    }

    /// The settings of the connection to the index.
    static let options = DatabaseOptions(cacheByteCount: 8 << 20)

    /// The library's folders.
    nonisolated var roots: [String] { configuration.roots }

    /// Closes the index, or opens it if it is closed. Called on another thread; waits for the running query.
    nonisolated func replaceIndex(isOpen: Bool) {
        executor.queue.sync {
            assumeIsolated { reader in
                guard isOpen else { return reader.index = nil }
                if reader.index != nil { return }
                // A failure is told by the scan, which opens the same file.
                reader.index = try? Database(
                    path: reader.configuration.databasePath, options: Self.options,
                    migrations: LibrarySchema.index)
            }
        }
    }

    /// Runs a query on the index.
    func onIndex<Value>(
        _ body: (Database) throws(DatabaseError) -> Value
    ) throws(LibraryError) -> Value {
        guard let index else {
            throw LibraryError(.unavailable, "The library cannot be read now. Try again in a minute.")
        }
        do throws(DatabaseError) {
            return try body(index)
        } catch {
            if error.kind == .corrupt { onDamage() }
            throw LibraryError(.unavailable, error.description)
        }
    }

    /// Runs a query or a change on own lists.
    func onOwn<Value>(
        _ body: (Database) throws(DatabaseError) -> Value
    ) throws(LibraryError) -> Value {
        guard let own else {
            throw LibraryError(.unavailable, ownFailure ?? "Own playlists and stations cannot be read.")
        }
        do throws(DatabaseError) { return try body(own) } catch {
            throw LibraryError(.unavailable, error.description)
        }
    }
}
