import TuttiMusicLibrary

/// All songs of the library at one time, in the order of their folders. Immutable; any thread.
///
/// Answers what no index of the database can: parts of words in any tag, and lists by any tag. 50,000 songs
/// take some 16 MB, so ``CatalogueCache`` keeps a catalogue only while clients ask for it.
final class SongCatalogue: Sendable {
    /// A folder with its place in the order: the songs in it come first, then the folders below it.
    struct Folder: Sendable {
        let uri: String
        /// The songs directly in it.
        var own: Range<Int>
        /// The end of the songs of it and of all folders below it.
        var end: Int
        /// The end of the folders below it, in ``SongCatalogue/folders``.
        var lastFolder: Int
        /// The Unix time of the last change of a song in it or below it; `nil` without songs.
        var modified: Int64?
    }

    /// The songs.
    let songs: SongTable
    /// The folders, each before those below it. The first one is that of all music, with an empty address.
    let folders: [Folder]
    let texts: FoldedTable
    /// Seconds of all songs together.
    let duration: Double
    private let byID: PlaceTable
    private let byURI: PlaceTable
    private let folderByURI: [String: Int]

    /// An empty catalogue.
    static let empty = SongCatalogue([], MusicFolders([]))

    /// Makes the catalogue of all songs of a library.
    convenience init(_ found: [LibrarySong], _ roots: MusicFolders) {
        var builder = CatalogueBuilder(roots)
        builder.add(found)
        builder.finish()
        self.init(songs: builder.songs, folders: builder.folders)
    }

    /// Makes the catalogue of songs in their order, such as those of a queue.
    convenience init(songs: [Song]) {
        var table = SongTable()
        for song in songs { table.append(song) }
        table.finish()
        self.init(songs: table, folders: [])
    }

    /// Makes the catalogue of songs in the order of their folders.
    init(songs: SongTable, folders: [Folder]) {
        (self.songs, self.folders) = (songs, folders)
        var (hashes, texts, duration): ([Int], FoldedTable, Double) = ([], FoldedTable(), 0)
        hashes.reserveCapacity(songs.count)
        for song in songs {
            hashes.append(song.uri.hashValue)
            texts.append(song)
            if let own = song.duration, own.isFinite { duration += own }
        }
        texts.finish()
        (self.texts, self.duration) = (texts, duration)
        byID = PlaceTable(
            count: songs.count, hash: { songs.id(at: $0).hashValue },
            isEqual: { songs.id(at: $0) == songs.id(at: $1) })
        byURI = PlaceTable(
            count: songs.count, hash: { hashes[$0] },
            isEqual: { hashes[$0] == hashes[$1] && songs[$0].uri == songs[$1].uri })
        folderByURI = Dictionary(
            folders.enumerated().map { ($1.uri, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func song(id: Int64) -> Song? {
        byID.place(id.hashValue) { songs.id(at: $0) == id }.map { songs[$0] }
    }

    func song(uri: String) -> Song? { place(uri: uri).map { songs[$0] } }

    private func place(uri: String) -> Int? {
        byURI.place(uri.hashValue) { songs[$0].uri == uri }
    }

    /// Returns the place of a folder in ``folders``.
    func folder(uri: String) -> Int? { folderByURI[uri] }

    /// Returns the places of the songs of a folder and of all below it.
    func songs(inFolder folder: Int) -> Range<Int> { folders[folder].own.lowerBound..<folders[folder].end }

    /// Returns the folders directly below one.
    func children(of folder: Int) -> [Int] {
        var children: [Int] = []
        var place = folder + 1
        while place < folders[folder].lastFolder {
            children.append(place)
            place = folders[place].lastFolder
        }
        return children
    }

    /// Returns the places of the songs below an address: of a folder, or of one song.
    func songs(below uri: String) -> Range<Int>? {
        if let folder = folderByURI[uri] { return songs(inFolder: folder) }
        return place(uri: uri).map { $0..<$0 + 1 }
    }
}
