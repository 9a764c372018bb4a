import AVFoundation
import TuttiDatabase

/// The scan of one folder: carries out what ``FolderPlan`` decides. Confined to the scan's thread.
final class FolderScan {
    /// The sound files that are read before a transaction; queries see them then.
    private static let batchCount = 64
    private static let unread = "it cannot be read now"

    /// A sound file that was read, or was found to be a known one.
    private struct Result {
        var name: String
        var stamp: FileStamp
        /// The row of a file that had another name.
        var renamed: Int64?
        var isRead = false
        /// `nil` if the known tracks stay.
        var records: [TrackRecord]?
        var problem: String?
    }

    /// The cue sheets of a folder.
    private struct Cues {
        var references: CueReferences
        /// The names of those that cannot be read now.
        var unread: Set<String>
    }

    private let writer: IndexWriter
    private let pictures: PictureStore
    private let environment: ScanEnvironment
    private let requests: ScanRequests
    private let didRead: (Int) -> Void

    init(
        _ writer: IndexWriter, _ pictures: PictureStore, _ environment: ScanEnvironment,
        _ requests: ScanRequests, didRead: @escaping (Int) -> Void
    ) {
        (self.writer, self.pictures, self.environment) = (writer, pictures, environment)
        (self.requests, self.didRead) = (requests, didRead)
    }

    /// Brings a folder's rows up to date.
    ///
    /// - Returns: The files to forget, which may have moved elsewhere.
    func scan(_ folder: KnownFolder, _ listing: FolderListing) throws(ScanFailure) -> [KnownFile] {
        let known = try ScanFailure.catching { () throws(DatabaseError) in
            try writer.files.files(in: folder.id)
        }
        var plan = FolderPlan(listing, known: known, coverStamp: folder.coverStamp)
        guard !plan.isEmpty else { return [] }
        if plan.changesCover { try changeCover(of: folder, listing) }
        let cues = readCues(folder, listing)
        // The tracks of a cue sheet that may be readable later stay.
        if cues.unread.isEmpty { plan.includeSounds(of: cues.references.parts.keys) }
        try keepLists(plan, cues, in: folder, listing)
        for start in stride(from: 0, to: plan.sounds.count, by: Self.batchCount) {
            let names = plan.sounds[start..<min(start + Self.batchCount, plan.sounds.count)]
            try keep(try read(names, plan, cues.references, in: folder, listing), in: folder)
        }
        return plan.gone
    }

    private func changeCover(of folder: KnownFolder, _ listing: FolderListing) throws(ScanFailure) {
        var picture: PictureID?
        if let cover = listing.cover, cover.stamp.size <= PictureStore.byteLimit {
            let path = PathText.join(folder.path, cover.name)
            // A picture that cannot be read now is tried by the next scan.
            guard let bytes = FileBytes.read(path, limit: PictureStore.byteLimit) else { return }
            picture = try keep(bytes)
        }
        let (found, stamp) = (picture, FolderPlan.coverStamp(of: listing))
        try ScanFailure.catching { () throws(DatabaseError) in
            try writer.database.transaction { () throws(DatabaseError) in
                var affected = AffectedMusic()
                try writer.folders.setCover(found, stamp: stamp, of: folder, &affected)
                try writer.albums.settle(affected)
            }
        }
    }

    private func keep(_ picture: [UInt8]) throws(ScanFailure) -> PictureID? {
        do throws(PictureStoreError) { return try pictures.keep(picture) } catch {
            throw error.isFull ? .full(error.description) : .unusable(error.description)
        }
    }

    // MARK: Sound files

    private func read(
        _ names: ArraySlice<String>, _ plan: FolderPlan, _ cues: CueReferences, in folder: KnownFolder,
        _ listing: FolderListing
    ) throws(ScanFailure) -> [Result] {
        var results: [Result] = []
        for name in names {
            guard !requests.isStopped else { throw .stopped }
            guard let stamp = listing.files[name]?.stamp else { continue }
            let (path, cue) = (PathText.join(folder.path, name), cues.parts[name])
            var result = Result(name: name, stamp: stamp)
            let former = plan.isNew(name) ? try former(stamp) : nil
            result.renamed = former?.id
            if cue != nil || former?.changes(at: path) ?? true { try read(path, cue, into: &result) }
            results.append(result)
        }
        return results
    }

    /// Returns a known file with this stamp whose path no longer exists: it has been renamed.
    private func former(_ stamp: FileStamp) throws(ScanFailure) -> FormerFile? {
        let candidates = try ScanFailure.catching { () throws(DatabaseError) in
            try writer.files.sounds(with: stamp)
        }
        return candidates.first { FolderIdentity($0.path) == nil }
    }

