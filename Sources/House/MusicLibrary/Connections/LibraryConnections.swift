import TuttiDatabase

/// The databases that queries read: the index, and what users made. Confined to the reader's queue.
final class LibraryConnections {
    /// The settings of the connection to the index.
    static let options = DatabaseOptions(cacheByteCount: 8 << 20)

    private let path: String
    /// `nil` while the database is replaced, and where it cannot be opened.
    private var index: Database?
    private let own: Database?
    private let ownFailure: String?
    private let onDamage: @Sendable () -> Void

    /// - Parameters:
    ///   - path: The path of the index.
    ///   - own: The database of own lists; a sentence if it cannot be opened.
    ///   - onDamage: Called when a query finds the index damaged.
    init(
        path: String, index: Database?, own: Result<Database, LibraryError>,
        onDamage: @escaping @Sendable () -> Void
    ) {
        (self.path, self.index, self.onDamage) = (path, index, onDamage)
        switch own {
        case .success(let database): (self.own, ownFailure) = (database, nil)
        case .failure(let error): (self.own, ownFailure) = (nil, error.description)
        }
    }

    /// Closes the index, or opens it if it is closed.
    func replaceIndex(isOpen: Bool) {
        guard isOpen else { return index = nil }
        if index != nil { return }
        // A failure is told by the scan, which opens the same file.
        index = try? Database(path: path, options: Self.options, migrations: LibrarySchema.index)
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
            throw LibraryError(.unavailable, ownFailure ?? "Your own playlists and stations cannot be read.")
        }
        do throws(DatabaseError) { return try body(own) } catch {
            throw LibraryError(.unavailable, error.description)
        }
    }
}
