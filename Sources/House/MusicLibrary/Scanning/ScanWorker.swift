import TuttiDatabase
import TuttiSystemIO

/// The loop of the scan's thread: takes requests, scans, and recovers from a damaged database and a full
/// disk. Confined to the thread.
final class ScanWorker {
    private let configuration: LibraryConfiguration
    private let requests: ScanRequests
    private let publisher: StatePublisher
    private let environment: ScanEnvironment
    private let replaceReader: (_ isOpen: Bool) -> Void
    private let pictures: PictureStore
    private var writer: IndexWriter?
    private var watch: FolderWatch?
    private var schedule: ScanSchedule
    private var troubles: TroubleList
    /// The library's folders that were there when they were last scanned.
    private var presentRoots: Set<String> = []
    private var hasCheckedPictures = false
    private var lastCounts = ContinuousClock.now

    /// - Parameter replaceReader: Closes or opens the connection that answers queries.
    init(
        _ configuration: LibraryConfiguration, requests: ScanRequests, publisher: StatePublisher,
        environment: ScanEnvironment, replaceReader: @escaping (_ isOpen: Bool) -> Void
    ) {
        (self.configuration, self.requests, self.publisher) = (configuration, requests, publisher)
        (self.environment, self.replaceReader) = (environment, replaceReader)
        schedule = ScanSchedule(now: .now, retryDelay: environment.retryDelay)
        pictures = PictureStore(path: configuration.picturesPath)
        troubles = TroubleList(earlier: publisher.state.troubles)
        if configuration.watchesFolders { startWatch() }
    }

    private func startWatch() {
        let requests = requests
        do throws(SystemError) {
            watch = try FolderWatch(on: SerialQueue(label: "tutti.library.watch")) {
                requests.addChange($0)
            }
        } catch {
            tellWatchLimit("fs.inotify.max_user_instances")
        }
    }

    private func tellWatchLimit(_ setting: String) {
        let minutes = configuration.rescanIntervalWithoutWatch.components.seconds / 60
        troubles.set(
            .watchLimit,
            """
            Not all folders can be watched, so changes are found only every \(minutes) minutes. \
            Raise the system's limit: sysctl \(setting).
            """)
    }

    func run() {
        while !requests.isStopped {
            take(requests.take())
            switch schedule.next(at: .now) {
            case .everything: attempt { worker throws(ScanFailure) in try worker.scanEverything() }
            case .folders(let folders): attempt { worker throws(ScanFailure) in try worker.scan(folders) }
            case .checkRoots: checkRoots()
            case .wait(let time): requests.wait(until: time)
            }
        }
    }

    private func take(_ pending: ScanRequests.Pending) {
        if pending.isEverythingWanted { schedule.wantEverything() }
        schedule.want(pending.folders)
        if pending.isDamaged { attempt { _ throws(ScanFailure) in throw .damaged("") } }
    }

    // MARK: Failures

    private func attempt(_ body: (ScanWorker) throws(ScanFailure) -> Void) {
        do throws(ScanFailure) {
            try body(self)
            troubles.clear(.database)
            troubles.clear(.diskFull)
        } catch {
            switch error {
            case .stopped: break
            case .full(let message): fail(.diskFull, message)
            case .unusable(let message): fail(.database, message)
            case .damaged(let message): recover(message)
            }
        }
        publisher.update { state in
            state.isScanning = false
            state.troubles = troubles.all
        }
        environment.didScan()
    }

    private func fail(_ kind: TroubleList.Kind, _ message: String) {
        troubles.set(kind, message)
        writer = nil
        schedule.didFail(at: .now)
    }

    /// Sets a damaged database aside; the next scan makes a new one, and opens it for queries.
    private func recover(_ message: String) {
        writer = nil
        replaceReader(false)
        // Other queries that saw the damage have told it too.
        requests.forgetDamage()
        let path = configuration.databasePath
        do throws(DatabaseError) {
            if let aside = try Database.setAside(path) {
                let what = message.isEmpty ? "\(path) is damaged." : message
                troubles.set(.setAside, "\(what) It was moved to \(aside). The library is scanned again.")
            }
            schedule.wantEverything()
        } catch {
            fail(.database, error.description)
        }
    }

