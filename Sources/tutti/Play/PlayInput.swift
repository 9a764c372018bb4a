/// One thing to play, as the command line or a list names it.
struct PlayInput: Hashable, Sendable {
    /// A path or an address.
    var path: String
    /// What a list calls it.
    var title: String?

    var isAddress: Bool {
        let start = path.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }
}
