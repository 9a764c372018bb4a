/// The times of scans.
struct ScanSchedule {
    typealias Instant = ContinuousClock.Instant

    enum Step: Equatable {
        /// Scan everything.
        case everything
        /// Scan these folders.
        case folders(Set<String>)
        /// Look whether the library's folders are there.
        case checkRoots
        /// Wait for a request, or until this time.
        case wait(until: Instant)
    }

    /// The time between two looks at the library's folders: nobody reports that a disk was mounted.
    static let checkInterval = Duration.seconds(30)
    /// The most folders of a request; beyond it, a scan of everything is as fast.
    static let folderLimit = 4096

    private var isEverythingWanted = true
    private var folders: Set<String> = []
    private var nextScan: Instant?
    private var nextCheck: Instant
    private var retry: Instant?
    private let retryDelay: Duration

    /// - Parameter retryDelay: The time after which a scan that failed is tried again.
    init(now: Instant, retryDelay: Duration) {
        self.retryDelay = retryDelay
        nextCheck = now.advanced(by: Self.checkInterval)
    }

    mutating func wantEverything() { isEverythingWanted = true }

    mutating func want(_ more: Set<String>) {
        folders.formUnion(more)
        if folders.count > Self.folderLimit { wantEverything() }
    }

    /// Returns what to do now; a scan is then no longer wanted.
    mutating func next(at now: Instant) -> Step {
        if let retry {
            guard now >= retry else { return .wait(until: retry) }
            self.retry = nil
        }
        if let nextScan, now >= nextScan { isEverythingWanted = true }
        if isEverythingWanted {
            (isEverythingWanted, folders, nextScan) = (false, [], nil)
            return .everything
        }
        if !folders.isEmpty {
            defer { folders = [] }
            return .folders(folders)
        }
        guard now < nextCheck else {
            nextCheck = now.advanced(by: Self.checkInterval)
            return .checkRoots
        }
        return .wait(until: min(nextCheck, nextScan ?? nextCheck))
    }

    /// A scan of everything has ended.
    ///
    /// - Parameter interval: The time until the next one; `nil` for none.
    mutating func didScan(at now: Instant, interval: Duration?) {
        nextScan = interval.map { now.advanced(by: $0) }
    }

    /// A scan has failed; nothing is tried before the retry, which scans everything.
    mutating func didFail(at now: Instant) {
        retry = now.advanced(by: retryDelay)
        isEverythingWanted = true
    }
}
