import TuttiDatabase
import TuttiSystemIO

/// One walk over folders. Confined to the scan's thread.
///
/// Files and folders that are gone are forgotten at the end of the walk, because the walk may find them under
/// other names.
final class TreeScan {
    /// The deepest folder below one of the library's.
    private static let depthLimit = 64

    /// A folder to visit.
    private struct Place {
        var path: String
        var parent: Int64?
        var root: String
        var depth: Int
        /// The device of the folder above.
        var deviceAbove: Int64?
    }

    /// Folders that the system refused to list, with its reason.
    private(set) var refused: [String: String] = [:]
    /// Folders that are empty or missing, and whose tracks stay.
    private(set) var missing: Set<String> = []
    /// Folders that are there.
    private(set) var found: Set<String> = []
    /// Folders that are gone, and were forgotten with those below them.
    private(set) var removed: [String] = []
    /// Whether a folder could not be watched because of the system's limit.
    private(set) var missesWatches = false

    private let writer: IndexWriter
    private let folders: FolderScan
    private let pictures: PictureStore
    private let watch: FolderWatch?
    private let requests: ScanRequests
    private var goneFolders: [KnownFolder] = []
    private var goneFiles: [(file: KnownFile, folder: Int64)] = []

    /// - Parameter didRead: Called with the number of sound files that were read since the last call.
    init(
        _ writer: IndexWriter, pictures: PictureStore, watch: FolderWatch?, environment: ScanEnvironment,
        requests: ScanRequests, didRead: @escaping (Int) -> Void
    ) {
        (self.writer, self.pictures, self.watch, self.requests) = (writer, pictures, watch, requests)
        folders = FolderScan(writer, pictures, environment, requests, didRead: didRead)
    }

    // MARK: Walks

    /// Scans everything.
    ///
    /// - Returns: The roots that are there.
    func scanRoots(_ roots: [String]) throws(ScanFailure) -> Set<String> {
        let present = Set(roots.filter(RootPresence.isPresent))
        for root in roots {
            if present.contains(root) {
                try walk(root, parent: nil, root: root, isWhole: true)
            } else {
                try missRoot(root)
            }
        }
        if refused.isEmpty { try findOrphans(in: present) }
        return present
    }

    private func findOrphans(in roots: Set<String>) throws(ScanFailure) {
        try ScanFailure.catching { () throws(DatabaseError) in
            for root in roots { goneFolders += try writer.folders.orphans(in: root) }
        }
    }

    private func missRoot(_ root: String) throws(ScanFailure) {
        startWatch(root)
        var isEmpty = false
        if case .listing = FolderReading(root) { isEmpty = true }
        try ScanFailure.catching { () throws(DatabaseError) in
            let hasFiles = try writer.folders.hasFiles(below: root)
            // An empty folder that never had music is no trouble.
            if hasFiles || !isEmpty { missing.insert(root) } else { found.insert(root) }
            try writer.folders.markMissing(root)
        }
    }

    /// Scans single folders, and below them what is new.
    func scan(_ paths: [String], roots: [String]) throws(ScanFailure) {
        for path in paths {
            guard let root = roots.first(where: { PathText.isInside(path, $0) }) else { continue }
            guard path != root || RootPresence.isPresent(root) else {
                try missRoot(root)
                continue
            }
            if path == root { found.insert(root) }
            let parent = try parent(of: path, root: root)
            // A folder of which nothing is known yet is found by the scan of its parent.
            guard path == root || parent != nil else { continue }
            try walk(path, parent: parent, root: root, isWhole: false)
        }
    }

    private func parent(of path: String, root: String) throws(ScanFailure) -> Int64? {
        guard path != root else { return nil }
        return try ScanFailure.catching { () throws(DatabaseError) in
            try writer.folders.folder(PathText.folder(path))?.id
        }
    }

    /// - Parameter isWhole: Whether to visit folders below that are known and watched.
    private func walk(_ path: String, parent: Int64?, root: String, isWhole: Bool) throws(ScanFailure) {
        let depth = path.utf8.count(where: { $0 == 0x2F }) - root.utf8.count(where: { $0 == 0x2F })
        let deviceAbove = FolderIdentity(PathText.folder(path))?.device
        var waiting = [Place(path: path, parent: parent, root: root, depth: depth, deviceAbove: deviceAbove)]
        while let place = waiting.popLast() {
            guard !requests.isStopped else { throw .stopped }
            let below = try visit(place, isWhole: isWhole)
            waiting += below.reversed()
        }
    }

    /// - Returns: The folders below to visit.
    private func visit(_ place: Place, isWhole: Bool) throws(ScanFailure) -> [Place] {
        guard try !hasOtherName(place.path) else { return [] }
        // Before the listing: what changes afterwards is reported.
        startWatch(place.path)
        switch FolderReading(place.path) {
        case .missing:
            // A disk may have been removed since the listing above; the next scan of the parent tells.
            return []
        case .refused(let reason):
            refused[place.path] = reason
            return []
        case .listing(let listing):
            guard let folder = try record(place, listing) else { return [] }
            let gone = try folders.scan(folder, listing)
            goneFiles += gone.map { ($0, folder.id) }
            return try below(place, folder, listing, isWhole: isWhole)
        }
    }

