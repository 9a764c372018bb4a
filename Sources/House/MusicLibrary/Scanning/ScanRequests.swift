import Dispatch
import Synchronization
import TuttiSystemIO

/// The requests to the scan's thread. Thread-safe.
final class ScanRequests: Sendable {
    enum Request: Sendable {
        case everything
        case folders(Set<String>)
        /// A query found the index damaged.
        case damaged
    }

    struct Pending {
        var isEverythingWanted = false
        var folders: Set<String> = []
        var isDamaged = false
    }

    private let pending = Mutex(Pending())
    private let stopped = Atomic<Bool>(false)
    private let signal = DispatchSemaphore(value: 0)

    func add(_ request: Request) {
        pending.withLock { pending in
            switch request {
            case .everything: pending.isEverythingWanted = true
            case .folders(let folders):
                pending.folders.formUnion(folders)
                if pending.folders.count > ScanSchedule.folderLimit {
                    (pending.isEverythingWanted, pending.folders) = (true, [])
                }
            case .damaged: pending.isDamaged = true
            }
        }
        signal.signal()
    }

    func addChange(_ change: FolderWatch.Change) {
        switch change {
        case .everything: add(.everything)
        case .folders(let folders): add(.folders(folders))
        }
    }

    /// Drops the reports of a damaged index, which is closed.
    func forgetDamage() { pending.withLock { $0.isDamaged = false } }

    /// Ends the scan; a folder that is being read is finished or undone.
    func stop() {
        stopped.store(true, ordering: .releasing)
        signal.signal()
    }

    var isStopped: Bool { stopped.load(ordering: .acquiring) }

    /// Removes and returns all requests.
    func take() -> Pending {
        pending.withLock { pending in
            defer { pending = Pending() }
            return pending
        }
    }

    /// Blocks until there may be a request, or until a time.
    func wait(until time: ContinuousClock.Instant) {
        let rest = max(.zero, ContinuousClock.now.duration(to: time)).components
        let milliseconds = rest.seconds * 1000 + rest.attoseconds / 1_000_000_000_000_000 + 1
        _ = signal.wait(timeout: .now() + .milliseconds(Int(clamping: milliseconds)))
    }
}
