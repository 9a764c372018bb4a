import Glibc
import Synchronization
import TuttiMediaTime

/// A watch over folders of the local file system, by inotify.
///
/// Each folder is watched by itself, not with those below it: a caller that walks a tree adds each folder
/// before listing it, and so misses nothing. A new folder is a change of its parent. Changes that other
/// machines make on a network file system are not seen. Bursts coalesce: a report follows when nothing has
/// changed for a second, or five seconds after the first change. Thread-safe.
public final class FolderWatch: Sendable {
    /// A report.
    public enum Change: Sendable, Hashable {
        /// Entries of these folders were made, written, renamed or removed, or the folders themselves were.
        case folders(Set<String>)
        /// More has changed than was recorded.
        case everything
    }

    /// The result of ``add(_:)``.
    public enum Outcome: Sendable, Hashable {
        /// The folder is watched from now on; earlier changes are unknown.
        case added
        /// The folder was watched already.
        case known
        /// The user's limit of watches is reached (`fs.inotify.max_user_watches`).
        case full
        /// The folder does not exist, is no folder, or is not readable.
        case missing
    }

    private struct State {
        var folders = WatchedFolders()
        var debounce = ChangeDebounce()
    }

    private static let mask =
        UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ATTRIB)
        | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

    private let events: SocketDescriptor
    private let queue: SerialQueue
    private let onChange: @Sendable (Change) -> Void
    private let state = Mutex(State())
    private let timer: QueueWakeUp
    private let reading = Mutex<ReadinessSource?>(nil)

    /// Creates a watch over no folder.
    ///
    /// - Parameter queue: A serial queue, which calls `onChange`.
    /// - Throws: An error if the user's limit of inotify instances is reached.
    public init(
        on queue: SerialQueue, onChange: @escaping @Sendable (Change) -> Void
    ) throws(SystemError) {
        let number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard number >= 0 else { throw .last("inotify_init") }
        events = SocketDescriptor(number: number)
        (self.queue, self.onChange) = (queue, onChange)
        timer = QueueWakeUp(on: queue)
        let source = ReadinessSource(.readable, of: events, on: queue) { [weak self] in
            self?.readEvents()
        }
        reading.withLock { $0 = source }
        source.arm()
    }

    /// Watches a folder, without those below it. Of several paths of one folder, the last one counts.
    public func add(_ folder: String) -> Outcome {
        state.withLock { state in
            let number = inotify_add_watch(events.number, folder, Self.mask)
            guard number >= 0 else { return errno == ENOSPC ? .full : .missing }
            return state.folders.insert(number, folder) ? .added : .known
        }
    }

    /// Ends the watch over a folder and those below it.
    public func remove(_ folder: String) {
        state.withLock { state in
            for number in state.folders.remove(folder) { inotify_rm_watch(events.number, number) }
        }
    }

    private func readEvents() {
        queue.assertCurrent()
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 8) { buffer in
            while true {
                let count = read(events.number, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                take(WatchEvent.all(in: UnsafeRawBufferPointer(rebasing: buffer.prefix(count))))
            }
        }
        setTimer()
    }

    private func take(_ found: [WatchEvent]) {
        let now = SystemClock.now
        state.withLock { state in
            for event in found {
                let effect = state.folders.handle(event)
                for number in effect.dropped { inotify_rm_watch(events.number, number) }
                state.debounce.note(effect.change, at: now)
            }
        }
    }

    private func setTimer() {
        guard let deadline = state.withLock({ $0.debounce.deadline }) else { return }
        timer.set(at: deadline) { [weak self] in self?.report() }
    }

    private func report() {
        if let change = state.withLock({ $0.debounce.take(at: SystemClock.now) }) { onChange(change) }
        setTimer()
    }
}
