/// The identity of a playlist: that of a file or that of an own one, in one range of numbers.
struct PlaylistNumber: Hashable {
    var row: Int64
    var isOwn: Bool

    init(row: Int64, isOwn: Bool) { (self.row, self.isOwn) = (row, isOwn) }

    /// Takes an identity from outside.
    init(_ id: Int64) { self.init(row: id >> 1, isOwn: id & 1 == 1) }

    /// The identity: odd for own playlists.
    var id: Int64 { row << 1 | (isOwn ? 1 : 0) }
}