    // MARK: Scans

    private func scanEverything() throws(ScanFailure) {
        troubles.clear(.unreadable)
        if watch != nil { troubles.clear(.watchLimit) }
        publisher.update { state in
            (state.isScanning, state.scanned) = (true, 0)
            state.troubles = troubles.all
        }
        let scan = try makeScan()
        if !hasCheckedPictures { try checkPictures() }
        try scan.assignFolders(to: configuration.roots)
        presentRoots = try scan.scanRoots(configuration.roots)
        try finish(scan)
        let isWatched = watch != nil && !scan.missesWatches
        schedule.didScan(
            at: .now,
            interval: isWatched || !configuration.watchesFolders
                ? configuration.rescanInterval : configuration.rescanIntervalWithoutWatch)
    }

    /// Finds pictures that are lost, such as those of the last seconds before a power cut.
    private func checkPictures() throws(ScanFailure) {
        guard let writer else { return }
        try ScanFailure.catching { () throws(DatabaseError) in
            for picture in try writer.pictures.all() where !pictures.isKept(picture) {
                try writer.pictures.readAgain(picture)
            }
        }
        hasCheckedPictures = true
    }

    private func scan(_ folders: Set<String>) throws(ScanFailure) {
        publisher.update { $0.isScanning = true }
        let scan = try makeScan()
        try scan.scan(folders.sorted(), roots: configuration.roots)
        try finish(scan)
    }

    private func makeScan() throws(ScanFailure) -> TreeScan {
        if writer == nil {
            do throws(DatabaseError) {
                writer = try IndexWriter(path: configuration.databasePath, pageLimit: environment.pageLimit)
            } catch {
                throw ScanFailure(error)
            }
        }
        guard let writer else { throw .stopped }
        replaceReader(true)
        return TreeScan(
            writer, pictures: pictures, watch: watch, environment: environment, requests: requests
        ) { [weak self] count in self?.didRead(count) }
    }

    private func finish(_ scan: TreeScan) throws(ScanFailure) {
        try scan.removeGone()
        troubles.clear(.unreadable) { scan.found.contains($0) || FolderIdentity($0) == nil }
        troubles.clear(.folderMissing) { folder in
            scan.found.contains(folder) || scan.removed.contains { PathText.isInside(folder, $0) }
        }
        for (folder, reason) in scan.refused {
            troubles.set(.unreadable, about: folder, "\(folder) cannot be read: \(reason).")
        }
        for folder in scan.missing {
            troubles.set(
                .folderMissing, about: folder,
                """
                \(folder) is missing or empty. Is its disk mounted? Its tracks stay in the library, and play \
                when the folder is back.
                """)
        }
        if scan.missesWatches { tellWatchLimit("fs.inotify.max_user_watches") }
        troubles.set(.unreadable, about: "files", try scan.unreadableFiles())
        try tellCounts()
    }

    private func didRead(_ count: Int) {
        publisher.update { $0.scanned += count }
        guard lastCounts.duration(to: .now) > UpdateThrottle.interval else { return }
        // A failure shows in the scan itself.
        try? tellCounts()
    }

    private func tellCounts() throws(ScanFailure) {
        guard let writer else { return }
        lastCounts = .now
        let counts = try ScanFailure.catching { () throws(DatabaseError) in try writer.counts() }
        publisher.update { ($0.tracks, $0.albums, $0.artists) = counts }
    }

    /// Asks for a scan if one of the library's folders has come or gone.
    private func checkRoots() {
        let present = Set(configuration.roots.filter(RootPresence.isPresent))
        if present != presentRoots { schedule.wantEverything() }
    }
}

/// The reason why a scan ended early.
enum ScanFailure: Error {
    case stopped
    case full(String)
    case damaged(String)
    case unusable(String)

    init(_ error: DatabaseError) {
        switch error.kind {
        case .full: self = .full(error.description)
        case .corrupt: self = .damaged(error.description)
        default: self = .unusable(error.description)
        }
    }

    static func catching<Value>(
        _ body: () throws(DatabaseError) -> Value
    ) throws(ScanFailure) -> Value {
        do throws(DatabaseError) { return try body() } catch { throw ScanFailure(error) }
    }
}
