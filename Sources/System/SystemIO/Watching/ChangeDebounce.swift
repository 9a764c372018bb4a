import TuttiMediaTime

/// Changes that wait until a burst is over.
struct ChangeDebounce {
    /// The time without a change after which a burst is over.
    static let quietTime = Duration.seconds(1)
    /// The longest wait of a change, in a burst without an end.
    static let longestWait = Duration.seconds(5)
    /// The most folders of a report; beyond it, a caller looks at everything as fast.
    static let folderLimit = 4096

    private var change: FolderWatch.Change?
    private var first = HostTime(nanoseconds: 0)
    private var last = HostTime(nanoseconds: 0)

    /// The time of the next report; `nil` without changes.
    var deadline: HostTime? {
        change.map { _ in
            min(last.advanced(by: Self.quietTime), first.advanced(by: Self.longestWait))
        }
    }

    mutating func note(_ next: FolderWatch.Change?, at now: HostTime) {
        guard let next else { return }
        if change == nil { first = now }
        last = now
        change = Self.union(change, next)
    }

    /// Removes and returns the changes, if their burst is over.
    mutating func take(at now: HostTime) -> FolderWatch.Change? {
        guard let deadline, now >= deadline else { return nil }
        return change.take()
    }

    private static func union(_ old: FolderWatch.Change?, _ new: FolderWatch.Change) -> FolderWatch.Change {
        guard let old else { return new }
        guard case .folders(var all) = old, case .folders(let more) = new else { return .everything }
        all.formUnion(more)
        return all.count > folderLimit ? .everything : .folders(all)
    }
}
