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
    /// The numbers by the bytes of the path: a letter with a mark and its composed form are two names on a disk.
    private var numbers: [[UInt8]: Int32] = [:]

    /// Records a watch.
    ///
    /// - Returns: Whether the path was not watched under this number: inotify has one number for a folder,
    ///   whatever its path.
    mutating func insert(_ number: Int32, _ path: String) -> Bool {
        let bytes = Array(path.utf8)
        let old = paths.updateValue(path, forKey: number).map { Array($0.utf8) }
        guard old != bytes else { return false }
        if let old, numbers[old] == number { numbers[old] = nil }
        if let other = numbers.updateValue(number, forKey: bytes), other != number { paths[other] = nil }
        return true
    }

    /// Forgets a folder and those below it.
    ///
    /// - Returns: Their watches.
    mutating func remove(_ path: String) -> [Int32] {
        let folder = Array(path.utf8)
        let below = folder + [UInt8(ascii: "/")]
        let gone = numbers.filter { $0.key == folder || $0.key.starts(with: below) }
        for (bytes, number) in gone {
            numbers[bytes] = nil
            paths[number] = nil
        }
        return gone.values.sorted()
    }

    mutating func handle(_ event: WatchEvent) -> Effect {
        if event.has(IN_Q_OVERFLOW) { return Effect(change: .everything) }
        guard let path = paths[event.number] else { return Effect() }
        if event.has(IN_IGNORED) {
            paths[event.number] = nil
            let bytes = Array(path.utf8)
            if numbers[bytes] == event.number { numbers[bytes] = nil }
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
