import TuttiMusicLibrary

/// Sorts songs into the order of a catalogue. Takes them page by page: two forms of all songs of a large
/// library at a time would cost as much again.
struct CatalogueBuilder {
    private(set) var songs = SongTable()
    private(set) var folders: [SongCatalogue.Folder] = []
    private let roots: MusicFolders
    /// The addresses of folders by their paths, each made once.
    private var uris: [String: String] = [:]
    /// The places of a folder's songs in the order in which they came.
    private var byFolder: [String: [Int]] = [:]

    init(_ roots: MusicFolders) { self.roots = roots }

    /// Takes a page of songs; those outside of the library's folders are left out.
    mutating func add(_ page: [LibrarySong]) {
        for song in page {
            let uri: String
            if let known = uris[song.folder] {
                uri = known
            } else {
                guard let made = roots.uri(path: song.folder) else { continue }
                uris[song.folder] = made
                uri = made
            }
            byFolder[uri, default: []].append(songs.count)
            songs.append(Song(song, folder: uri))
        }
    }

    /// Puts all songs in order.
    mutating func finish() {
        var open: [Int] = []
        var order: [Int] = []
        order.reserveCapacity(songs.count)
        for uri in Self.ordered(byFolder.keys) {
            while let last = open.last, !Self.isBelow(uri, folders[last].uri) {
                open.removeLast()
                close(last, in: open.last, at: order.count)
            }
            let start = order.count
            let members = byFolder.removeValue(forKey: uri) ?? []
            order += members.sorted(by: songs.isBefore)
            folders.append(
                SongCatalogue.Folder(
                    uri: uri, own: start..<order.count, end: order.count, lastFolder: 0,
                    modified: members.compactMap { songs.modified(at: $0) }.max()))
            open.append(folders.count - 1)
        }
        while let last = open.popLast() { close(last, in: open.last, at: order.count) }
        songs.finish(order: order)
        uris = [:]
    }

    private mutating func close(_ folder: Int, in parent: Int?, at end: Int) {
        folders[folder].end = end
        folders[folder].lastFolder = folders.count
        // A change below a folder is a change of it, for clients that read again only what is new.
        guard let parent, let modified = folders[folder].modified else { return }
        folders[parent].modified = max(folders[parent].modified ?? .min, modified)
    }

    private static func isBelow(_ uri: String, _ folder: String) -> Bool {
        folder.isEmpty || uri.hasPrefix(folder + "/")
    }

    /// Returns the folders and all above them, each before those below it; names sort without case.
    private static func ordered(_ uris: some Sequence<String>) -> [String] {
        var all: Set<String> = [""]
        for uri in uris {
            var above = uri[...]
            while !above.isEmpty, all.insert(String(above)).inserted {
                above = above.lastIndex(of: "/").map { above[..<$0] } ?? ""
            }
        }
        return all.map { (key($0), $0) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
    }

    /// The end of a part sorts before all letters, so that a folder's contents follow it at once.
    private static func key(_ uri: String) -> [UInt8] {
        var key: [UInt8] = []
        for part in uri.split(separator: "/") {
            key += FoldedText.fold(String(part))
            key.append(2)
            key += part.utf8
            key.append(1)
        }
        return key
    }
}
