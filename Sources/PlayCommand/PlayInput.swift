/// An item to play, as named on the command line or in a playlist.
struct PlayInput: Hashable, Sendable {
    /// A path or an address.
    var path: String
    /// The title from a playlist; `nil` if there is none.
    var title: String?

    var isAddress: Bool {
        let start = path.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }
}
