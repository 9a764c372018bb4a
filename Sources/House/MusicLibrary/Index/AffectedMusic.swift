/// Albums and artists that a change concerns; their rows are computed again at its end.
struct AffectedMusic {
    struct AlbumKey: Hashable {
        /// The title, as ``SortKey/identity(_:)``.
        var title: String
        /// The folder of all discs.
        var discs: String
    }

    var albums: Set<AlbumKey> = []
    var artists: Set<Int64> = []
}
