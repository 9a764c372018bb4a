/// The queries of a library by their subjects, and the changes of what users made. Confined to the reader's queue.
struct LibraryQueries {
    let connections: LibraryConnections
    let browsing: BrowsingQueries
    let items: ItemQueries
    let search: SearchQueries
    let songs: SongQueries
    let playlists: PlaylistStore
    let stations: StationStore

    init(_ connections: LibraryConnections, _ roots: LibraryRoots) {
        let rows = TrackRows(connections: connections)
        self.connections = connections
        playlists = PlaylistStore(connections: connections, rows: rows, roots: roots)
        stations = StationStore(connections: connections)
        browsing = BrowsingQueries(connections: connections, rows: rows, roots: roots)
        items = ItemQueries(rows: rows, roots: roots, playlists: playlists, stations: stations)
        search = SearchQueries(connections: connections, playlists: playlists, stations: stations)
        songs = SongQueries(connections: connections)
    }
}
