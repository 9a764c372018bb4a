import Glibc

/// The paths of inotify's watches.
struct WatchedFolders {
    /// The consequences of an event.
    struct Effect: Equatable {
        /// The change to report; `nil` for none.
        var change: FolderWatch.Change?
        /// Watches to end.
        var dropped: [Int32] = []
    }

    private var paths: [Int32: String] = [:]
    private var numbers: [String: Int32] = [:]

    /// Records a watch.
    ///
    /// - Returns: Whether the path was not watched under this number: inotify has one number for a folder,
    ///   whatever its path.
    mutating func insert(_ number: Int32, _ path: String) -> Bool {
        guard paths[number] != path else { return false }
        if let old = paths.updateValue(path, forKey: number), numbers[old] == number { numbers[old] = nil }
        if let old = numbers.updateValue(number, forKey: path), old != number { paths[old] = nil }
        return true
    }

    /// Forgets a folder and those below it.
    ///
    /// - Returns: Their watches.
    mutating func remove(_ path: String) -> [Int32] {
        let gone = numbers.filter { $0.key == path || $0.key.hasPrefix(path + "/") }
        for (path, number) in gone {
            numbers[path] = nil
            paths[number] = nil
        }
        return gone.values.sorted()
    }

    mutating func handle(_ event: WatchEvent) -> Effect {
        if event.has(IN_Q_OVERFLOW) { return Effect(change: .everything) }
        guard let path = paths[event.number] else { return Effect() }
        if event.has(IN_IGNORED) {
            paths[event.number] = nil
            if numbers[path] == event.number { numbers[path] = nil }
            return Effect(change: .folders([path]))
        }
        var effect = Effect(change: .folders([path]))
        if event.has(IN_MOVE_SELF) {
            effect.dropped = remove(path)
        } else if event.has(IN_MOVED_FROM), event.has(IN_ISDIR) {
            // The watches below would continue under paths that no longer exist.
            effect.dropped = remove(path + "/" + event.name)
        }
        return effect
    }
}