    private func read(
        _ path: String, _ cue: CueReferences.Part?, into result: inout Result
    ) throws(ScanFailure) {
        result.isRead = true
        let facts: SoundFacts
        do throws(AVError) { facts = try environment.read(path) } catch {
            result.problem = error.localizedDescription
            if error.mayPass { result.stamp = .unread } else { result.records = [] }
            return
        }
        var picture: PictureID?
        if let bytes = facts.picture { picture = try keep(bytes) }
        result.records = TrackRecord.records(of: facts, path: path, cue: cue, picture: picture)
    }

    private func keep(_ results: [Result], in folder: KnownFolder) throws(ScanFailure) {
        let time = environment.time()
        try ScanFailure.catching { () throws(DatabaseError) in
            try writer.database.transaction { () throws(DatabaseError) in
                var affected = AffectedMusic()
                for result in results {
                    if let file = result.renamed {
                        try writer.files.rename(file, to: result.name, in: folder, &affected)
                    }
                    guard result.isRead else { continue }
                    let file = try writer.files.keep(
                        result.name, .sound, result.stamp, problem: result.problem, in: folder.id)
                    guard let records = result.records else { continue }
                    try writer.tracks.setTracks(records, of: file, in: folder, added: time, &affected)
                }
                try writer.albums.settle(affected)
            }
        }
        didRead(results.count { $0.isRead })
    }

    // MARK: Cue sheets and playlists

    /// Parses the folder's cue sheets.
    private func readCues(_ folder: KnownFolder, _ listing: FolderListing) -> Cues {
        var sheets: [(name: String, sheet: CueSheet?)] = []
        var unread: Set<String> = []
        for (name, file) in listing.files.sorted(by: { $0.key < $1.key }) where file.kind == .cue {
            let bytes = FileBytes.read(PathText.join(folder.path, name), limit: PlainText.byteLimit)
            if bytes == nil, file.stamp.size <= PlainText.byteLimit {
                unread.insert(name)
            } else {
                sheets.append((name, bytes.flatMap { CueSheet(PlainText.decode($0)) }))
            }
        }
        let sounds = listing.files.filter { $0.value.kind == .sound }.keys
        return Cues(references: CueReferences(sheets, sounds: sounds), unread: unread)
    }

    private func keepLists(
        _ plan: FolderPlan, _ cues: Cues, in folder: KnownFolder, _ listing: FolderListing
    ) throws(ScanFailure) {
        // All of them: a cue sheet becomes good when its file arrives.
        for (name, file) in listing.files where file.kind == .cue {
            let isUnread = cues.unread.contains(name)
            let isBad = cues.references.bad.contains(name)
            let problem = isBad ? "the cue sheet is damaged, or its file is missing" : nil
            try ScanFailure.catching { () throws(DatabaseError) in
                _ = try writer.files.keep(
                    name, .cue, isUnread ? .unread : file.stamp, problem: isUnread ? Self.unread : problem,
                    in: folder.id)
            }
        }
        for name in plan.playlists {
            guard let stamp = listing.files[name]?.stamp else { continue }
            let path = PathText.join(folder.path, name)
            guard let list = StoredList(reading: path) else {
                try keepNoList(name, path, stamp, in: folder)
                continue
            }
            try ScanFailure.catching { () throws(DatabaseError) in
                try writer.database.transaction { () throws(DatabaseError) in
                    try writer.playlists.keep(
                        list, file: writer.files.keep(name, .playlist, stamp, in: folder.id))
                }
            }
        }
    }

    private func keepNoList(
        _ name: String, _ path: String, _ stamp: FileStamp, in folder: KnownFolder
    ) throws(ScanFailure) {
        let isUnread =
            stamp.size <= PlainText.byteLimit && FileBytes.read(path, limit: PlainText.byteLimit) == nil
        try ScanFailure.catching { () throws(DatabaseError) in
            try writer.database.transaction { () throws(DatabaseError) in
                let file = try writer.files.keep(
                    name, .playlist, isUnread ? .unread : stamp,
                    problem: isUnread ? Self.unread : "it is not a playlist", in: folder.id)
                if !isUnread { try writer.playlists.remove(of: file) }
            }
        }
    }
}

extension AVError {
    /// Whether a file with this error may be readable later although its stamp stays: its permissions, or a
    /// network file system, keep it away.
    fileprivate var mayPass: Bool {
        [.contentIsUnavailable, .contentIsNotAuthorized, .failedToLoadMediaData].contains(code)
    }
}