    @discardableResult
    private func startWatch(_ path: String) -> FolderWatch.Outcome {
        guard let watch else { return .full }
        let outcome = watch.add(path)
        if outcome == .full { missesWatches = true }
        return outcome
    }

    /// Returns whether a folder is known by another name, and lets its changes be reported under that one.
    private func hasOtherName(_ path: String) throws(ScanFailure) -> Bool {
        guard let identity = FolderIdentity(path) else { return false }
        let names = try ScanFailure.catching { () throws(DatabaseError) in
            try writer.folders.twins(identity, path: path)
        }
        guard let name = names.first(where: { FolderIdentity($0) == identity }) else { return false }
        startWatch(name)
        return true
    }

    /// - Returns: `nil` for a disk that is not mounted.
    private func record(_ place: Place, _ listing: FolderListing) throws(ScanFailure) -> KnownFolder? {
        let isMount = place.deviceAbove.map { $0 != listing.device } ?? false
        return try ScanFailure.catching { () throws(DatabaseError) in
            // A removed disk leaves an empty folder of the disk above, or, at the root, any empty one.
            if listing.isEmpty, let known = try writer.folders.folder(place.path),
                known.isMount && !isMount || place.parent == nil,
                try writer.folders.hasFiles(below: place.path)
            {
                missing.insert(place.path)
                try writer.folders.markMissing(place.path)
                return nil
            }
            found.insert(place.path)
            return try writer.folders.keep(
                place.path, in: place.parent, root: place.root, isMount: isMount, listing)
        }
    }

    private func below(
        _ place: Place, _ folder: KnownFolder, _ listing: FolderListing, isWhole: Bool
    ) throws(ScanFailure) -> [Place] {
        let known = try ScanFailure.catching { () throws(DatabaseError) in
            try writer.folders.folders(below: folder.id)
        }
        let names = Set(listing.folders)
        for old in known {
            let name = PathText.name(old.path)
            if !names.contains(name), !listing.uncertain.contains(name) { goneFolders.append(old) }
        }
        guard place.depth < Self.depthLimit else { return [] }
        let knownPaths = Set(known.map(\.path))
        return listing.folders.compactMap { name in
            let path = PathText.join(place.path, name)
            // A new folder is watched when it is visited: it may be another name of a known one.
            let isNew = !knownPaths.contains(path) || startWatch(path) == .added
            guard isWhole || isNew else { return nil }
            return Place(
                path: path, parent: folder.id, root: place.root, depth: place.depth + 1,
                deviceAbove: listing.device)
        }
    }

    // MARK: Folders to forget

    /// Assigns the known folders to the roots that they lie in, and forgets all others.
    func assignFolders(to roots: [String]) throws(ScanFailure) {
        try ScanFailure.catching { () throws(DatabaseError) in
            try writer.database.transaction { () throws(DatabaseError) in
                for root in roots { try writer.folders.assign(to: root) }
                for root in try writer.folders.roots() where !roots.contains(root) {
                    try writer.folders.remove(root: root)
                }
            }
        }
    }

    /// Forgets what is gone, unless the walk has found it under another name.
    func removeGone() throws(ScanFailure) {
        guard !goneFiles.isEmpty || !goneFolders.isEmpty else { return }
        try ScanFailure.catching { () throws(DatabaseError) in
            try writer.database.transaction { () throws(DatabaseError) in
                var affected = AffectedMusic()
                for gone in goneFiles { try writer.files.remove(gone.file, in: gone.folder, &affected) }
                try writer.albums.settle(affected)
            }
            for folder in goneFolders { try remove(folder) }
            guard !goneFiles.isEmpty || !removed.isEmpty else { return }
            pictures.removeAll { id in
                // When in doubt, a picture stays.
                (try? writer.pictures.uses(id)) ?? true
            }
        }
        (goneFiles, goneFolders) = ([], [])
    }

    /// Forgets a folder that is gone, unless it was a disk of its own: such a folder may go with its disk.
    private func remove(_ folder: KnownFolder) throws(DatabaseError) {
        watch?.remove(folder.path)
        if folder.isMount, try writer.folders.hasFiles(below: folder.path) {
            missing.insert(folder.path)
            return try writer.folders.markMissing(folder.path)
        }
        try writer.database.transaction { () throws(DatabaseError) in try writer.folders.remove(folder.path) }
        removed.append(folder.path)
    }

    /// A sentence about files that cannot be read; `nil` without any.
    func unreadableFiles() throws(ScanFailure) -> String? {
        guard let bad = try ScanFailure.catching({ () throws(DatabaseError) in try writer.files.problems() })
        else {
            return nil
        }
        return bad.count == 1
            ? "\(bad.path) cannot be read: \(bad.problem)."
            : "\(bad.count) files cannot be read, such as \(bad.path): \(bad.problem)."
    }
}
