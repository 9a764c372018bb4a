import Synchronization
import TuttiMusicLibrary
import TuttiSystemIO

/// The catalogue in use: read when a client first needs it, again when the library has changed, and let go
/// some minutes after its last use.
actor CatalogueCache {
    /// The time without a use after which the memory is given back.
    static let lifetime = Duration.seconds(600)
    /// The least time between two readings while folders are being scanned, which changes the library all the
    /// time.
    private static let scanPause = Duration.seconds(5)
    private static let pageSize = 2000

    private let library: any LibraryAccess
    private let worker: SearchWorker
    private let now: @Sendable () -> Double
    private var loaded: Loaded?
    /// The check and the reading that all callers join. Cleared by the task itself.
    private var refreshing: Task<Result<Loaded, LibraryError>, Never>?
    /// The Unix time of the last change of the songs, in seconds, and the digest of the songs then.
    private var change: (time: Int64, digest: Int)?
    private var lastUse = ContinuousClock.now
    private var sweeper: Task<Void, Never>?
    /// The number of changes of the library. ``Loaded/generation`` is the number before the last look at it.
    private nonisolated let generation = Atomic(0)
    private nonisolated let isScanning = Atomic(false)
    /// The last catalogue, for answers that must not wait.
    private nonisolated let last = Mutex<SongCatalogue?>(nil)

    private struct Loaded: Sendable {
        let catalogue: SongCatalogue
        let digest: Int
        let version: Int64
        let time: ContinuousClock.Instant
        /// Contains all changes of the library up to this number.
        var generation: Int
    }

    /// - Parameter now: Unix time in seconds.
    init(_ library: any LibraryAccess, _ worker: SearchWorker, now: @escaping @Sendable () -> Double) {
        (self.library, self.worker, self.now) = (library, worker, now)
    }

    /// Notes a change of the library. Any thread.
    nonisolated func libraryDidChange(isScanning: Bool) {
        self.isScanning.store(isScanning, ordering: .relaxed)
        generation.add(1, ordering: .releasing)
    }

    /// The catalogue that was read last; `nil` if none is in memory.
    nonisolated var current: SongCatalogue? { last.withLock { $0 } }

    /// The Unix time at which the songs changed last, in seconds: at first that of the newest file, later the
    /// time at which a change was found. `nil` before the first reading, and for a library that was always
    /// empty.
    var lastUpdate: Int64? { change?.time }

    /// Returns the songs as the library has them now: with all changes told before the call, except that
    /// readings during a scan keep some seconds apart.
    func catalogue() async throws(LibraryError) -> SongCatalogue {
        lastUse = .now
        let wanted = generation.load(ordering: .acquiring)
        while true {
            if let loaded, isFresh(loaded, wanted) { return loaded.catalogue }
            let task = refreshing ?? startRefreshing()
            // A task that began before the last change may have missed it; the next one has not.
            let result = try await task.value.get()
            if result.generation >= wanted { return result.catalogue }
        }
    }

    private func isFresh(_ loaded: Loaded, _ wanted: Int) -> Bool {
        if loaded.generation >= wanted { return true }
        return isScanning.load(ordering: .relaxed) && loaded.time.duration(to: .now) < Self.scanPause
    }

    private func startRefreshing() -> Task<Result<Loaded, LibraryError>, Never> {
        let task = Task {
            defer { refreshing = nil }
            do throws(LibraryError) { return Result<_, LibraryError>.success(try await refresh()) } catch {
                return .failure(error)
            }
        }
        refreshing = task
        return task
    }

    /// Reads the songs unless the library has the version of those in memory.
    private func refresh() async throws(LibraryError) -> Loaded {
        let generation = generation.load(ordering: .acquiring)
        if var current = loaded, try await library.indexVersion() == current.version {
            current.generation = generation
            // Unless the memory was given back meanwhile.
            if loaded != nil { loaded = current }
            return current
        }
        let new = try await read(generation)
        loaded = new
        last.withLock { $0 = new.catalogue }
        // The reading took as much again for a moment.
        AllocatorArenas.giveBack()
        noteChange(new)
        startSweeper()
        return new
    }

    private func noteChange(_ new: Loaded) {
        let newest = new.catalogue.folders.first?.modified
        if let old = change {
            if old.digest != new.digest {
                change = (max(old.time + 1, Int64(Int(nearest: now()))), new.digest)
            }
        } else if let newest {
            change = (newest, new.digest)
        }
    }

    private func read(_ generation: Int) async throws(LibraryError) -> Loaded {
        let version = try await library.indexVersion()
        let folders = MusicFolders(try await library.folder(nil).folders.map(\.path))
        var builder = CatalogueBuilder(folders)
        var (last, digest): (Int64, Hasher) = (0, Hasher())
        while true {
            let page = try await library.songs(after: last, count: Self.pageSize)
            guard let end = page.last?.id else { break }
            for song in page {
                digest.combine(song.id)
                digest.combine(song.modified)
            }
            builder.add(page)
            last = end
        }
        let complete = builder
        let catalogue = await worker.run {
            var builder = complete
            builder.finish()
            return SongCatalogue(songs: builder.songs, folders: builder.folders)
        }
        return Loaded(
            catalogue: catalogue, digest: digest.finalize(), version: version, time: .now,
            generation: generation)
    }

    // MARK: Memory

    private func startSweeper() {
        guard sweeper == nil else { return }
        sweeper = Task { [weak self] in
            while await self?.forgetIfUnused() == false { await Task.pause(for: Self.lifetime) }
        }
    }

    /// - Returns: Whether there is nothing left to forget.
    private func forgetIfUnused() -> Bool {
        guard lastUse.duration(to: .now) >= Self.lifetime else { return false }
        forget()
        return true
    }

    /// Gives the memory back.
    func forget() {
        sweeper?.cancel()
        (loaded, sweeper) = (nil, nil)
        last.withLock { $0 = nil }
        AllocatorArenas.giveBack()
    }
}
